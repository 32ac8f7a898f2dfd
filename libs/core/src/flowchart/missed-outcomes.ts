import { declaredOutcomes } from '../definitions/declared-outcomes.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { DEFAULT_OUTCOMES } from '../state/outcomes.js';
import { Flowchart } from './flowchart.js';

/**
 * Outcomes by which the connections of an activity in a flowchart leave, if it is about to complete with none of them and nothing would
 * follow. Undefined where something does, where there is nothing to follow, and for outcomes that its type declares: they may be left
 * unconnected.
 * @param outcomes @default what an activity completes with that names none
 */
export function missedOutcomes(
  { node, parent }: ActivityExecutionContext,
  outcomes: readonly (string | null)[] = DEFAULT_OUTCOMES,
): readonly string[] | undefined {
  if (!parent || !(parent.activity instanceof Flowchart) || node.isTerminal) return undefined;
  const ports = parent.activity.portsOf(parent, node);
  if (ports.length === 0 || ports.some((port) => outcomes.includes(port))) return undefined;
  const declared = declaredOutcomes(node.registration.descriptor) ?? [];
  if (outcomes.some((outcome) => outcome !== null && declared.includes(outcome))) return undefined;
  return [...new Set(ports.map((port) => port ?? 'Done'))];
}
