import type { VariableDefinition } from '../definitions/workflow-definition.js';

/** Whether an instance runs (it may wait) or has finished. */
export const WorkflowStatus = { Running: 'Running', Finished: 'Finished' } as const;
export type WorkflowStatus = (typeof WorkflowStatus)[keyof typeof WorkflowStatus];

/** Pending, Executing, Suspended and Interrupted belong to status Running; the rest to Finished and are final. */
export const WorkflowSubStatus = {
  Pending: 'Pending',
  Executing: 'Executing',
  Suspended: 'Suspended',
  Finished: 'Finished',
  Cancelled: 'Cancelled',
  Faulted: 'Faulted',
  Interrupted: 'Interrupted',
} as const;
export type WorkflowSubStatus = (typeof WorkflowSubStatus)[keyof typeof WorkflowSubStatus];

/** Completed and Canceled are final; Faulted can be recovered to Running. */
export const ActivityStatus = {
  Pending: 'Pending',
  Running: 'Running',
  Completed: 'Completed',
  Canceled: 'Canceled',
  Faulted: 'Faulted',
} as const;
export type ActivityStatus = (typeof ActivityStatus)[keyof typeof ActivityStatus];

/** A resumption point of a running activity: part of the instance's state and, while it runs, a row of its own. */
export interface Bookmark {
  /** Id of the bookmark. */
  id: string;
  /** Stimulus name; the activity type unless the activity chose another. */
  name: string;
  /** Hash of the stimulus and its payload, by which a resume finds it. */
  hash: string;
  /** Payload that a stimulus must have to match it. */
  payload?: unknown;
  /** Id of the activity in its definition. */
  activityId: string;
  /** Node id of the activity: its id behind those of its ancestors. */
  activityNodeId: string;
  /** Id of the execution of the activity. */
  activityInstanceId: string;
  /** When the activity began to wait. */
  createdAt: Date;
  /** If true, the activity chose its id, which may be used again. */
  isIdChosen?: boolean;
  /** If true, consumed by the resume that used it. */
  autoBurn: boolean;
  /** Method of the activity that is called on resume. */
  callbackMethodName?: string;
  /** If true, without a callback the activity completes on resume. */
  autoComplete: boolean;
  /** For infrastructure; never part of the hash. */
  metadata?: Record<string, string>;
  /** Time at which the scheduler resumes it (W4), e.g. for a Delay. */
  dueAt?: Date;
}

/** An error as it is stored. */
export interface ExceptionState {
  /** Name of its class. */
  type: string;
  /** Its message, without secrets. */
  message: string;
  /** Its stack, without secrets. */
  stackTrace?: string;
  /** What caused it. */
  innerException?: ExceptionState;
  /** Code, category and type of a FaultException, the code of a WaymarkError. */
  metadata?: Record<string, unknown>;
}

/** A recorded fault of an activity. */
export interface ActivityIncident {
  /** Id of the activity in its definition. */
  activityId: string;
  /** Node id of the activity: its id behind those of its ancestors. */
  activityNodeId: string;
  /** Type name of the activity, such as `Elsa.WriteLine`. */
  activityType: string;
  /** Id of the execution of the activity. */
  activityInstanceId: string;
  /** What went wrong, without secrets. */
  message: string;
  /** The error, with its stack and causes; absent where there was none. */
  exception?: ExceptionState;
  /** When it happened. */
  timestamp: Date;
}

/** Which method of a container is called when a child completes. */
export interface CompletionCallbackState {
  /** Id of the execution of the container. */
  ownerInstanceId: string;
  /** Node id of the child. */
  childNodeId: string;
  /** The execution that it waits for; absent while that is still queued. Tags alone do not tell executions apart. */
  childInstanceId?: string;
  /** Name of the method. */
  methodName: string;
  /** What the container keeps with the child. */
  tag?: unknown;
}

/** A running or waiting execution of an activity, as the state of its instance holds it. */
export interface ActivityExecutionContextState {
  /** Id of the execution: the activity instance id. */
  id: string;
  /** Id of the execution of the container; absent: the root. */
  parentContextId?: string;
  /** Node id of the activity. */
  scheduledActivityNodeId: string;
  /** Node id of the activity that scheduled it. */
  ownerActivityNodeId?: string;
  /** Depth of the call stack, parent instances included. @default 0 */
  callStackDepth: number;
  /** Persisted bag of the activity; persisted variables live under `Variables`, keyed by variable id. */
  properties: Record<string, unknown>;
  /** What the activity keeps about the execution. */
  metadata: Record<string, unknown>;
  /** Evaluated inputs, by PascalCase name. */
  activityState: Record<string, unknown>;
  /** Inputs that hold secrets, as the journal shows them. Their values are not stored: they are evaluated again. */
  withheldInputs?: Record<string, unknown>;
  /** Variables that were declared while it ran, such as the item of a loop. */
  dynamicVariables: VariableDefinition[];
  /** Status of this execution. */
  status: ActivityStatus;
  /** True while its code runs. */
  isExecuting: boolean;
  /** Faults in it and below it that are not repaired. */
  faultCount: number;
  /** When it began. */
  startedAt: Date;
  /** When it ended; absent: it has not. */
  completedAt?: Date;
  /** A value that its container stores with it. */
  tag?: unknown;
  /** Runs of this execution so far: 1 at first, more after a retry (W9). */
  attempt?: number;
  /** Runs among these that its retry policy does not count; absent: it counts all. */
  attemptsBefore?: number;
  /** Burst and place in it, for idempotency keys; absent in the first burst, where the id tells. */
  origin?: string;
  /** Id of the execution that scheduled this one. */
  schedulingActivityExecutionId?: string;
  /** Id of the activity that scheduled this one. */
  schedulingActivityId?: string;
  /** Id of the instance whose activity scheduled this one. */
  schedulingWorkflowInstanceId?: string;
  /** Input of this execution alone. */
  input?: Record<string, unknown>;
  /** The journal has a record of it with these inputs. Absent when there is none, or when that is unknown. */
  isRecorded?: true;
}

/** A work item that was not run before the burst was stored. */
export interface ScheduledActivityState {
  /** Node id of the activity: its id behind those of its ancestors. */
  activityNodeId: string;
  /** Id of the execution that scheduled it. */
  ownerContextId?: string;
  /** What that execution keeps with it. */
  tag?: unknown;
  /** Variables that are declared for it. */
  variables?: { definition: VariableDefinition; value: unknown }[];
  /** Id of the execution that continues; absent: a new one begins. */
  existingActivityExecutionContextId?: string;
  /** Input of this execution alone. */
  input?: Record<string, unknown>;
}

/**
 * Form of states that this version writes and the newest that it reads; one without `formatVersion` is of form 1. A higher
 * number is for changes by which an older node would go wrong. It is written only when all nodes know it: a release later than
 * it is read.
 */
export const STATE_FORMAT = 1;

/**
 * The data that an instance needs to continue: only the running part. Finished activities are removed from it and kept in the
 * journal (W7). Member names are those of Elsa 3, because REST shows this object as it is.
 */
export interface WorkflowState {
  /** Id of the instance. */
  id: string;
  /** Logical id of the workflow definition, which all its versions share. */
  definitionId: string;
  /** Id of one version of the workflow definition. */
  definitionVersionId: string;
  /** Number of the version, from 1. */
  definitionVersion: number;
  /** Id of the parent instance, when this one is started as a child. */
  parentWorkflowInstanceId?: string;
  /** Correlation id of the instance: its business key. */
  correlationId?: string;
  /** Name of the instance. */
  name?: string;
  /** If true, lists leave it out unless asked. */
  isSystem: boolean;
  /** Whether it runs or has finished. */
  status: WorkflowStatus;
  /** More exactly: pending, executing, suspended, finished, faulted or cancelled. */
  subStatus: WorkflowSubStatus;
  /** True while a burst is under way. */
  isExecuting: boolean;
  /** What it waits for. */
  bookmarks: Bookmark[];
  /** Its recorded faults, oldest first. */
  incidents: ActivityIncident[];
  /** Which containers are called when a child completes. */
  completionCallbacks: CompletionCallbackState[];
  /** Contexts not yet completed, innermost first, and the root, last. */
  activityExecutionContexts: ActivityExecutionContextState[];
  /** What was to be run when the burst was stored. */
  scheduledActivities: ScheduledActivityState[];
  /** Number of the last entry of its execution log. */
  executionLogSequence: number;
  /** Number of activity executions so far; ids of contexts derive from it. */
  activityExecutionCount: number;
  /** What it was started with. */
  input: Record<string, unknown>;
  /** The outputs that are set. */
  output: Record<string, unknown>;
  /** What the engine, extensions and the starter keep with it. */
  properties: Record<string, unknown>;
  /** When it was started. */
  createdAt: Date;
  /** When it was last stored. */
  updatedAt: Date;
  /** The burst that it belongs to while that is stored half-way: shows whether it was taken over (W3). */
  burstId?: string;
  /** By what the executions of that burst are named. Without `burstId`: those of what a cancellation has left to be undone. */
  burstOrigin?: BurstOriginState;
  /** When it ended; absent: it has not. */
  finishedAt?: Date;
  /**
   * The trigger that has started it, as long as what failed within that start is to run again: by a retry policy, or by hand. `input` is
   * that of the start then.
   */
  triggerActivityId?: string;
  /** Form of this state. @default 1 */
  formatVersion?: number;
  /** Its last commit was a migration: how to undo that. The next commit leaves it out. */
  migration?: MigrationState;
}

/** Stored by a migration to another version, so that it can be undone. */
export interface MigrationState {
  /** Number of the version before. */
  readonly fromVersion: number;
  /** When it was migrated. */
  readonly at: Date;
  /** Who asked for it. */
  readonly by?: string;
  /** The state before, as text (`serialize`). */
  readonly before: string;
}

/** By which names the executions of a burst that is stored half-way continue. */
export interface BurstOriginState {
  readonly cause: string;
  /** That the burst has begun so far. */
  readonly executions: number;
  /** The trigger that has started the instance, in its first burst: until it has run, its activity would wait otherwise. */
  readonly triggerActivityId?: string;
  /** If true, the burst repeats the start by that trigger: what was passed to it as `transient` is gone. */
  readonly repeatsStart?: true;
  /** Its own input, where `input` of the state is that of a start to be repeated, which the burst is not. */
  readonly input?: Record<string, unknown>;
}
