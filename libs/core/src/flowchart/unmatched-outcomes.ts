import { declaredOutcomes } from '../definitions/declared-outcomes.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { FlowGraph } from './flow-graph.js';

/** Nodes of which it was said. A graph has them for as long as it is cached, so that not each execution repeats it. */
const known = new WeakSet<ActivityNode>();

/**
 * Logs a warning (`WM1052`) when an activity has completed with outcomes that its type does not declare and no connection has, mostly by a
 * misspelled name: the branch ends there, and without it there would be nothing to see. A declared outcome may be left unconnected.
 */
export function warnOfUnmatchedOutcomes(child: ActivityExecutionContext, graph: FlowGraph): void {
  const { outcomes, node } = child;
  if (outcomes.length === 0 || known.has(node)) return;
  const outbound = graph.outbound(node);
  if (outbound.length === 0 || outbound.some(({ port }) => outcomes.includes(port))) return;
  const declared = declaredOutcomes(node.registration.descriptor);
  if (!declared || outcomes.some((outcome) => outcome === null || declared.includes(outcome))) return;
  known.add(node);
  const named = outcomes.map((outcome) => `'${outcome}'`).join(', ');
  child.workflow.engine.warn?.(
    `WM1052: activity '${node.id}' (${node.type}) of instance '${child.workflow.id}' completed with the outcome ${named}, which its type does ` +
      `not declare and no connection has, so nothing follows. Its outcomes: ${declared.join(', ')}. Correct the name, or declare it: ` +
      '@Activity({ outcomes: […] }).',
  );
}
