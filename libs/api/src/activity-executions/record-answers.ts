import type { ActivityExecutionRecord } from '@waymark/core';
import { withoutNulls } from '../requests/json-values.js';

/** Bags carry this marker in records, as the reference writes them. */
export const bag = (values: object | undefined): object => ({ ...values, _type: 'ObjectMap' });

/** One execution of an activity. */
export function recordEntity(workflowInstanceId: string, record: ActivityExecutionRecord): object {
  const { id, activityId, activityNodeId, activityType, activityTypeVersion, activityName } = record;
  const { activityState, payload, outputs, properties, metadata, exception } = record;
  const { startedAt, hasBookmarks, status, aggregateFaultCount, completedAt } = record;
  const { schedulingActivityExecutionId, schedulingActivityId, schedulingWorkflowInstanceId, callStackDepth } = record;
  return withoutNulls({
    workflowInstanceId,
    activityId,
    activityNodeId,
    activityType,
    activityTypeVersion,
    activityName,
    activityState,
    payload: payload && bag(payload),
    outputs,
    properties: bag(properties),
    metadata: bag(metadata),
    exception,
    startedAt,
    hasBookmarks,
    status,
    aggregateFaultCount,
    completedAt,
    schedulingActivityExecutionId,
    schedulingActivityId,
    schedulingWorkflowInstanceId,
    callStackDepth,
    id,
    tenantId: '',
  });
}

/** The same without inputs and outputs. */
export function recordSummary(workflowInstanceId: string, record: ActivityExecutionRecord): object {
  const { id, activityId, activityNodeId, activityType, activityTypeVersion, activityName } = record;
  const { metadata, startedAt, hasBookmarks, status, aggregateFaultCount, completedAt } = record;
  return withoutNulls({
    workflowInstanceId,
    activityId,
    activityNodeId,
    activityType,
    activityTypeVersion,
    activityName,
    startedAt,
    hasBookmarks,
    status,
    metadata: bag(metadata),
    aggregateFaultCount,
    completedAt,
    id,
  });
}
