import type {
  ActivityIncident,
  Bookmark,
  WorkflowExecutionContext,
  WorkflowState,
  WorkflowStatus,
  WorkflowSubStatus,
} from '@waymark/core';
import type { RunInstanceResult } from '../services/instance-services.js';

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
 * Of a burst of which nothing is written: its state is put together when it is asked for. A class, since a getter in an
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
    this.output = wec.secrets.stored(wec.output);
  }

  get state(): WorkflowState {
    return this.stateOf();
  }
}

/** How one of several resumes left the instance. */
export interface StepEnd {
  readonly status: WorkflowStatus;
  readonly subStatus: WorkflowSubStatus;
  readonly incidentCount: number;
  readonly output: Readonly<Record<string, unknown>>;
}

/**
 * Of a resume that was stored along with later ones: how it left the instance itself, with the state that all of them left. A
 * fault of a later one is not its fault.
 */
export class SharedResult implements RunInstanceResult {
  readonly workflowInstanceId: string;
  readonly status: WorkflowStatus;
  readonly subStatus: WorkflowSubStatus;
  readonly bookmarks: readonly Bookmark[];
  readonly output: Readonly<Record<string, unknown>>;
  readonly state: WorkflowState;

  constructor(
    committed: RunInstanceResult,
    private readonly end: StepEnd,
  ) {
    this.workflowInstanceId = committed.workflowInstanceId;
    this.status = end.status;
    this.subStatus = end.subStatus;
    this.bookmarks = committed.bookmarks;
    this.output = end.output;
    this.state = committed.state;
  }

  get incidents(): readonly ActivityIncident[] {
    return this.state.incidents.slice(0, this.end.incidentCount);
  }
}
