import type { WorkflowExecutionLogEntry } from '@waymark/core';
import type { LoadedInstance, WorkflowInstanceSummary } from '@waymark/runtime/adapter';
import { withoutNulls } from '../requests/json-values.js';

/** Entries have no id of their own: their number counts per instance. */
const entryId = (workflowInstanceId: string, sequence: number): string => `${workflowInstanceId}:${sequence}`;

/** An entry as lists of the journal show it. */
export function journalRecord(workflowInstanceId: string, entry: WorkflowExecutionLogEntry): object {
  const { activityInstanceId, parentActivityInstanceId, activityId, activityType, activityTypeVersion } = entry;
  const { activityName, activityNodeId, timestamp, sequence, eventName, message, source, payload } = entry;
  return withoutNulls({
    id: entryId(workflowInstanceId, sequence),
    activityInstanceId,
    parentActivityInstanceId,
    activityId,
    activityType,
    activityTypeVersion,
    activityName,
    nodeId: activityNodeId,
    timestamp,
    sequence,
    eventName,
    message,
    source,
    payload,
  });
}

/** An entry as it is stored: what exports hold, and what the last entry of an activity is shown as. */
export function journalEntity(
  instance: WorkflowInstanceSummary | LoadedInstance,
  entry: WorkflowExecutionLogEntry,
): object {
  const { sequence, ...rest } = entry;
  const { id, definitionId, definitionVersionId, version } = instance;
  return withoutNulls({
    workflowDefinitionId: definitionId,
    workflowDefinitionVersionId: definitionVersionId,
    workflowInstanceId: id,
    workflowVersion: version,
    ...rest,
    sequence,
    id: entryId(id, sequence),
    tenantId: '',
  });
}
