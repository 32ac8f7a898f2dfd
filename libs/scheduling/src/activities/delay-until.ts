import { type ActivityExecutionContext, type Bookmark } from '@waymark/core';
import { toMilliseconds } from '@waymark/core/adapter';
import { WaitingTimeMissingError } from '../errors/scheduling-errors.js';
import { toDate } from '../triggers/payload-values.js';
import { SchedulingStimulus } from './stimulus-names.js';

/** 9999-12-31T23:59:59Z: databases hold no later time, and no workflow waits for it. */
export const LATEST_TIME = 253_402_300_799_000;

/** Options of `delayFor` and `delayUntil`. */
export interface DelayOptions {
  /** Method of the activity to call when the time has come. @default none: the activity completes */
  readonly callback?: (...args: never[]) => unknown;
  /** Stimulus name of the bookmark. @default 'Elsa.Delay' */
  readonly name?: string;
  /** Input that the time comes from, for errors. @default 'TimeSpan' */
  readonly inputName?: string;
}

/**
 * Makes an activity wait for a time span; for your own activities. The due time is stored with the bookmark, and any node
 * resumes it.
 * @param timeSpan milliseconds, or text: `00:05:00`, `72:00:00` (hours), `3 days`, `1h 30m`, `PT72H`; zero or less resumes at
 *   once, through the scheduler
 * @param ctx context of the activity that waits @param options the callback, and settings of the bookmark
 * @throws WaitingTimeMissingError (`WM6002`)
 * @example
 * execute(ctx: ActivityExecutionContext) {
 *   ctx.createBookmark({ stimulus: { requestId: this.requestId }, callback: this.onDecided });
 *   delayFor(ctx, '2 days', { callback: this.onExpired });
 * }
 */
export function delayFor(ctx: ActivityExecutionContext, timeSpan: unknown, options: DelayOptions = {}): Bookmark {
  const ms = toMilliseconds(timeSpan, { longHours: true });
  if (ms === undefined) {
    throw new WaitingTimeMissingError(ctx.node.type, ctx.activityId, options.inputName ?? 'TimeSpan', timeSpan);
  }
  return delayUntil(ctx, new Date(Math.min(ctx.workflow.now() + Math.ceil(ms), LATEST_TIME)), options);
}

/**
 * Makes an activity wait until a date. A past date resumes at once, through the scheduler; a date beyond the range of databases
 * counts as the last date.
 * @param options the callback, and settings of the bookmark
 * @throws WaitingTimeMissingError (`WM6002`) for a value that is not a date
 */
export function delayUntil(ctx: ActivityExecutionContext, instant: Date, options: DelayOptions = {}): Bookmark {
  const time = toDate(instant)?.getTime();
  if (time === undefined)
    throw new WaitingTimeMissingError(ctx.node.type, ctx.activityId, options.inputName ?? 'ResumeAt', instant);
  const resumeAt = new Date(Math.min(time, LATEST_TIME));
  return ctx.createBookmark({
    name: options.name ?? SchedulingStimulus.Delay,
    stimulus: { resumeAt },
    dueAt: resumeAt,
    callback: options.callback,
  });
}
