import type { WorkflowState } from '@waymark/core';
import type { DispatchDefinitionRequest } from '../services/dispatch-services.js';
import type { StimulusMetadata } from '../services/stimulus-services.js';

/**
 * Type of the activity that runs its child at once, with a commit of its own; all others start theirs with the commit of the
 * parent.
 */
export const EXECUTE_WORKFLOW = 'Elsa.ExecuteWorkflow';

/** Transient token: the child runs inside its parent's burst; the value says how many do so around each other. */
export const INLINE_BURST = Symbol.for('@waymark/runtime:inline-burst');

/** Kept in a child's properties: where its parent waits for it. */
export interface ParentBookmark {
  readonly name: string;
  readonly hash: string;
  /** Which of several children it is, for a parent that counts them. */
  readonly index?: number;
}

/** Payload of kind `start`. */
export type StartMessage = DispatchDefinitionRequest & {
  readonly workflowInstanceId: string;
  readonly requestKey?: string;
  /** An occurrence of a trigger: useless once its workflow is deleted, and its trigger with it. */
  readonly isOccurrence?: true;
  /** The schedule of the application that has sent it, for the log. */
  readonly scheduleId?: string;
  /** What started it, when that was an activity: the call stack continues in the other instance. */
  readonly schedulingActivityExecutionId?: string;
  readonly schedulingWorkflowInstanceId?: string;
  readonly callStackDepth?: number;
};

/** Payload of kind `resume`: tell a parent that waits at that bookmark how its child ended. */
export interface ResumeMessage extends ParentBookmark {
  readonly workflowInstanceId: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Payload of kind `join-child`: the parent waits at that bookmark now; should its child have ended before, tell it. */
export interface JoinChildMessage extends ParentBookmark {
  readonly workflowInstanceId: string;
  readonly childInstanceId: string;
}

/** Payload of kind `follow-parent`: the child was begun within a burst of its parent, which may have been cancelled meanwhile. */
export interface FollowParentMessage {
  readonly workflowInstanceId: string;
  readonly parentInstanceId: string;
  /** If true, the parent is stored and waits; when it is not there, it was cancelled and deleted. */
  readonly isAwaited: boolean;
}

/** Payload of kind `resume-bookmark`: resume it, if it is still there. */
export interface ResumeBookmarkMessage {
  readonly bookmarkId: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Payload of kind `resume-with-shared-input`: the same, with what the message of that id holds for a whole fan-out. */
export interface ResumeWithSharedInputMessage {
  readonly bookmarkId: string;
  readonly of: string;
}

/** Payload of kind `resume-waiting`: resume all that wait, or keep it for the first that will. */
export interface ResumeWaitingMessage {
  readonly name: string;
  readonly hash: string;
  readonly workflowInstanceId?: string;
  readonly correlationId?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** Payload of kind `stimulus`. */
export interface StimulusMessage {
  readonly name: string;
  readonly stimulus: unknown;
  readonly metadata: Omit<StimulusMetadata, 'transient'>;
}

/** Payload of kind `run-task`: tell the host. */
export interface RunTaskMessage {
  readonly taskId: string;
  readonly taskName: string;
  readonly payload: unknown;
  readonly workflowInstanceId: string;
  readonly activityInstanceId: string;
  readonly correlationId?: string;
}

/** Payload of kind `run`: the first burst of an instance that was stored before it ran. */
export interface RunMessage {
  readonly workflowInstanceId: string;
  readonly triggerActivityId?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** Tells a parent how its child ended, as input of its resume. */
export function reportToParent(
  workflowInstanceId: string,
  { name, hash, index }: ParentBookmark,
  child: Pick<WorkflowState, 'id' | 'status' | 'subStatus' | 'output'>,
): ResumeMessage {
  const input: Record<string, unknown> = {
    WorkflowInstanceId: child.id,
    WorkflowStatus: child.status,
    WorkflowSubStatus: child.subStatus,
    WorkflowOutput: child.output,
  };
  if (index !== undefined) input.ChildIndex = index;
  return { workflowInstanceId, name, hash, input };
}

/** A child that could not be started, or is gone, has no state to tell of. */
export function endedWithout(id: string, subStatus: 'Faulted' | 'Cancelled') {
  return { id, status: 'Finished', subStatus, output: {} } as const;
}
