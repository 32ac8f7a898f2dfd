import type { WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { PagedResult } from '../persistence/paging.js';
import type { FiringResult } from '../persistence/records.js';
import type { ScheduleOrigin } from '../persistence/schedule-store.js';

/** Kind of a trigger with a due time. */
export const ScheduleKind = {
  Timer: 'Timer',
  Cron: 'Cron',
  StartAt: 'StartAt',
  /** A trigger of the application's own that names a due time. */
  Other: 'Other',
} as const;
export type ScheduleKind = (typeof ScheduleKind)[keyof typeof ScheduleKind];

/** A time-based trigger of a published workflow, or a schedule of the application (see `IWorkflowScheduler`). */
export interface WorkflowSchedule {
  /**
   * Id of the trigger, which stays the same when the workflow is published again with the same trigger, or the id that the
   * application has chosen.
   */
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
  /** Maximum delay as time span text: each firing is delayed by a part of it. */
  readonly jitter?: string;
  /** The actual delay in milliseconds, which is always the same. */
  readonly jitterMs?: number;
  /** Time before which it does not fire, as text. */
  readonly validFrom?: string;
  /** Time after which it does not fire, as text. */
  readonly validUntil?: string;
  /** Time since which it has been paused. */
  readonly pausedAt?: Date;
  /** The next occurrences, earliest first; none while it is paused, or once it will not fire any more. */
  readonly nextTimes: readonly Date[];
  /** Milliseconds since the first of the next times was due, if that is in the past. */
  readonly overdueMs?: number;
  /** The latest firing; absent: it has not fired yet. */
  readonly lastFiring?: ScheduleFiring;
  /** Set while firing it fails on the node that answers. */
  readonly failure?: ScheduleFailure;
  /** Set where a part of its row cannot be read: that part is left out, and it is not fired. */
  readonly unreadable?: UnreadableRow;
}

/** A stored row that was damaged, or that a newer version of Waymark has written. */
export interface UnreadableRow {
  /** `WM1054`, or `WM2053` for a newer version. */
  readonly code: string;
  /** Which column of which row, and what to do. Without any of the value, which may be secret. */
  readonly message: string;
}

/** The latest occurrence that a node of this version has claimed. Manual firings do not count. */
export interface ScheduleFiring {
  /** Time for which it was due. */
  readonly scheduledAt: Date;
  /** When it fired. */
  readonly firedAt: Date;
  /** Milliseconds between `scheduledAt` and `firedAt`. */
  readonly latenessMs: number;
  /** Result of the firing. */
  readonly result: FiringResult;
}

/** Why a due schedule has not been fired yet. */
export interface ScheduleFailure {
  /** Failed attempts. */
  readonly attempts: number;
  /** Error of the last attempt. */
  readonly lastError: string;
  /** Time of the next attempt. */
  readonly retryAt: Date;
}

/** An instance that waits for a due time. */
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
  /** Time at which the wait ends. */
  readonly dueAt: Date;
  /** Set while resuming it fails on the node that answers. */
  readonly failure?: ScheduleFailure;
  /** Set where a part of its row cannot be read: that part is left out. */
  readonly unreadable?: UnreadableRow;
}

/** Selects the schedules to list. */
export interface ScheduleQuery {
  /** Only those. @default all */
  readonly ids?: readonly string[] | undefined;
  /** Only those of these definitions. @default all */
  readonly workflowDefinitionIds?: readonly string[] | undefined;
  /** Only those of these kinds. @default all */
  readonly kinds?: readonly Exclude<ScheduleKind, 'Other'>[] | undefined;
  /** If true, paused ones only; false: the others only. @default both */
  readonly paused?: boolean | undefined;
  /** `Trigger` or `Application`. @default both */
  readonly origin?: ScheduleOrigin | undefined;
  /** Number of schedules to skip. @default 0 */
  readonly skip?: number | undefined;
  /** Maximum number of schedules, 1 to 500. @default 50 */
  readonly take?: number | undefined;
  /** Number of next occurrences of each schedule, 0 to 50. @default 5 */
  readonly times?: number | undefined;
}

/** Selects the waiting instances to list. */
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

/** A page of waiting instances. */
export interface WaitingTimers {
  /** The waiting instances, beginning with the earliest. They are not counted, since there may be millions. */
  readonly items: readonly WaitingTimer[];
  /** Where the next page begins; undefined if there is none. */
  readonly next?: string;
}

/** The instance that a manual firing has started or resumed. */
export interface FiredSchedule {
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string;
  /** Whether the instance runs or has finished. */
  readonly status: WorkflowStatus;
  /** Sub-status of the instance. */
  readonly subStatus: WorkflowSubStatus;
}

/**
 * Lists, pauses, resumes and fires schedules. They are read from the store, so each node gives the same answer, except for
 * `failure`.
 * @example
 * const { items } = await schedules.list({ kinds: ['Cron'], times: 3 });
 * await schedules.pause(items[0].id);
 */
export abstract class IWorkflowSchedules {
  /**
   * Lists the time-based triggers of published workflows and the schedules of the application, ordered by their next time;
   * those without one come last.
   * @throws InvalidScheduleArgumentError (`WM4033`) for a member out of its range
   */
  abstract list(query?: ScheduleQuery): Promise<PagedResult<WorkflowSchedule>>;
  /**
   * Finds one schedule with its next times.
   * @throws ScheduleNotFoundError (`WM4030`) @throws InvalidScheduleArgumentError (`WM4033`)
   */
  abstract find(id: string, times?: number): Promise<WorkflowSchedule>;
  /** Lists instances that wait for a due time. @throws InvalidScheduleArgumentError (`WM4033`) */
  abstract waiting(query?: WaitingTimerQuery): Promise<WaitingTimers>;
  /**
   * Fires a schedule now: starts the workflow as the trigger does, with the current time as `ScheduledAt`. Its times do not
   * change; it may be paused or have ended.
   * @param requestKey idempotency key: the same key starts only one instance
   * @throws ScheduleNotFoundError (`WM4030`) @throws ScheduleRefusedError (`WM4032`) @throws NothingToResumeError (`WM6033`)
   * @throws StoredValueError (`WM1054`) when its row cannot be read
   *   and what the start throws
   */
  abstract fire(id: string, requestKey?: string): Promise<FiredSchedule>;
  /**
   * Pauses a schedule: no node, of any version, fires it until it is resumed. Publishing the workflow again keeps it paused;
   * retracting the workflow ends the pause. Pausing it again has no effect.
   * @throws ScheduleNotFoundError (`WM4030`) @throws ScheduleOverError (`WM4031`)
   */
  abstract pause(id: string): Promise<WorkflowSchedule>;
  /**
   * Ends a pause. Occurrences that were due during the pause are skipped: a timer continues in its rhythm; a StartAt whose time
   * has passed fires only with `startAtInPast: 'catchup'`. Has no effect if it is not paused.
   * @throws ScheduleNotFoundError (`WM4030`) @throws StoredValueError (`WM1054`) when its row cannot be read
   */
  abstract resume(id: string): Promise<WorkflowSchedule>;
}
