import type { LoadedInstance, WorkflowInstanceSummary } from '@waymark/runtime/adapter';
import { withoutNulls } from '../requests/json-values.js';
import { stateAnswer } from './state-answer.js';

/** A row of the list of instances. */
export function instanceRow(instance: WorkflowInstanceSummary): object {
  const { id, definitionId, definitionVersionId, version, status, subStatus, correlationId, name } = instance;
  const { incidentCount, createdAt, updatedAt, finishedAt } = instance;
  return withoutNulls({
    id,
    tenantId: '',
    definitionId,
    definitionVersionId,
    version,
    status,
    subStatus,
    correlationId,
    name,
    incidentCount,
    createdAt,
    updatedAt,
    finishedAt,
  });
}

/** An instance with its state. */
export function instanceEntity(instance: LoadedInstance): object {
  const { id, definitionId, definitionVersionId, version, parentWorkflowInstanceId, state } = instance;
  const { status, subStatus, isExecuting, correlationId, name, incidentCount, isSystem } = instance;
  const { createdAt, updatedAt, finishedAt } = instance;
  return withoutNulls({
    id,
    definitionId,
    definitionVersionId,
    version,
    parentWorkflowInstanceId,
    workflowState: stateAnswer(state),
    status,
    subStatus,
    isExecuting,
    correlationId,
    name,
    incidentCount,
    isSystem,
    createdAt,
    updatedAt,
    finishedAt,
  });
}
