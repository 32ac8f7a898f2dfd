import type { Constructor, TimeSpanInput } from '@waymark/core';
import type { WorkflowDefinitionHandle } from './definition-handle.js';

type Values = Readonly<Record<string, unknown>>;

/** Starts a new instance each time. */
export interface ScheduledStart {
  /** The version is looked up when it fires: for a definition id, the one that is published then. */
  readonly definition: WorkflowDefinitionHandle;
  /** Correlation id of the instance: its business key. */
  readonly correlationId?: string;
  /** Name of the instance. */
  readonly name?: string;
  /** The activity with which it begins, if that is a trigger. @default none of its triggers is taken for fired */
  readonly triggerActivityId?: string;
  /** Input, by name. @default none */
  readonly input?: Values;
  /** Properties to store with the instance. @default none */
  readonly properties?: Values;
}

/** Resumes one bookmark. Once nothing waits at it any more, the schedule ends. */
export interface ScheduledResume {
  /** Id of the bookmark. */
  readonly bookmarkId: string;
  /** Input, by name. @default none */
  readonly input?: Values;
  /** Properties to store with the instance. @default none */
  readonly properties?: Values;
}

/**
 * Resumes whatever waits at an activity of that type with that stimulus when it fires; when nothing does, the stimulus is kept
 * until something will.
 */
export interface ScheduledStimulus {
  /** Its class, or a stimulus name. */
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

/** What is done each time that a schedule fires. A start and a stimulus get the input `ScheduledAt`, the time that it fires for. */
export type ScheduledRequest = ScheduledResume | ScheduledStart | ScheduledStimulus;

/** The transaction in which something is scheduled. */
export interface SchedulingContext {
  /**
   * An open transaction of the application on the same database (TypeORM's `EntityManager`): the schedule is there, or gone, once
   * that commits, and stays as it was when it is rolled back. @default a transaction of its own
   */
  readonly transaction?: object;
}

/** Options of schedules that fire more than once. */
export interface RepeatedScheduleOptions extends SchedulingContext {
  /** What happens to occurrences that passed while no node was running. @default as for triggers: `scheduling.misfire` */
  readonly misfire?: 'all' | 'once' | 'skip';
  /**
   * It has no time later than that, and is over then. What was due by then may fire after it: when it was missed, or had to wait.
   * @default none
   */
  readonly until?: Date;
  /**
   * What happens to an occurrence while an instance still runs that this schedule has started: another one is started (`allow`),
   * it is left out (`skip`), it waits until that instance has ended (`queue`), or that instance is cancelled first. Others than
   * `allow` are for requests that start a workflow, and for workflows without an activation strategy. @default 'allow'
   */
  readonly overlap?: 'allow' | 'cancelPrevious' | 'queue' | 'skip';
  /**
   * Time span of at most 24 hours: it fires later than its times by a part of that, always the same one, which follows from its id.
   * @default none
   */
  readonly jitter?: TimeSpanInput;
}

/** Options of `scheduleRecurring`. */
export interface RecurringScheduleOptions extends RepeatedScheduleOptions {
  /** When it fires for the first time; the others follow in its rhythm. @default one interval from now */
  readonly startAt?: Date;
}

/** Options of `scheduleCron`. */
export interface CronScheduleOptions extends RepeatedScheduleOptions {
  /** IANA name of the zone in which the expression is read. @default 'UTC' */
  readonly timeZone?: string;
  /** It does not match before that. @default now */
  readonly startAt?: Date;
}

/**
 * Schedules of the application: rows of the store, which survive restarts and of which one node fires each occurrence.
 * `IWorkflowSchedules` lists, pauses and fires them.
 *
 * Each has an id that the application chooses, up to 255 characters. Scheduling under an id that is taken replaces what was
 * there: with the same times it keeps its next one, its rhythm and a pause; with other times it counts anew, and stays paused if
 * it was. So an application may schedule what it needs each time that it starts.
 * @example
 * await scheduler.scheduleCron('nightly-report', '30 2 * * *', { definition: 'report' }, { timeZone: 'Europe/Berlin' });
 */
export abstract class IWorkflowScheduler {
  /**
   * Once, at a time. The schedule is gone once it has fired.
   * @throws ScheduleTimeOverError (`WM6030`) the time is over
   * @throws InvalidScheduleTimeError (`WM6031`) it is not a time
   * @throws InvalidScheduleArgumentError (`WM4033`) the id is empty, `.`, `..` or `waiting`
   * @throws InvalidScheduledRequestError (`WM6032`) the request asks for nothing, or for two things
   * @throws DefinitionNotFoundError (`WM1020`), WorkflowInputError (`WM1036`), BookmarkNotFoundError (`WM3004`),
   *   TextNotStorableError (`WM1103`)
   */
  abstract scheduleAt(id: string, at: Date, request: ScheduledRequest, options?: SchedulingContext): Promise<void>;
  /**
   * Again and again, at an interval, counted from the first time: it does not drift.
   * @param interval milliseconds, or time span text: `00:05:00`, `90s`, `3 days`, `PT90S`; at least one millisecond
   * @throws as `scheduleAt`
   */
  abstract scheduleRecurring(
    id: string,
    interval: TimeSpanInput,
    request: ScheduledRequest,
    options?: RecurringScheduleOptions,
  ): Promise<void>;
  /**
   * At the times of a cron expression of five or six fields.
   * @throws CronExpressionError (`WM6001`); others as `scheduleAt`, and `WM6031` for an `overlap` that cannot work
   */
  abstract scheduleCron(
    id: string,
    expression: string,
    request: ScheduledRequest,
    options?: CronScheduleOptions,
  ): Promise<void>;
  /**
   * Ends a schedule. Instances that it has started or resumed are not affected.
   * @returns false: there was none of that id
   */
  abstract unschedule(id: string, options?: SchedulingContext): Promise<boolean>;
}
