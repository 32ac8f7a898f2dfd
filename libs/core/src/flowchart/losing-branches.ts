import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { FlowConnection } from './flow-connection.js';
import type { FlowGraph } from './flow-graph.js';

/**
 * Cancels what still runs above a join that does not wait for it. The flowchart is not told: it is at work.
 * @returns activities that were cancelled
 */
export function cancelAncestors(
  flowchart: ActivityExecutionContext,
  graph: FlowGraph,
  join: ActivityNode,
): ActivityNode[] {
  if (!flowchart.activeChildren?.size) return [];
  const ancestors = graph.ancestorsOf(join);
  return cancelAll(flowchart.activeChildren.list().filter((child) => ancestors.has(child.node)));
}

/** A cheap question before a costly one: a flowchart that remembers nothing has no branch that lost. */
export function mayHaveLosers(flowchart: ActivityExecutionContext): boolean {
  return Object.keys(flowchart.properties).length > 0;
}

/**
 * A branch that had work in the queue when its join continued may begin to wait afterwards. Nothing comes of it any more;
 * it is cancelled when it is all that keeps the flowchart from completing.
 */
export function cancelLatecomers(
  flowchart: ActivityExecutionContext,
  graph: FlowGraph,
  isAnswered: (connection: FlowConnection) => boolean,
): ActivityNode[] {
  if (flowchart.queuedWork > 0 || !flowchart.activeChildren?.size) return [];
  const children = flowchart.activeChildren.list();
  const isLate = (child: ActivityExecutionContext) => graph.leadsOnlyTo(child.node, isAnswered);
  return children.every(isLate) ? cancelAll(children) : [];
}

function cancelAll(children: readonly ActivityExecutionContext[]): ActivityNode[] {
  for (const child of children) child.cancelNow({ notifyParent: false });
  return children.map((child) => child.node);
}
