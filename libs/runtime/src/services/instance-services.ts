import type { TypedWorkflow, WorkflowClass, WorkflowTypeClient } from './typed-workflows.js';
import type {
  ActivityHandle,
  ActivityIncident,
  Bookmark,
  WorkflowState,
  WorkflowStatus,
  WorkflowSubStatus,
} from '@waymark/core';
import type { WorkflowDefinitionHandle } from './definition-handle.js';
import type { Firing } from '../persistence/burst-commit.js';
import type { InstanceFilter } from '../persistence/instance-store.js';

export interface CreateInstanceRequest {
  readonly definition: WorkflowDefinitionHandle;
  readonly correlationId?: string;
  readonly name?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly parentWorkflowInstanceId?: string;
  /** Idempotent start: the same key never starts a second instance. It decides the id of an instance that is given none. */
  readonly requestKey?: string;
  /**
   * Held by the instance while it runs; while another one holds it, the start is refused. The key of an activation strategy
   * goes before it. @default none
   */
  readonly activationKey?: string;
  /**
   * True: the request key is taken by a commit of its own before anything runs. Of several requests at a time only one runs
   * activities then, and the others are refused at once; it costs a second commit. @default false
   */
  readonly claimsFirst?: boolean;
  /** The occurrence of a trigger or schedule that starts it: moved on in the same commit, or nothing is started (W4). */
  readonly firing?: Firing;
}

export interface RunInstanceRequest {
  readonly triggerActivityId?: string;
  readonly bookmarkId?: string;
  readonly activityHandle?: ActivityHandle;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Dynamic variables of the root, by name. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly schedulingActivityExecutionId?: string;
  readonly schedulingWorkflowInstanceId?: string;
  readonly callStackDepth?: number;
  /** Aborts the activities' `signal`; never cancels the workflow. */
  readonly signal?: AbortSignal;
  /** Objects for this burst only, by token (a request at hand, for instance). */
  readonly transient?: Iterable<readonly [unknown, unknown]>;
}

export interface RunInstanceResult {
  readonly workflowInstanceId: string;
  readonly status: WorkflowStatus;
  readonly subStatus: WorkflowSubStatus;
  readonly bookmarks: readonly Bookmark[];
  readonly incidents: readonly ActivityIncident[];
  readonly output: Readonly<Record<string, unknown>>;
  /** The state as committed: with what other resumes did that were stored along with this one. */
  readonly state: WorkflowState;
}

/** Handles one instance. */
export abstract class IWorkflowClient {
  /** A new instance with a request key has the id that follows from it, once it is created. */
  abstract readonly workflowInstanceId: string;
  /** Stores a new instance that has not run (sub-status Pending). @throws DefinitionNotFoundError, InstanceExistsError, ActivationRefusedError */
  abstract createInstance(request: CreateInstanceRequest): Promise<void>;
  /**
   * Runs one burst and commits it.
   * @throws InstanceNotFoundError, InstanceNotRunningError, BookmarkNotFoundError, BookmarkConsumedError
   */
  abstract runInstance(request?: RunInstanceRequest): Promise<RunInstanceResult>;
  /** Both in one commit. @throws as the two */
  abstract createAndRunInstance(request: CreateInstanceRequest & RunInstanceRequest): Promise<RunInstanceResult>;
  /** Cancels it with its activities, bookmarks, timers and children. False when it had ended already. @throws InstanceNotFoundError */
  abstract cancel(): Promise<boolean>;
  /** @throws InstanceNotFoundError */
  abstract exportState(): Promise<WorkflowState>;
  /** Stores a state under its own id, in place of what is there. */
  abstract importState(state: WorkflowState): Promise<void>;
  abstract instanceExists(): Promise<boolean>;
  /** Cancels children and deletes it with all its records. False when there is none. */
  abstract delete(): Promise<boolean>;
}

/** Front door of the runtime: inject it, create a client, run. */
export abstract class IWorkflowRuntime {
  /** @param workflowInstanceId of an existing instance, or for a new one; @default a new random id */
  abstract createClient(workflowInstanceId?: string): Promise<IWorkflowClient>;
  /**
   * Starts instances of a workflow class, with inputs and outputs of the types that it declares:
   * `runtime.client(LeaveApproval).run({ days: 3 })`.
   * @throws NotAWorkflowError (`WM1039`) the class has no `@Workflow()`
   */
  abstract client<W extends TypedWorkflow>(workflow: WorkflowClass<W>): WorkflowTypeClient<W>;
}

export interface StartWorkflowResponse {
  /** True: the activation strategy refused; nothing was started. */
  readonly cannotStart: boolean;
  readonly result?: RunInstanceResult;
}

export interface StartWorkflowRequest extends CreateInstanceRequest, RunInstanceRequest {
  /** @default a new random id */
  readonly workflowInstanceId?: string;
}

/** Starts instances under their activation strategy; a refusal is an answer, not an error. */
export abstract class IWorkflowStarter {
  abstract start(request: StartWorkflowRequest): Promise<StartWorkflowResponse>;
}

export abstract class IWorkflowCancellationService {
  /**
   * Cancels those that are running, several at a time, with their children. Returns how many were cancelled (children not
   * counted).
   * @param instances ids, or a single one
   * @throws the error of the first one that could not be cancelled, once the others are
   */
  abstract cancel(instances: string | readonly string[]): Promise<number>;
  abstract cancelByFilter(filter: InstanceFilter): Promise<number>;
}
