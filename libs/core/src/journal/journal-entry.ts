import type { ActivityStatus, ExceptionState } from '../state/workflow-state.js';

/** Names of the events the engine itself writes; activities may write others. */
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
  sequence: number;
  activityInstanceId: string;
  parentActivityInstanceId?: string;
  activityId: string;
  activityType: string;
  activityTypeVersion: number;
  activityName?: string;
  activityNodeId: string;
  timestamp: Date;
  eventName: string;
  message?: string;
  source?: string;
  payload?: Record<string, unknown>;
}

/** Members of a record that grow with what a workflow works on, and seldom change after the first one was written. */
export type RecordPart = 'activityState' | 'outputs';

/** One execution of one activity. The id is that of its activity execution context. */
export interface ActivityExecutionRecord {
  id: string;
  activityId: string;
  activityNodeId: string;
  activityType: string;
  activityTypeVersion: number;
  activityName?: string;
  /** Evaluated inputs by PascalCase name; absent when log persistence excludes all of them. */
  activityState?: Record<string, unknown>;
  /** Journal data: outcomes and what the activity added. */
  payload?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  properties: Record<string, unknown>;
  metadata: Record<string, unknown>;
  exception?: ExceptionState;
  startedAt: Date;
  completedAt?: Date;
  hasBookmarks: boolean;
  status: ActivityStatus;
  aggregateFaultCount: number;
  schedulingActivityExecutionId?: string;
  schedulingActivityId?: string;
  schedulingWorkflowInstanceId?: string;
  callStackDepth: number;
  /**
   * Parts that are as in the record of this id that was committed before. They may be missing here, and a store does not
   * write them again. What a store answers is whole and has no such list.
   */
  unchanged?: readonly RecordPart[];
}

/** What one burst adds to the journal. A record with a known id replaces the earlier one, but for its unchanged parts. */
export interface JournalChunk {
  log: WorkflowExecutionLogEntry[];
  records: ActivityExecutionRecord[];
}
