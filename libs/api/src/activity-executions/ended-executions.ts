import { ActivityStatus, WorkflowSubStatus, type ActivityExecutionRecord } from '@waymark/core';

import type { WorkflowPersistence } from '@waymark/runtime';

/**
 * Shows executions that a fault has left open as ended together with their instance. A fault keeps the containers around it
 * running, so that the instance can be repaired; their records stay `Running`, and Elsa Studio would poll for the end of the root
 * every second. The journal is not changed: once the instance is repaired, these executions continue.
 * @param which `root`: only the workflow itself, for lists, in which Elsa shows the containers in between as running
 */
export async function endedWithInstance(
  { instances }: WorkflowPersistence,
  workflowInstanceId: string,
  records: readonly ActivityExecutionRecord[],
  which: 'root' | 'all',
): Promise<readonly ActivityExecutionRecord[]> {
  const isMeant = (record: ActivityExecutionRecord) =>
    record.status === ActivityStatus.Running && (which === 'all' || !record.activityNodeId.includes(':'));
  if (!records.some(isMeant)) return records;
  const { items } = await instances.findMany({ ids: [workflowInstanceId] }, undefined, { skip: 0, take: 1 });
  const [instance] = items;
  if (instance?.subStatus !== WorkflowSubStatus.Faulted || !instance.finishedAt) return records;
  const ended = { status: ActivityStatus.Faulted, completedAt: instance.finishedAt, hasBookmarks: false };
  return records.map((record) => (isMeant(record) ? { ...record, ...ended } : record));
}
