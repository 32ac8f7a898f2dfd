import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../values/promise-like.js';
import { isFlowJoin, joinModeOf, type JoinMode } from './join-mode.js';

/**
 * How tokens that meet at an activity are treated.
 * `Stream`: run when none is at a direct predecessor any more. `Merge`: strictly one from every forward connection.
 * `MergeActive`: the same, or all that will come. `Converge`: as Merge, and waits for loops while they may come. `Cascade`: the
 * first runs it, the others are swallowed. `Race`: as Cascade, and what still runs above is cancelled.
 */
export type MergeMode = 'Stream' | 'Merge' | 'MergeActive' | 'Converge' | 'Cascade' | 'Race';

const NAMED: ReadonlyMap<string, MergeMode> = new Map(
  (['Stream', 'Merge', 'Converge', 'Cascade', 'Race'] as const).map((mode) => [mode.toLowerCase(), mode]),
);

export function mergeModeOf(flowchart: ActivityExecutionContext, node: ActivityNode): MergeMode | Promise<MergeMode> {
  const named = node.customProperties.mergeMode;
  const mode = typeof named === 'string' ? NAMED.get(named.toLowerCase()) : undefined;
  if (mode) return mode;
  if (!isFlowJoin(node)) return 'Stream';
  const join = joinModeOf(flowchart, node);
  return isPromiseLike(join) ? join.then((j) => fromJoinMode(j as JoinMode)) : fromJoinMode(join);
}

/** True when the first token runs the activity: it never waits for others. */
export function isCascading(mode: MergeMode): mode is 'Cascade' | 'Race' {
  return mode === 'Cascade' || mode === 'Race';
}

/** True when what arrives there may end what still runs above it: the mode of a join is known only when something arrives. */
export function mayBeRace(node: ActivityNode): boolean {
  return isFlowJoin(node) || String(node.customProperties.mergeMode).toLowerCase() === 'race';
}

/** True when later tokens are swallowed but the branches that bring them continue: they did not lose a race. */
export function isCascade(node: ActivityNode): boolean {
  return String(node.customProperties.mergeMode).toLowerCase() === 'cascade';
}

function fromJoinMode(mode: JoinMode): MergeMode {
  if (mode === 'WaitAny') return 'Race';
  return mode === 'WaitAll' ? 'Merge' : 'MergeActive';
}
