import type { WorkflowGraph } from '../graph/workflow-graph.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import type { WorkflowState } from '../state/workflow-state.js';

/** Identifies one activity of an instance; the first member that is given is used. */
export interface ActivityHandle {
  /** Id of an execution. */
  readonly activityInstanceId?: string;
  /** Id of the node: its id behind those of its ancestors. */
  readonly activityNodeId?: string;
  /** Id of the activity in its definition. */
  readonly activityId?: string;
  /** SHA-256 of the node id. */
  readonly activityHash?: string;
}

/** Describes one burst: the instance, and what to run. */
export interface BurstRequest {
  /** The compiled version. */
  readonly graph: WorkflowGraph;
  /** Id of the instance. */
  readonly instanceId: string;
  /** The instance as stored; absent for a new one. */
  readonly state?: WorkflowState;
  /** Its business key, for a new one. */
  readonly correlationId?: string;
  /** Its name for people, for a new one. */
  readonly name?: string;
  /** The instance that has started it as a child. */
  readonly parentWorkflowInstanceId?: string;
  /** What the burst is given. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Added to those of the instance. */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Dynamic variables of the root, by name: they hide declared ones of the same name. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Resume this bookmark. */
  readonly bookmarkId?: string;
  /** Run this activity, again or in addition. */
  readonly activityHandle?: ActivityHandle;
  /** The trigger that starts the workflow; a flowchart starts there. */
  readonly triggerActivityId?: string;
  /** The execution of the parent that has started it. */
  readonly schedulingActivityExecutionId?: string;
  /** The instance of that execution. */
  readonly schedulingWorkflowInstanceId?: string;
  /** How many instances are above it. */
  readonly callStackDepth?: number;
  /**
   * Identifies the cause of the burst: the same when the burst is repeated, and different for every other burst. Not needed
   * with a bookmark.
   */
  readonly cause?: string;
  /** If true, it changes the instance from outside, and does only what the change schedules. */
  readonly isChange?: boolean;
  /** How often this burst was started; more than 1 after a crash or a redelivery (W9). */
  readonly attempt?: number;
  /** Aborts the activities' signal; it does not cancel the workflow. */
  readonly signal?: AbortSignal;
  /** Objects for this burst only, by token. */
  readonly transient?: Iterable<readonly [unknown, unknown]>;
  /** Called before the first activity, with everything in place. */
  readonly onBegin?: (ctx: WorkflowExecutionContext) => void;
  /** Called between two activities when the journal has grown by many entries (see `checkpointEvery`) or by large values. */
  readonly onCheckpoint?: (ctx: WorkflowExecutionContext) => Promise<void>;
  /** Log entries between two calls of `onCheckpoint`. @default 10000 */
  readonly checkpointEvery?: number;
  /** Commits the burst half-way, by its commit strategy. @default only at its end */
  readonly commits?: BurstCommits;
  /** If true, values of the state that cannot be decrypted stay as they are. For what ends the instance, or only looks at it. */
  readonly keepsUnreadable?: boolean | undefined;
}

/**
 * Called by the engine at each point at which the host may commit a burst half-way; the host does so by returning a promise.
 */
export interface BurstCommits {
  /**
   * Called before a new instance runs, or one whose burst was interrupted. Not called for a resume, because it can be repeated.
   */
  begin(wec: WorkflowExecutionContext): Promise<void> | undefined;
  /** Called before an activity executes. Not called before it is resumed. */
  executing(ctx: ActivityExecutionContext): Promise<void> | undefined;
  /** Called after an activity was executed, if more work remains in this burst. */
  executed(ctx: ActivityExecutionContext): Promise<void> | undefined;
}
