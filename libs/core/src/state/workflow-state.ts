import type { VariableDefinition } from '../definitions/workflow-definition.js';

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
  id: string;
  /** Stimulus name; the activity type unless the activity chose another. */
  name: string;
  hash: string;
  payload?: unknown;
  activityId: string;
  activityNodeId: string;
  activityInstanceId: string;
  createdAt: Date;
  /** True: the activity gave it its id, which may come again. */
  isIdChosen?: boolean;
  /** True: consumed by the resume that used it. */
  autoBurn: boolean;
  /** Method of the activity that is called on resume. */
  callbackMethodName?: string;
  /** True: without a callback the activity completes on resume. */
  autoComplete: boolean;
  /** For infrastructure; never part of the hash. */
  metadata?: Record<string, string>;
  /** When the engine itself has to resume it (W4), e.g. a Delay. */
  dueAt?: Date;
}

export interface ExceptionState {
  type: string;
  message: string;
  stackTrace?: string;
  innerException?: ExceptionState;
  /** Code, category and type of a FaultException, the code of a WaymarkError. */
  metadata?: Record<string, unknown>;
}

export interface ActivityIncident {
  activityId: string;
  activityNodeId: string;
  activityType: string;
  activityInstanceId: string;
  message: string;
  exception?: ExceptionState;
  timestamp: Date;
}

export interface CompletionCallbackState {
  ownerInstanceId: string;
  childNodeId: string;
  /** The execution that it waits for; absent while that is still queued. Tags alone do not tell executions apart. */
  childInstanceId?: string;
  methodName: string;
  tag?: unknown;
}

export interface ActivityExecutionContextState {
  id: string;
  parentContextId?: string;
  scheduledActivityNodeId: string;
  ownerActivityNodeId?: string;
  callStackDepth: number;
  /** Persisted bag of the activity; persisted variables live under `Variables`, keyed by variable id. */
  properties: Record<string, unknown>;
  metadata: Record<string, unknown>;
  /** Evaluated inputs, by PascalCase name. */
  activityState: Record<string, unknown>;
  /** Inputs that hold secrets, as the journal shows them. Their values are not stored: they are evaluated again. */
  withheldInputs?: Record<string, unknown>;
  dynamicVariables: VariableDefinition[];
  status: ActivityStatus;
  isExecuting: boolean;
  faultCount: number;
  startedAt: Date;
  completedAt?: Date;
  tag?: unknown;
  /** Runs of this execution so far: 1 at first, more after a retry (W9). */
  attempt?: number;
  /** Burst and place in it, for idempotency keys; absent in the first burst, where the id tells. */
  origin?: string;
  schedulingActivityExecutionId?: string;
  schedulingActivityId?: string;
  schedulingWorkflowInstanceId?: string;
  input?: Record<string, unknown>;
  /** The journal has a record of it with these inputs. Absent when there is none, or when that is unknown. */
  isRecorded?: true;
}

export interface ScheduledActivityState {
  activityNodeId: string;
  ownerContextId?: string;
  tag?: unknown;
  variables?: { definition: VariableDefinition; value: unknown }[];
  existingActivityExecutionContextId?: string;
  input?: Record<string, unknown>;
}

/**
 * Form of states that this version writes and the newest that it reads; one without `formatVersion` is of form 1. A higher number is
 * for changes by which an older node would go wrong. It is written only when all nodes know it: a release later than it is read.
 */
export const STATE_FORMAT = 1;

/**
 * All that is needed to go on: the running part only. Finished activities leave it and live on in the journal (W7).
 * Member names are those of Elsa 3, because REST shows this object as it is.
 */
export interface WorkflowState {
  id: string;
  definitionId: string;
  definitionVersionId: string;
  definitionVersion: number;
  parentWorkflowInstanceId?: string;
  correlationId?: string;
  name?: string;
  isSystem: boolean;
  status: WorkflowStatus;
  subStatus: WorkflowSubStatus;
  isExecuting: boolean;
  bookmarks: Bookmark[];
  incidents: ActivityIncident[];
  completionCallbacks: CompletionCallbackState[];
  /** Contexts not yet completed, innermost first, and the root, last. */
  activityExecutionContexts: ActivityExecutionContextState[];
  scheduledActivities: ScheduledActivityState[];
  executionLogSequence: number;
  /** Number of activity executions so far; ids of contexts derive from it. */
  activityExecutionCount: number;
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  properties: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
  /** The burst that it belongs to while that is stored half-way: shows whether it was taken over (W3). */
  burstId?: string;
  /** By what the executions of that burst are named. */
  burstOrigin?: BurstOriginState;
  finishedAt?: Date;
  /** Form of this state. @default 1 */
  formatVersion?: number;
  /** Its last commit was a migration: how to undo that. The next commit leaves it out. */
  migration?: MigrationState;
}

/** What a migration to another version keeps of what it has found. */
export interface MigrationState {
  readonly fromVersion: number;
  readonly at: Date;
  /** Who asked for it. */
  readonly by?: string;
  /** The state before, as text (`serialize`). */
  readonly before: string;
}

/** By which names the executions of a burst that is stored half-way go on. */
export interface BurstOriginState {
  readonly cause: string;
  /** That the burst has begun so far. */
  readonly executions: number;
}
