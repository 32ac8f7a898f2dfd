import type {
  ActivityIncident,
  Bookmark,
  WorkflowExecutionContext,
  WorkflowState,
  WorkflowStatus,
  WorkflowSubStatus,
} from '@waymark/core';
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

/**
 * Of a burst of which nothing is written: its state is put together when somebody asks for it. A class, since a getter in an
 * object literal gives each object a hidden class of its own, which keeps all it refers to until the next full collection.
 */
export class UnwrittenResult implements RunInstanceResult {
  readonly workflowInstanceId: string;
  readonly status: WorkflowStatus;
  readonly subStatus: WorkflowSubStatus;
  readonly bookmarks: readonly Bookmark[] = [];
  readonly incidents: readonly ActivityIncident[] = [];
  readonly output: Readonly<Record<string, unknown>>;

  constructor(
    wec: WorkflowExecutionContext,
    private readonly stateOf: () => WorkflowState,
  ) {
    this.workflowInstanceId = wec.id;
    this.status = wec.status;
    this.subStatus = wec.subStatus;
    this.output = wec.output;
  }

  get state(): WorkflowState {
    return this.stateOf();
  }
}
