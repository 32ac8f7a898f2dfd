import { WaymarkError } from '@waymark/core';

/** Thrown for a cron expression or time zone that is invalid, or an expression that never matches. */
export class CronExpressionError extends WaymarkError {
  readonly code = 'WM6001';
  constructor(
    /** The expression. */
    readonly expression: string,
    reason: string,
    options?: { cause?: unknown },
  ) {
    super(`Error when parsing cron expression: '${expression}': ${reason}`, options);
  }
}

/** Thrown when a time-based activity has no valid time span or time to wait for. */
export class WaitingTimeMissingError extends WaymarkError {
  readonly code = 'WM6002';
  constructor(
    /** Type name of the activity, such as `Elsa.WriteLine`. */
    readonly activityType: string,
    /** Id of the activity in its definition. */
    readonly activityId: string,
    /** Name of the input. */
    readonly inputName: string,
    /** What it was. */
    readonly value: unknown,
  ) {
    super(
      `Input '${inputName}' of activity '${activityId}' (${activityType}) is ${value == null ? 'empty' : `'${String(value)}'`}, ` +
        'so the activity has no time to wait for. Give it a value, or correct its expression.',
    );
  }
}

/** Thrown for an invalid time, interval or policy of a schedule of the application. */
export class InvalidScheduleTimeError extends WaymarkError {
  readonly code = 'WM6031';
  constructor(
    /** Id of the schedule. */
    readonly scheduleId: string,
    /** Which argument or option, e.g. `interval`. */
    readonly member: string,
    reason: string | { readonly why: string },
    /** What was given. */
    readonly value: unknown,
  ) {
    super(
      typeof reason === 'string'
        ? `'${member}' of schedule "${scheduleId}" must ${reason}, not ${shown(value)}.`
        : `Schedule "${scheduleId}" ${reason.why}`,
    );
  }
}

function shown(value: unknown): string {
  if (Object.prototype.toString.call(value) === '[object Date]') return 'an invalid date';
  return typeof value === 'string' ? `'${value}'` : String(value);
}
