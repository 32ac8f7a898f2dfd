import type { WorkflowExecutionContext, WorkflowState } from '@waymark/core';
import type { RunInstanceResult } from './instance-services.js';

export function toResult(wec: WorkflowExecutionContext, state: WorkflowState): RunInstanceResult {
  return {
    workflowInstanceId: wec.id,
    status: state.status,
    subStatus: state.subStatus,
    bookmarks: state.bookmarks,
    incidents: state.incidents,
    output: state.output,
    state,
  };
}

/** Of a burst of which nothing is written: its state is put together when somebody asks for it. */
export function toUnwrittenResult(wec: WorkflowExecutionContext, stateOf: () => WorkflowState): RunInstanceResult {
  return {
    workflowInstanceId: wec.id,
    status: wec.status,
    subStatus: wec.subStatus,
    bookmarks: [],
    incidents: [],
    output: wec.output,
    get state() {
      return stateOf();
    },
  };
}
