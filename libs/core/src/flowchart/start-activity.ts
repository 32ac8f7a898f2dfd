import type { ActivityNode } from '../graph/activity-node.js';
import type { FlowConnection } from './flow-connection.js';

/**
 * Where a flowchart starts, first hit: the trigger that started the workflow, the one named, Start, a trigger, a root.
 * @param aroundId contains the trigger that started the workflow: taken instead of a trigger that would wait for something else
 */
export function findStart(
  activities: readonly ActivityNode[],
  connections: readonly FlowConnection[],
  startId: string | undefined,
  triggerId: string | undefined,
  aroundId?: string,
): ActivityNode | undefined {
  const byId = (id: string | undefined) => (id === undefined ? undefined : activities.find((a) => a.id === id));
  const other = (waiting: ActivityNode | undefined) => waiting && (byId(aroundId) ?? waiting);
  return (
    byId(triggerId) ??
    byId(startId) ??
    activities.find((a) => a.registration.descriptor.isStart) ??
    other(activities.find((a) => a.canStartWorkflow)) ??
    findRoot(activities, connections) ??
    activities[0]
  );
}

function findRoot(
  activities: readonly ActivityNode[],
  connections: readonly FlowConnection[],
): ActivityNode | undefined {
  const targets = new Set(connections.map((c) => c.target));
  return activities.find((a) => !targets.has(a));
}
