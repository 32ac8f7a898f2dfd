import type { ActivityStatus, ExceptionState } from '../state/workflow-state.js';

/** Names of the events that the engine writes to the log; activities may write others. */
export const JournalEvent = {
  Started: 'Started',
  Resumed: 'Resumed',
  Suspended: 'Suspended',
  Completed: 'Completed',
  Canceled: 'Canceled',
  Faulted: 'Faulted',
  PreconditionFailed: 'Precondition Failed',
  WorkflowCancelled: 'Workflow cancelled',
} as const;

/** One line of the workflow execution log. `sequence` counts per instance and is its identity. */
export interface WorkflowExecutionLogEntry {
  /** Number of the entry within its instance. */
  sequence: number;
  /** Id of the execution that the entry is about. */
  activityInstanceId: string;
  /** Id of the execution of its container. */
  parentActivityInstanceId?: string;
  /** Id of the activity in its definition. */
  activityId: string;
  /** Type name of the activity. */
  activityType: string;
  /** Version of the activity type. */
  activityTypeVersion: number;
  /** Name of the activity; absent: it has none. */
  activityName?: string;
  /** Node id of the activity. */
  activityNodeId: string;
  /** When it happened. */
  timestamp: Date;
  /** What happened, such as `Started` or `Completed`. */
  eventName: string;
  /** What happened, in a sentence. */
  message?: string;
  /** Where in the code it was written, or else the activity, as its custom property `source` says: `OrderWorkflow.cs:45`. */
  source?: string;
  /** Values that belong to it. */
  payload?: Record<string, unknown>;
}

/** Members of a record that grow with what a workflow works on, and seldom change after the first one was written. */
export type RecordPart = 'activityState' | 'outputs';

/** One execution of one activity. The id is that of its activity execution context. */
export interface ActivityExecutionRecord {
  /** Id of the execution. */
  id: string;
  /** Id of the activity in its definition. */
  activityId: string;
  /** Node id of the activity. */
  activityNodeId: string;
  /** Type name of the activity. */
  activityType: string;
  /** Version of the activity type. */
  activityTypeVersion: number;
  /** Name of the activity; absent: it has none. */
  activityName?: string;
  /** Evaluated inputs by PascalCase name; absent when log persistence excludes all of them. */
  activityState?: Record<string, unknown>;
  /** Journal data: outcomes and what the activity added. */
  payload?: Record<string, unknown>;
  /** Values of its outputs. */
  outputs?: Record<string, unknown>;
  /** What the activity keeps about the execution. */
  properties: Record<string, unknown>;
  /** What extensions note about the execution. */
  metadata: Record<string, unknown>;
  /** Why it faulted. */
  exception?: ExceptionState;
  /** When it began. */
  startedAt: Date;
  /** When it ended; absent: it has not. */
  completedAt?: Date;
  /** If true, it waits. */
  hasBookmarks: boolean;
  /** Status of this execution. */
  status: ActivityStatus;
  /** Faults in it and below it. */
  aggregateFaultCount: number;
  /** Id of the execution that scheduled it. */
  schedulingActivityExecutionId?: string;
  /** Id of the activity that scheduled it. */
  schedulingActivityId?: string;
  /** Id of the instance whose activity scheduled it. */
  schedulingWorkflowInstanceId?: string;
  /** How many executions led to it, over the instances above as well. */
  callStackDepth: number;
  /**
   * Parts that are as in the record of this id that was committed before. They may be missing here, and a store does not
   * write them again. What a store answers is whole and has no such list.
   */
  unchanged?: readonly RecordPart[];
}

/**
 * The entries and records that one burst adds to the journal. A record with a known id replaces the earlier one, but for its
 * unchanged parts.
 */
export interface JournalChunk {
  /** Entries of the execution log, in order. */
  log: WorkflowExecutionLogEntry[];
  /** Records of executions, as they stand after the burst. */
  records: ActivityExecutionRecord[];
}
