import { ActivityStatus, WorkflowSubStatus, type ActivityExecutionRecord } from '@waymark/core';

import type { WorkflowPersistence } from '@waymark/runtime';

/**
 * Executions as they ended together with their instance. A fault leaves what stands around it as it was, so that the instance can be
 * repaired: their records stay `Running`, and Studio, which looks at the definition's root first, would ask for its end every
 * second. The journal is not changed by this; once the instance is repaired they run on.
 * @param which `root`: only the workflow itself, for lists, where containers in between are shown as the reference shows them
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
