import { type ActivityExecutionContextState, type WorkflowState } from '@waymark/core';
import { toPlainJson } from '@waymark/core/adapter';

/** The state of an instance as clients know it: what only this engine needs in order to continue is left out. */
export function stateAnswer(state: WorkflowState): object {
  const { id, definitionId, definitionVersionId, definitionVersion, parentWorkflowInstanceId, ...others } = state;
  const {
    correlationId,
    name,
    activityExecutionCount: _count,
    burstId: _burst,
    migration: _migration,
    ...rest
  } = others;
  return {
    id,
    definitionId,
    definitionVersionId,
    definitionVersion,
    parentWorkflowInstanceId,
    correlationId,
    name,
    ...rest,
    bookmarks: state.bookmarks.map(({ dueAt: _dueAt, ...bookmark }) => bookmark),
    completionCallbacks: state.completionCallbacks.map(({ childInstanceId: _child, ...callback }) => callback),
    activityExecutionContexts: state.activityExecutionContexts.map(contextAnswer),
  };
}

function contextAnswer(context: ActivityExecutionContextState): object {
  const { id, callStackDepth, parentContextId, scheduledActivityNodeId, ownerActivityNodeId, ...rest } = context;
  const { schedulingActivityExecutionId: _execution, schedulingActivityId: _activity, ...known } = rest;
  const {
    schedulingWorkflowInstanceId: _instance,
    attempt: _attempt,
    attemptsBefore: _before,
    isRecorded: _recorded,
    ...others
  } = known;
  const { withheldInputs, ...shown } = others;
  const values = (context.properties.Variables ?? {}) as Readonly<Record<string, unknown>>;
  return {
    id,
    callStackDepth,
    parentContextId,
    scheduledActivityNodeId,
    ownerActivityNodeId,
    ...shown,
    activityState: withheldInputs ? { ...shown.activityState, ...withheldInputs } : shown.activityState,
    dynamicVariables: context.dynamicVariables.map(({ id, name, typeName, storageDriverTypeName, value }) => ({
      id,
      name,
      typeName,
      value: textOf((Object.hasOwn(values, id) ? values[id] : undefined) ?? value),
      storageDriverTypeName,
    })),
  };
}

/** Values stand in variables as text, as defaults do in definitions. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(toPlainJson(value));
}
