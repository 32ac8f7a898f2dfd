import type { TypedWorkflow, WorkflowClass, WorkflowTypeClient } from './typed-workflows.js';
import type { ActivityIncident, Bookmark, WorkflowState, WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { ActivityHandle } from '@waymark/core/adapter';
import type { WorkflowDefinitionHandle } from './definition-handle.js';
import type { Firing } from '../persistence/burst-commit.js';
import type { InstanceFilter } from '../persistence/instance-store.js';

/** Describes a new instance. */
export interface CreateInstanceRequest {
  /** The workflow: a definition id (its published version), a version id, or version options. */
  readonly definition: WorkflowDefinitionHandle;
  /** Correlation id of the instance: its business key. */
  readonly correlationId?: string | undefined;
  /** Name of the instance. @default none */
  readonly name?: string | undefined;
  /** Inputs of the workflow, by name. @default none */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Properties that the starter stores with the instance. @default none */
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  /** Id of the parent instance, when this one is started as a child. */
  readonly parentWorkflowInstanceId?: string | undefined;
  /**
   * Idempotent start: the same key never starts a second instance. The id of an instance without one is derived from it. A start whose key
   * is in use runs nothing; of several at the same time, all may run, and one is stored: see `claimsFirst`.
   */
  readonly requestKey?: string | undefined;
  /**
   * Held by the instance while it runs; while another instance holds it, the start is refused. The key of an activation
   * strategy takes precedence. @default none
   */
  readonly activationKey?: string | undefined;
  /**
   * If true, the request key is stored by a separate commit before anything runs. Of several requests at the same time, only
   * one then runs activities, and the others are refused at once. This costs a second commit. @default false
   */
  readonly claimsFirst?: boolean | undefined;
  /** The occurrence of a trigger or schedule that starts it: moved on in the same commit, or nothing is started (W4). */
  readonly firing?: Firing | undefined;
}

/** Describes how an instance is run: from its beginning, from a bookmark, or from an activity. */
export interface RunInstanceRequest {
  /** Id of the trigger that it begins with. @default the root of the workflow */
  readonly triggerActivityId?: string | undefined;
  /** The bookmark to resume. @default none */
  readonly bookmarkId?: string | undefined;
  /** The activity to run. @default none */
  readonly activityHandle?: ActivityHandle | undefined;
  /** Inputs of the workflow, by name. @default none */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Properties that the starter stores with the instance. @default none */
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  /** Dynamic variables of the root, by name. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Id of the execution that scheduled this one. */
  readonly schedulingActivityExecutionId?: string | undefined;
  /** Id of the instance whose activity scheduled this one. */
  readonly schedulingWorkflowInstanceId?: string | undefined;
  /** Depth of the call stack, parent instances included. @default 0 */
  readonly callStackDepth?: number | undefined;
  /** Aborts the activities' `signal`; never cancels the workflow. */
  readonly signal?: AbortSignal | undefined;
  /** Objects for this burst only, by token, such as the current request. */
  readonly transient?: Iterable<readonly [unknown, unknown]> | undefined;
}

/** State of an instance after a burst. */
export interface RunInstanceResult {
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string;
  /** Whether it runs (it may wait) or has finished. */
  readonly status: WorkflowStatus;
  /** More exactly: suspended, finished, faulted or cancelled. */
  readonly subStatus: WorkflowSubStatus;
  /** What it waits for. */
  readonly bookmarks: readonly Bookmark[];
  /** Its recorded faults, oldest first. */
  readonly incidents: readonly ActivityIncident[];
  /** The outputs that are set. */
  readonly output: Readonly<Record<string, unknown>>;
  /** The committed state, which includes the effects of other resumes in the same commit. */
  readonly state: WorkflowState;
}

/** How a state is imported. */
export interface ImportStateOptions {
  /**
   * If true, an instance that runs is set back to the state: what it has done since will be done again, messages for it that were not
   * served yet are taken back, and children that it has started since run on. Its journal keeps what happened. @default false
   */
  readonly replace?: boolean | undefined;
}

/** Handles one instance. */
export abstract class IWorkflowClient {
  /** Id of the instance. With a request key, the id of a new instance is derived from the key when it is created. */
  abstract readonly workflowInstanceId: string;
  /**
   * Stores a new instance that has not run (sub-status Pending).
   * @throws DefinitionNotFoundError (`WM1020`), InstanceExistsError (`WM3002`), ActivationRefusedError (`WM7005`)
   */
  abstract createInstance(request: CreateInstanceRequest): Promise<void>;
  /**
   * Runs one burst and commits it.
   * @throws InstanceNotFoundError (`WM3001`), InstanceNotRunningError (`WM3003`), BookmarkNotFoundError (`WM3004`),
   *   BookmarkConsumedError (`WM7002`)
   */
  abstract runInstance(request?: RunInstanceRequest): Promise<RunInstanceResult>;
  /** Creates and runs an instance in one commit. @throws as `createInstance` and `runInstance` */
  abstract createAndRunInstance(request: CreateInstanceRequest & RunInstanceRequest): Promise<RunInstanceResult>;
  /**
   * Cancels the instance with its activities, bookmarks, timers and children. Returns false if it had already ended.
   * @throws InstanceNotFoundError (`WM3001`)
   */
  abstract cancel(): Promise<boolean>;
  /** Returns the stored state of the instance. @throws InstanceNotFoundError (`WM3001`) */
  abstract exportState(): Promise<WorkflowState>;
  /**
   * Stores a state under the id of this client. It takes the place of an instance that has ended, or that has done nothing since the state
   * was exported.
   * @throws InstanceMovedOnError (`WM3011`) it runs and has gone on since: see `replace`
   * @throws InstanceExecutingError (`WM3012`) a burst of it is under way
   * @throws BookmarkTakenError (`WM3010`)
   */
  abstract importState(state: WorkflowState, options?: ImportStateOptions): Promise<void>;
  /** Returns true if the instance is stored. */
  abstract instanceExists(): Promise<boolean>;
  /** Cancels its children and deletes the instance with all its records. Returns false if it does not exist. */
  abstract delete(): Promise<boolean>;
}

/**
 * Entry point of the runtime: inject it, create a client, and start or resume instances.
 * @example
 * constructor(private readonly runtime: IWorkflowRuntime) {}
 *
 * async place(orderId: string): Promise<string> {
 *   const order = await this.runtime.client(OrderWorkflow).start({ orderId }, { correlationId: orderId });
 *   return order.workflowInstanceId;
 * }
 */
export abstract class IWorkflowRuntime {
  /**
   * Creates a client for one instance, which need not exist yet.
   * @param workflowInstanceId id of an existing instance, or for a new one; @default a new random id
   */
  abstract createClient(workflowInstanceId?: string): Promise<IWorkflowClient>;
  /**
   * Creates a client that starts instances of a workflow class, with the types of its declared inputs and outputs:
   * `runtime.client(LeaveApproval).run({ days: 3 })`.
   * @throws NotAWorkflowError (`WM1039`) the class has no `@Workflow()`
   */
  abstract client<W extends TypedWorkflow>(workflow: WorkflowClass<W>): WorkflowTypeClient<W>;
}

/** Result of a start. */
export interface StartWorkflowResponse {
  /** If true, the activation strategy refused; nothing was started. */
  readonly cannotStart: boolean;
  /** The key that a running instance holds: that of the activation strategy, or the requested one. */
  readonly refusedKey?: string;
  /** State of the instance after its first burst; absent if it was not started. */
  readonly result?: RunInstanceResult;
}

/** How an instance is started. */
export interface StartWorkflowRequest extends CreateInstanceRequest, RunInstanceRequest {
  /** Id of the instance. @default a new random id */
  readonly workflowInstanceId?: string;
}

/**
 * Starts instances under their activation strategy; a refusal is an answer, not an error.
 * @example
 * const { cannotStart, result } = await starter.start({ definition: 'nightly-report' });
 */
export abstract class IWorkflowStarter {
  /**
   * Starts an instance, unless its activation strategy refuses.
   * @throws DefinitionNotFoundError (`WM1020`), WorkflowInputError (`WM1036`)
   */
  abstract start(request: StartWorkflowRequest): Promise<StartWorkflowResponse>;
}

/** Cancels instances, with their children. */
export abstract class IWorkflowCancellationService {
  /**
   * Cancels those that are running, several at a time, with their children. Returns how many were cancelled (children not
   * counted).
   * @param instances ids, or a single one
   * @throws the error of the first one that could not be cancelled, once the others are
   */
  abstract cancel(instances: string | readonly string[]): Promise<number>;
  /** Cancels all that match, several at a time. Resolves with how many were cancelled. @throws EmptyFilterError (`WM7008`) */
  abstract cancelByFilter(filter: InstanceFilter): Promise<number>;
}
