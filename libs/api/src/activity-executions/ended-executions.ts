import { ActivityStatus, WorkflowSubStatus, type ActivityExecutionRecord } from '@waymark/core';

import type { WorkflowPersistence } from '@waymark/runtime';

/**
 * The root as it ended together with its instance. A fault leaves what stands around it as it was, so that the instance can be
 * repaired: the record of the root stays `Running`, and Studio would ask again and again for its end. Containers in between are
 * shown as the reference shows them. The journal is not changed by this; once the instance is repaired the root runs on.
 */
export async function endedWithInstance(
  { instances }: WorkflowPersistence,
  workflowInstanceId: string,
  records: readonly ActivityExecutionRecord[],
): Promise<readonly ActivityExecutionRecord[]> {
  if (!records.some(isOpenRoot)) return records;
  const { items } = await instances.findMany({ ids: [workflowInstanceId] }, undefined, { skip: 0, take: 1 });
  const [instance] = items;
  if (instance?.subStatus !== WorkflowSubStatus.Faulted || !instance.finishedAt) return records;
  const ended = { status: ActivityStatus.Faulted, completedAt: instance.finishedAt, hasBookmarks: false };
  return records.map((record) => (isOpenRoot(record) ? { ...record, ...ended } : record));
}

const isOpenRoot = ({ status, activityNodeId }: ActivityExecutionRecord): boolean =>
  status === ActivityStatus.Running && !activityNodeId.includes(':');
