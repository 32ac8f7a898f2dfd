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
  if (!records.some((record) => isMeant(record, which))) return records;
  return records.map(await endingOf({ instances }, workflowInstanceId, which));
}

/** The same for one record after the other. The instance is read once. */
export async function endingOf(
  { instances }: Pick<WorkflowPersistence, 'instances'>,
  workflowInstanceId: string,
  which: 'root' | 'all',
): Promise<(record: ActivityExecutionRecord) => ActivityExecutionRecord> {
  const { items } = await instances.findMany({ ids: [workflowInstanceId] }, undefined, { skip: 0, take: 1 });
  const [instance] = items;
  if (instance?.subStatus !== WorkflowSubStatus.Faulted || !instance.finishedAt) return (record) => record;
  const ended = { status: ActivityStatus.Faulted, completedAt: instance.finishedAt, hasBookmarks: false };
  return (record) => (isMeant(record, which) ? { ...record, ...ended } : record);
}

const isMeant = ({ status, activityNodeId }: ActivityExecutionRecord, which: 'root' | 'all'): boolean =>
  status === ActivityStatus.Running && (which === 'all' || !activityNodeId.includes(':'));
