import type { Constructor, TimeSpanInput } from '@waymark/core';
import type { WorkflowDefinitionHandle } from './definition-handle.js';

type Values = Readonly<Record<string, unknown>>;

/** Scheduled request that starts a new instance each time. */
export interface ScheduledStart {
  /** The version is looked up when it fires: for a definition id, the one that is published then. */
  readonly definition: WorkflowDefinitionHandle;
  /** Correlation id of the instance: its business key. */
  readonly correlationId?: string;
  /** Name of the instance. */
  readonly name?: string;
  /** Id of the trigger with which it begins. @default the workflow starts without a trigger */
  readonly triggerActivityId?: string;
  /** Input, by name. @default none */
  readonly input?: Values;
  /** Properties to store with the instance. @default none */
  readonly properties?: Values;
}

/** Scheduled request that resumes one bookmark. The schedule ends once the bookmark no longer exists. */
export interface ScheduledResume {
  /** Id of the bookmark. */
  readonly bookmarkId: string;
  /** Input, by name. @default none */
  readonly input?: Values;
  /** Properties to store with the instance. @default none */
  readonly properties?: Values;
}

/**
 * Scheduled request that resumes the instances that wait for that stimulus at an activity of that type. If none waits, the
 * stimulus is stored until one does.
 */
export interface ScheduledStimulus {
  /** Class of the activity, or a stimulus name. */
  readonly activity: Constructor | string;
  /** Payload of the stimulus. @default none */
  readonly stimulus?: unknown;
  /** Only in that instance. */
  readonly workflowInstanceId?: string;
  /** Correlation id of the instance: its business key. */
  readonly correlationId?: string;
  /** Input, by name. @default none */
  readonly input?: Values;
}

/**
 * The request that is executed each time a schedule fires. A start and a stimulus receive the input `ScheduledAt`, the time for
 * which the schedule was due.
 */
export type ScheduledRequest = ScheduledResume | ScheduledStart | ScheduledStimulus;

/** The transaction in which a schedule is written. */
export interface SchedulingContext {
  /**
   * An open transaction of the application on the same database (TypeORM's `EntityManager`): the change of the schedule takes
   * effect when it commits, and is undone when it is rolled back. @default a transaction of its own
   */
  readonly transaction?: object;
}

/** Options of schedules that fire more than once. */
export interface RepeatedScheduleOptions extends SchedulingContext {
  /** What happens to occurrences that passed while no node was running. @default as for triggers: `scheduling.misfire` */
  readonly misfire?: 'all' | 'once' | 'skip' | undefined;
  /**
   * Time after which it has no more occurrences and ends. Scheduled again with another one, it keeps its rhythm. An occurrence that was due before may fire later, if it was missed or
   * had to wait.
   * @default none
   */
  readonly until?: Date | undefined;
  /**
   * What happens to an occurrence while an instance that this schedule started is still running: another one is started
   * (`allow`), the occurrence is skipped (`skip`), it waits until that instance has ended (`queue`), or that instance is
   * cancelled first (`cancelPrevious`). Policies other than `allow` require a request that starts a workflow, and a workflow
   * without an activation strategy. @default 'allow'
   */
  readonly overlap?: 'allow' | 'cancelPrevious' | 'queue' | 'skip' | undefined;
  /**
   * Maximum delay, a time span of at most 24 hours: each firing is delayed by a part of it, which is always the same and
   * derived from the id. The last time of an expression, or of an interval with `startAt`, is delayed until `until` at most.
   * @default none
   */
  readonly jitter?: TimeSpanInput | undefined;
}

/** Options of `scheduleRecurring`. */
export interface RecurringScheduleOptions extends RepeatedScheduleOptions {
  /** Time of the first firing; the others follow at the interval. @default one interval from now */
  readonly startAt?: Date | undefined;
}

/** Options of `scheduleCron`. */
export interface CronScheduleOptions extends RepeatedScheduleOptions {
  /** IANA name of the zone in which the expression is read. @default 'UTC' */
  readonly timeZone?: string | undefined;
  /** Time before which it does not fire. @default now */
  readonly startAt?: Date | undefined;
}

/**
 * Creates schedules of the application. They are stored, so they survive restarts, and each occurrence is fired by one node.
 * `IWorkflowSchedules` lists, pauses and fires them.
 *
 * Each has an id that the application chooses, up to 255 characters. Scheduling under an existing id replaces the schedule:
 * with the same times it keeps its next time, its rhythm and a pause; with other times it starts anew, but stays paused. So an
 * application may create its schedules each time it starts.
 * @example
 * await scheduler.scheduleCron('nightly-report', '30 2 * * *', { definition: 'report' }, { timeZone: 'Europe/Berlin' });
 */
export abstract class IWorkflowScheduler {
  /**
   * Schedules a request once, at a time. The schedule is deleted when it has fired.
   * @returns false if the time has passed: nothing is scheduled under that id then, and a schedule with another time has ended. A schedule with
   *   the same time that has not fired yet stays, and the answer is true
   * @throws InvalidScheduleTimeError (`WM6031`) it is not a time
   * @throws InvalidScheduleArgumentError (`WM4033`) the id is empty, `.`, `..` or `waiting`
   * @throws InvalidScheduledRequestError (`WM6032`) the request contains no action, or more than one
   * @throws DefinitionNotFoundError (`WM1020`), WorkflowInputError (`WM1036`), BookmarkNotFoundError (`WM3004`),
   *   TextNotStorableError (`WM1103`)
   */
  abstract scheduleAt(id: string, at: Date, request: ScheduledRequest, options?: SchedulingContext): Promise<boolean>;
  /**
   * Schedules a request repeatedly at an interval, counted from the first time, so that it does not drift.
   * @param interval milliseconds, or time span text: `00:05:00`, `90s`, `3 days`, `PT90S`; at least one millisecond
   * @returns false if it has no time before its end (`until`); then as `scheduleAt`
   * @throws as `scheduleAt`
   */
  abstract scheduleRecurring(
    id: string,
    interval: TimeSpanInput,
    request: ScheduledRequest,
    options?: RecurringScheduleOptions,
  ): Promise<boolean>;
  /**
   * Schedules a request at the times of a cron expression with five or six fields.
   * @returns as `scheduleRecurring`
   * @throws CronExpressionError (`WM6001`); others as `scheduleAt`, and `WM6031` for an `overlap` that cannot work
   */
  abstract scheduleCron(
    id: string,
    expression: string,
    request: ScheduledRequest,
    options?: CronScheduleOptions,
  ): Promise<boolean>;
  /**
   * Ends a schedule. Instances that it has started or resumed are not affected.
   * @returns false if there was no schedule with that id
   */
  abstract unschedule(id: string, options?: SchedulingContext): Promise<boolean>;
}
