import type { WorkflowGraph } from '../graph/workflow-graph.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import type { WorkflowState } from '../state/workflow-state.js';

/** Names one activity of an instance; the first member given counts. */
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

/** What to do in one burst. */
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
  /** Names what the burst follows from, the same when it is repeated and never of another one. Not needed with a bookmark. */
  readonly cause?: string;
  /** How often this very burst was begun; more than 1 after a crash or a redelivery (W9). */
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
  /** True: values of the state that cannot be decrypted stay as they are. For what ends the instance, or only looks at it. */
  readonly keepsUnreadable?: boolean | undefined;
}

/** Chances to commit a burst half-way, given by the host. Each is taken by returning a promise. */
export interface BurstCommits {
  /** A new instance, or one whose burst was cut off, is about to run. Not called for a resume, which can be repeated. */
  begin(wec: WorkflowExecutionContext): Promise<void> | undefined;
  /** An activity is about to execute. Not called for a resume of it. */
  executing(ctx: ActivityExecutionContext): Promise<void> | undefined;
  /** It has, and more is to be done in this burst. */
  executed(ctx: ActivityExecutionContext): Promise<void> | undefined;
}
