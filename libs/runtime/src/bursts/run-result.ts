import type {
  ActivityIncident,
  Bookmark,
  WorkflowExecutionContext,
  WorkflowState,
  WorkflowStatus,
  WorkflowSubStatus,
} from '@waymark/core';
import { restingLists } from '@waymark/core/adapter';
import type { RunInstanceResult } from '../services/instance-services.js';

export function toResult(wec: WorkflowExecutionContext, state: WorkflowState): RunInstanceResult {
  if (restingLists(state)) return new RestingResult(wec.id, state);
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

/** An own member of results, so that JSON and copies of them have it. One function for all, so that they share a hidden class. */
const BOOKMARKS: PropertyDescriptor & ThisType<RunInstanceResult> = {
  enumerable: true,
  get() {
    return this.state.bookmarks;
  },
};

/** Result of a burst that has left most of its instance at rest: bookmarks are read when they are asked for. */
class RestingResult implements RunInstanceResult {
  declare readonly bookmarks: readonly Bookmark[];
  readonly status: WorkflowStatus;
  readonly subStatus: WorkflowSubStatus;
  readonly incidents: readonly ActivityIncident[];
  readonly output: Readonly<Record<string, unknown>>;

  constructor(
    readonly workflowInstanceId: string,
    readonly state: WorkflowState,
  ) {
    this.status = state.status;
    this.subStatus = state.subStatus;
    this.incidents = state.incidents;
    this.output = state.output;
    Object.defineProperty(this, 'bookmarks', BOOKMARKS);
  }
}

/**
 * Result of a burst that is not written: its state is put together when it is asked for. A class, since a getter in an
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
  declare readonly bookmarks: readonly Bookmark[];
  readonly workflowInstanceId: string;
  readonly status: WorkflowStatus;
  readonly subStatus: WorkflowSubStatus;
  readonly output: Readonly<Record<string, unknown>>;
  readonly state: WorkflowState;

  constructor(
    committed: RunInstanceResult,
    private readonly end: StepEnd,
  ) {
    this.workflowInstanceId = committed.workflowInstanceId;
    this.status = end.status;
    this.subStatus = end.subStatus;
    this.output = end.output;
    this.state = committed.state;
    Object.defineProperty(this, 'bookmarks', BOOKMARKS);
  }

  get incidents(): readonly ActivityIncident[] {
    return this.state.incidents.slice(0, this.end.incidentCount);
  }
}
