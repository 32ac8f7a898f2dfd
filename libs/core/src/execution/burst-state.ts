import type { ActivityIncident, Bookmark, MigrationState, WorkflowState } from '../state/workflow-state.js';
import { WorkflowStatus, WorkflowSubStatus } from '../state/workflow-state.js';
import { ActiveContexts } from './active-contexts.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { FIRST_BURST } from './burst-origin.js';
import type { Survivor } from './clean-up.js';
import type { EndOptions } from './end-options.js';
import type { FailedAttempt } from './failed-attempt.js';
import type { KeptStart } from './kept-start.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { WorkQueue } from './work-item.js';

/** The state of a burst in memory: that of its instance, and what the burst has done so far. */
export abstract class BurstState {
  /** Whether the instance runs or has finished. */
  status: WorkflowStatus = WorkflowStatus.Running;
  /** More exactly: pending, executing, suspended, finished, faulted or cancelled. */
  subStatus: WorkflowSubStatus = WorkflowSubStatus.Pending;
  /** Set without a check where the state is restored: an earlier build may have had other limits. @internal */
  ownCorrelationId: string | undefined;
  /** As `ownCorrelationId`. @internal */
  ownName: string | undefined;
  /** Id of the parent instance, when this one is started as a child. */
  parentWorkflowInstanceId: string | undefined;
  /** Id of the trigger that started it. */
  triggerActivityId: string | undefined;
  /** The start by a trigger that a later burst repeats. @internal */
  keptStart: KeptStart | undefined;
  /** If true, its trigger has fired in a state machine, and activities wait as in later bursts. @internal */
  isTriggerUsedUp = false;
  /** If true, this burst repeats the start by its trigger: what was passed to it as `transient` is gone. @internal */
  repeatsStart = false;
  /** When it was started, in milliseconds since 1970. */
  createdAt: number;
  /** When it was last changed, in milliseconds since 1970. */
  updatedAt: number;
  /** When it ended, in milliseconds since 1970. */
  finishedAt: number | undefined;
  /** See `WorkflowState.burstId`. @internal */
  burstId: string | undefined;
  /**
   * If true, its burst has not ended, or not started, so the node that continues it needs its whole input. @internal
   */
  keepsInput = false;
  /** Input of this burst over that of the instance. */
  input: Record<string, unknown> = {};
  /** The outputs that are set. */
  output: Record<string, unknown> = {};
  /** What the engine, extensions and the starter keep with it. */
  properties: Record<string, unknown> = {};
  /**
   * Objects that are passed to a start or resume as `transient`, such as the request at hand. They last as long as the burst: they
   * are not stored, and no other node has them.
   */
  readonly transient = new Map<unknown, unknown>();
  private unsettled: Map<unknown, () => void> | undefined;
  /** Work items that are to be run. @internal */
  readonly queue = new WorkQueue();
  /** What it waits for, by bookmark id. */
  bookmarks = new Map<string, Bookmark>();
  /** Its recorded faults, oldest first. */
  readonly incidents: ActivityIncident[] = [];
  /** Executions that are not completed, in order of creation. @internal */
  readonly contexts = new ActiveContexts();
  /** Execution of the root activity. @internal */
  rootContext: ActivityExecutionContext | undefined;
  /** Messages that are stored with the burst. @internal */
  readonly outgoing: OutgoingMessage[] = [];
  /** Bookmarks that this burst used up. @internal */
  readonly consumedBookmarkIds: string[] = [];
  /** Activities that this burst has run. @internal */
  activityExecutionCount = 0;
  /** If true, what is to end may have to stay for a while: there are scopes, or executions at rest. @internal */
  asksAtEnd = false;
  private areScopesThere = false;
  /** Cancelled executions that remain while others are being cancelled with them. @internal */
  survivors: Survivor[] | undefined;
  /**
   * If true, its state is being taken part by part, and what comes from outside is done to the stored instance only.
   * @internal
   */
  isBeingTaken = false;
  /**
   * A cancellation that arrived while the state was taken. A burst that continues applies it when the state is stored.
   * @internal
   */
  missedCancel: EndOptions | undefined;
  /** If true, what is cancelled ends at once, whatever it owes. @internal */
  isAbandoned = false;
  /** If true, it leaves a burst that is stored half-way to its node, and runs beside it. @internal */
  isBeside = false;
  /**
   * What is left to others: of a burst that another node has stored half-way, or of a cancellation. Stored until it is done.
   * @internal
   */
  interrupted: Partial<Pick<WorkflowState, 'burstId' | 'burstOrigin' | 'input'>> | undefined;
  /** If true, it has scopes that may owe something when they are left. @internal */
  get hasScopes(): boolean {
    return this.areScopesThere;
  }
  /** @internal */
  set hasScopes(value: boolean) {
    this.areScopesThere = value;
    if (value) this.asksAtEnd = true;
  }

  /** Set if the only change to store is that the instance has moved to another version. @internal */
  migration: MigrationState | undefined;
  /** Origin of this burst, for the identities of its executions. @internal */
  origin = FIRST_BURST;
  /** Latest result of any activity. */
  lastResult: unknown;
  /** The execution that was resumed last, and how many had begun before. @internal */
  resumed: { readonly ctx: ActivityExecutionContext; readonly since: number } | undefined;
  /** Failed attempts, which the host logs when the wait for the next attempt is stored. @internal */
  failedAttempts: FailedAttempt[] = [];

  /**
   * Leaves work on `properties` for the moment before the state is taken, so that what changes with each step is put together once for each
   * time that it is stored. The work must not throw. @param key a later work of the same one takes the place of the earlier
   */
  beforeStored(key: unknown, work: () => void): void {
    (this.unsettled ??= new Map()).set(key, work);
  }

  /** Does what was left for the moment before the state is taken. @internal */
  settleProperties(): void {
    const { unsettled } = this;
    this.unsettled = undefined;
    if (unsettled) for (const work of unsettled.values()) work();
  }
}
