import { deserialize, type WorkflowState, type WorkflowStatus, type WorkflowSubStatus } from '@waymark/core';
import type { Row, SqlValue } from '../database/statement.js';
import type { LoadedInstance, WorkflowInstanceRecord, WorkflowInstanceSummary } from '@waymark/runtime';
import {
  flag,
  orNull,
  time,
  timeOrNull,
  toDate,
  toFlag,
  toNumber,
  toOptionalDate,
  toOptionalText,
  toText,
} from '../rows/column-values.js';
import { stateText } from './state-text.js';

/** All columns but `id`, in the order of `instanceValues`. */
export const INSTANCE_COLUMNS = [
  'definition_id',
  'definition_version_id',
  'version',
  'parent_instance_id',
  'status',
  'sub_status',
  'is_executing',
  'correlation_id',
  'name',
  'incident_count',
  'is_system',
  'created_at',
  'updated_at',
  'finished_at',
  'state',
  'revision',
] as const;

/** What a list needs: everything but the state, which may be large. */
export const SUMMARY_COLUMNS = [
  'id',
  ...INSTANCE_COLUMNS.filter((column) => column !== 'state' && column !== 'revision'),
];

export function instanceValues(instance: WorkflowInstanceRecord, revision: number): SqlValue[] {
  return [
    instance.definitionId,
    instance.definitionVersionId,
    instance.version,
    orNull(instance.parentWorkflowInstanceId),
    instance.status,
    instance.subStatus,
    flag(instance.isExecuting),
    orNull(instance.correlationId),
    orNull(instance.name),
    instance.incidentCount,
    flag(instance.isSystem),
    time(instance.createdAt),
    time(instance.updatedAt),
    timeOrNull(instance.finishedAt),
    stateText(instance.state),
    revision,
  ];
}

export function toSummary(row: Row): WorkflowInstanceSummary {
  return {
    id: toText(row.id),
    definitionId: toText(row.definition_id),
    definitionVersionId: toText(row.definition_version_id),
    version: toNumber(row.version),
    parentWorkflowInstanceId: toOptionalText(row.parent_instance_id),
    status: row.status as WorkflowStatus,
    subStatus: row.sub_status as WorkflowSubStatus,
    isExecuting: toFlag(row.is_executing),
    correlationId: toOptionalText(row.correlation_id),
    name: toOptionalText(row.name),
    incidentCount: toNumber(row.incident_count),
    isSystem: toFlag(row.is_system),
    createdAt: toDate(row.created_at),
    updatedAt: toDate(row.updated_at),
    finishedAt: toOptionalDate(row.finished_at),
  };
}

export function toInstance(row: Row): LoadedInstance {
  return { ...toSummary(row), state: deserialize<WorkflowState>(toText(row.state)), revision: toNumber(row.revision) };
}
