import { WaymarkError } from '@waymark/core';

/** A cron expression (or its time zone) that cannot be understood, or that no moment ever matches. */
export class CronExpressionError extends WaymarkError {
  readonly code = 'WM6001';
  constructor(
    readonly expression: string,
    reason: string,
    options?: { cause?: unknown },
  ) {
    super(`Error when parsing cron expression: '${expression}': ${reason}`, options);
  }
}

/** A time-based activity was not told for how long, or until when, to wait. */
export class WaitingTimeMissingError extends WaymarkError {
  readonly code = 'WM6002';
  constructor(
    readonly activityType: string,
    readonly activityId: string,
    readonly inputName: string,
    readonly value: unknown,
  ) {
    super(
      `Input '${inputName}' of activity '${activityId}' (${activityType}) is ${value == null ? 'empty' : `'${String(value)}'`}, ` +
        'which says nothing about when to go on. Give it a value, or correct its expression.',
    );
  }
}
