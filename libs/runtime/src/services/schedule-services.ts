import type { WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { PagedResult } from '../persistence/paging.js';
import type { FiringResult } from '../persistence/records.js';
import type { ScheduleOrigin } from '../persistence/schedule-store.js';

/** What a trigger with a due time is. */
export const ScheduleKind = {
  Timer: 'Timer',
  Cron: 'Cron',
  StartAt: 'StartAt',
  /** A trigger of the application's own that names a due time. */
  Other: 'Other',
} as const;
export type ScheduleKind = (typeof ScheduleKind)[keyof typeof ScheduleKind];

/** A trigger that starts a published workflow at times, or what the application has scheduled: `IWorkflowScheduler`. */
export interface WorkflowSchedule {
  /** Of a trigger: it stays when the workflow is published again with the same trigger. Else what the application gave. */
  readonly id: string;
  /** What kind of trigger it is. */
  readonly kind: ScheduleKind;
  /** Stimulus name, e.g. `Elsa.Timer`. */
  readonly stimulus: string;
  /** Whether a trigger or the application has scheduled it. */
  readonly origin: ScheduleOrigin;
  /** The workflow that it starts; absent where it resumes. */
  readonly workflowDefinitionId?: string;
  /** Of a trigger. */
  readonly workflowDefinitionVersionId?: string;
  /** Of a trigger: which activity it is. */
  readonly activityId?: string;
  /** The one instance that a schedule of the application resumes. */
  readonly workflowInstanceId?: string;
  /** Interval of a timer, cron expression, or time of a StartAt as ISO text. */
  readonly expression?: string;
  /** Of a cron expression: IANA name. */
  readonly timeZone?: string;
  /** What happens to missed occurrences of a timer or cron: `skip`, `once` or `all`. */
  readonly misfire?: string;
  /** What happens while an instance that it has started still runs: `allow`, `skip`, `queue` or `cancelPrevious`. */
  readonly overlap?: string;
  /** Time span text: it fires later than its expression says by a part of that. */
  readonly jitter?: string;
  /** That part, in milliseconds: always the same. */
  readonly jitterMs?: number;
  /** Time from which on it fires, as text. */
  readonly validFrom?: string;
  /** Time after which it fires no more, as text. */
  readonly validUntil?: string;
  /** Since when it is paused. */
  readonly pausedAt?: Date;
  /** The next occurrences, earliest first; none while it is paused, or once it will not fire any more. */
  readonly nextTimes: readonly Date[];
  /** Milliseconds since the first of the next times was due, once it is over. */
  readonly overdueMs?: number;
  /** The latest firing; absent: it has not fired yet. */
  readonly lastFiring?: ScheduleFiring;
  /** Set while the node that answers fails to fire it. */
  readonly failure?: ScheduleFailure;
}

/** The latest occurrence that a node of this version has claimed; a firing by hand does not count. */
export interface ScheduleFiring {
  /** The time that it fired for. */
  readonly scheduledAt: Date;
  /** When it fired. */
  readonly firedAt: Date;
  /** Milliseconds from the one to the other. */
  readonly latenessMs: number;
  /** What came of it. */
  readonly result: FiringResult;
}

/** Why a schedule was not fired yet. */
export interface ScheduleFailure {
  /** Failed attempts. */
  readonly attempts: number;
  /** What the last one failed with. */
  readonly lastError: string;
  /** When the next one is made. */
  readonly retryAt: Date;
}

/** An instance that is resumed at a time. */
export interface WaitingTimer {
  /** Id of the bookmark. */
  readonly id: string;
  /** Stimulus name, e.g. `Elsa.Delay`. */
  readonly stimulus: string;
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string;
  /** Id of the execution of the activity. */
  readonly activityInstanceId: string;
  /** Correlation id of the instance: its business key. */
  readonly correlationId?: string;
  /** When the wait is over. */
  readonly dueAt: Date;
  /** Set while the node that answers fails to resume it. */
  readonly failure?: ScheduleFailure;
}

/** Which schedules are listed. */
export interface ScheduleQuery {
  /** Only those. @default all */
  readonly ids?: readonly string[] | undefined;
  /** Only those of these definitions. @default all */
  readonly workflowDefinitionIds?: readonly string[] | undefined;
  /** Only those of these kinds. @default all */
  readonly kinds?: readonly Exclude<ScheduleKind, 'Other'>[] | undefined;
  /** True: paused ones only; false: the others only. @default both */
  readonly paused?: boolean | undefined;
  /** `Trigger` or `Application`. @default both */
  readonly origin?: ScheduleOrigin | undefined;
  /** Schedules to leave out at the start. @default 0 */
  readonly skip?: number | undefined;
  /** Schedules at most, 1 to 500. @default 50 */
  readonly take?: number | undefined;
  /** Next occurrences of each, 0 to 50. @default 5 */
  readonly times?: number | undefined;
}

/** Which waits are listed. */
export interface WaitingTimerQuery {
  /** Id of the workflow instance. */
  readonly workflowInstanceId?: string | undefined;
  /** Stimulus names, e.g. `Elsa.Delay`. */
  readonly stimuli?: readonly string[] | undefined;
  /** Due at that time or before. @default whenever */
  readonly dueBefore?: Date | undefined;
  /** Rows at most, 1 to 1000. @default 100 */
  readonly limit?: number | undefined;
  /** `next` of the page before. @default from the earliest one */
  readonly after?: string | undefined;
}

/** A page of waits. */
export interface WaitingTimers {
  /** Earliest first. There is no count: millions may wait. */
  readonly items: readonly WaitingTimer[];
  /** Where the next page begins; undefined: there is none. */
  readonly next?: string;
}

/** The instance that a firing by hand has started or resumed. */
export interface FiredSchedule {
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string;
  /** Whether the instance runs or has finished. */
  readonly status: WorkflowStatus;
  /** What the instance has come to. */
  readonly subStatus: WorkflowSubStatus;
}

/**
 * What is scheduled, read from the stored rows: each node gives the same answer, but for `failure`.
 * @example
 * const { items } = await schedules.list({ kinds: ['Cron'], times: 3 });
 * await schedules.pause(items[0].id);
 */
export abstract class IWorkflowSchedules {
  /**
   * Triggers with a due time of published workflows, and what the application has scheduled; by next time, those without one
   *   last.
   * @throws InvalidScheduleArgumentError (`WM4033`) for a member out of its range
   */
  abstract list(query?: ScheduleQuery): Promise<PagedResult<WorkflowSchedule>>;
  /**
   * One schedule with its next times.
   * @throws ScheduleNotFoundError (`WM4030`) @throws InvalidScheduleArgumentError (`WM4033`)
   */
  abstract find(id: string, times?: number): Promise<WorkflowSchedule>;
  /** Instances that wait for a time. @throws InvalidScheduleArgumentError (`WM4033`) */
  abstract waiting(query?: WaitingTimerQuery): Promise<WaitingTimers>;
  /**
   * Starts the workflow as the trigger does, with now as `ScheduledAt`. Its times stay as they are; it may be paused, or over.
   * @param requestKey idempotent: the same key starts one instance
   * @throws ScheduleNotFoundError (`WM4030`) @throws ScheduleRefusedError (`WM4032`) @throws NothingToResumeError (`WM6033`)
   *   and what the start throws
   */
  abstract fire(id: string, requestKey?: string): Promise<FiredSchedule>;
  /**
   * From now on no node fires it, whatever its version, until it is resumed. Publishing the workflow again keeps it paused;
   * retracting it ends the pause. One that is paused stays so.
   * @throws ScheduleNotFoundError (`WM4030`) @throws ScheduleOverError (`WM4031`)
   */
  abstract pause(id: string): Promise<WorkflowSchedule>;
  /**
   * Ends a pause. What came due meanwhile is left out: a timer goes on in its rhythm, a StartAt whose time is over fires only
   * under `startAtInPast: 'catchup'`. One that is not paused stays as it is.
   * @throws ScheduleNotFoundError (`WM4030`)
   */
  abstract resume(id: string): Promise<WorkflowSchedule>;
}
