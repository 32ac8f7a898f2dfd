import type { NodeReader } from '../graph/child-reader.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../values/promise-like.js';
import type { CompiledInput } from '../graph/compiled-input.js';
import { wrappedCondition } from '../definitions/wrapped-condition.js';

export type SwitchMode = 'MatchFirst' | 'MatchAny';

/** One case of Switch or FlowSwitch, compiled. */
export interface SwitchCase {
  readonly label: string;
  readonly condition: CompiledInput;
  /** Switch only. */
  readonly activity?: ActivityNode;
}

/** Reads `cases` from the definition: `{ label, condition: { type, value }, activity? }`. */
export function readCases(json: unknown, reader: NodeReader): SwitchCase[] {
  if (!Array.isArray(json)) return [];
  return (json as Record<string, unknown>[])
    .filter((item) => typeof item === 'object' && item !== null)
    .map((item) => {
      const label = String(item.label ?? '');
      const condition = reader.input(wrappedCondition(item.condition), 'Boolean');
      return { label, condition, activity: reader.child(item.activity, label) };
    });
}

/**
 * The cases to follow. All conditions are evaluated, in MatchFirst too: expressions may have effects, and the reference
 * evaluates them all.
 */
export function matchCases(
  ctx: ActivityExecutionContext,
  cases: readonly SwitchCase[],
  mode: SwitchMode | null,
): readonly SwitchCase[] | Promise<readonly SwitchCase[]> {
  const select = (matches: readonly unknown[]) => {
    const found = cases.filter((_, i) => matches[i] === true);
    return mode === 'MatchAny' ? found : found.slice(0, 1);
  };
  const matches: unknown[] = [];
  for (let i = 0; i < cases.length; i++) {
    const match = ctx.evaluate(cases[i]!.condition);
    if (isPromiseLike(match)) return evaluateRest(ctx, cases, matches, match).then(select);
    matches.push(match);
  }
  return select(matches);
}

/** One after the other: two scripts of one activity must not run at the same time. */
async function evaluateRest(
  ctx: ActivityExecutionContext,
  cases: readonly SwitchCase[],
  matches: unknown[],
  pending: Promise<unknown>,
): Promise<unknown[]> {
  matches.push(await pending);
  for (let i = matches.length; i < cases.length; i++) matches.push(await ctx.evaluate(cases[i]!.condition));
  return matches;
}
