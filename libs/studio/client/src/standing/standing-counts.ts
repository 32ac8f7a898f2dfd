import type { ActivityJson } from '../api/definitions.js';
import type { NodeHeat, VersionHeat } from '../api/operations.js';
import { findByNodeId } from '../graph/picture.js';
import type { NodeCounts } from '../graph/workflow-graph.js';

/** What stands at each node and, added up, in each container above it: of a level that is not open, its container tells. */
export function countsOf({ nodes }: VersionHeat): Map<string, NodeCounts> {
  const sums = new Map<string, { waiting: number; faulted: number }>();
  for (const { activityNodeId, waiting, faulted } of nodes)
    for (const nodeId of activityNodeId === undefined ? [] : withAncestors(activityNodeId)) {
      const sum = sums.get(nodeId) ?? { waiting: 0, faulted: 0 };
      sums.set(nodeId, { waiting: sum.waiting + waiting, faulted: sum.faulted + faulted });
    }
  const most = Math.max(1, ...nodes.map(({ waiting, faulted }) => waiting + faulted));
  return new Map(
    [...sums].map(([nodeId, { waiting, faulted }]) => [
      nodeId,
      { waiting, faulted, share: Math.min(1, (waiting + faulted) / most) },
    ]),
  );
}

/** `W:Flow:Step` → `W:Flow:Step`, `W:Flow`, `W`. */
function withAncestors(nodeId: string): string[] {
  const parts = nodeId.split(':');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join(':'));
}

/** The fullest places first. */
export const fullestFirst = (nodes: readonly NodeHeat[]): NodeHeat[] =>
  [...nodes].sort((left, right) => right.waiting + right.faulted - (left.waiting + left.faulted));

/** As the picture calls the node. */
export function nameOf(root: ActivityJson | undefined, nodeId: string): string {
  const activity = root && findByNodeId(root, nodeId);
  const shown = activity?.metadata?.displayText;
  return (typeof shown === 'string' && shown) || activity?.name || activity?.id || (nodeId.split(':').at(-1) ?? nodeId);
}
