import { type ActivityExecutionContext, type Bookmark } from '@waymark/core';
import { REPEATS } from '@waymark/core/adapter';
import { CronSchedule } from '../cron/cron-schedule.js';
import { WaitingTimeMissingError } from '../errors/scheduling-errors.js';
import { intervalMs, toDate } from '../triggers/payload-values.js';
import { nextOnGrid } from '../triggers/trigger-timing.js';
import { LATEST_TIME } from './delay-until.js';
import { SchedulingStimulus } from './stimulus-names.js';

/** Options of both kinds of repetition. */
export interface RepeatOptions {
  /** Method of the activity to call each time. `ctx.complete()` ends the repetition, and so does a failure. */
  readonly callback: (...args: never[]) => unknown;
  /** Stimulus name of the bookmark. @default 'Elsa.Timer', or 'Elsa.Cron' */
  readonly name?: string;
  /** Input that the interval or expression comes from, for errors. @default 'Interval', or 'CronExpression' */
  readonly inputName?: string;
}

/** Options of `repeatEvery`. */
export interface RepeatEveryOptions extends RepeatOptions {
  /** Time of the first call; the others follow at the interval. A past time is due at once. @default one interval from now */
  readonly startAt?: Date;
}

/** Options of `repeatByCron`. */
export interface RepeatByCronOptions extends RepeatOptions {
  /** IANA name. @default 'UTC' */
  readonly timeZone?: string;
}

/** The clock of a node is corrected before it is so far off the store's. */
const NEARLY_DUE_MS = 1000;

/** What the metadata of the bookmark says. */
type Repetition = { readonly every: number } | { readonly cron: string; readonly timeZone?: string };

/**
 * Calls a method of the activity repeatedly at an interval; for your own activities. Each time is stored with the instance, so
 * it survives restarts, and is fired by one node. Times that passed while no node was running are made up for by one call; the
 * rhythm stays the same.
 *
 * ```ts
 * execute(ctx: ActivityExecutionContext): void {
 *   repeatEvery(ctx, '00:00:30', { callback: this.look });
 * }
 *
 * async look(ctx: ActivityExecutionContext): Promise<void> {
 *   if (await this.orders.isPaid(this.orderId)) ctx.complete();
 * }
 * ```
 * @param interval milliseconds, or text: `00:05:00`, `90s`, `PT90S`; at least one millisecond
 * @param ctx context of the activity that waits @param options the method to call, and the time of the first call
 * @throws WaitingTimeMissingError (`WM6002`)
 */
export function repeatEvery(ctx: ActivityExecutionContext, interval: unknown, options: RepeatEveryOptions): Bookmark {
  const { startAt, inputName = 'Interval' } = options;
  const every = intervalMs(interval);
  if (every === undefined) throw new WaitingTimeMissingError(ctx.node.type, ctx.activityId, inputName, interval);
  const first = startAt === undefined ? ctx.workflow.now() + every : toDate(startAt)?.getTime();
  if (first === undefined) throw new WaitingTimeMissingError(ctx.node.type, ctx.activityId, 'StartAt', startAt);
  return wait(ctx, SchedulingStimulus.Timer, new Date(Math.min(first, LATEST_TIME)), { every }, options);
}

/**
 * Calls a method of the activity repeatedly at the times of a cron expression with five or six fields. Times that passed while
 * no node was running are made up for by one call.
 * @param ctx context of the activity that waits
 * @param expression such as `0 8 * * 1-5`
 * @param options the method to call, and the time zone
 * @throws CronExpressionError (`WM6001`)
 */
export function repeatByCron(
  ctx: ActivityExecutionContext,
  expression: string,
  options: RepeatByCronOptions,
): Bookmark {
  const { timeZone, inputName = 'CronExpression' } = options;
  if (!expression?.trim()) throw new WaitingTimeMissingError(ctx.node.type, ctx.activityId, inputName, expression);
  const next = new CronSchedule(expression, timeZone).next(new Date(ctx.workflow.now()));
  if (!next) throw new WaitingTimeMissingError(ctx.node.type, ctx.activityId, inputName, expression);
  return wait(ctx, SchedulingStimulus.Cron, next, { cron: expression, ...(timeZone && { timeZone }) }, options);
}

/** When an activity waits again: `EngineOptions.repeat`. */
export function nextWait({ metadata, dueAt }: Bookmark, now: number) {
  const text = metadata?.[REPEATS];
  if (text === undefined || !dueAt) return undefined;
  const repetition = JSON.parse(text) as Repetition;
  const next = following(repetition, dueAt, Math.max(dueAt.getTime(), now));
  const resumeAt = isEarly(dueAt, next, now) ? dueAt : next;
  return resumeAt && { dueAt: resumeAt, stimulus: { resumeAt } };
}

/**
 * Resumed by hand before it was due, it is due still. The store says what is due, and the clock of a node may be a little behind the store's: for
 * what is due by that, the method would be called again and again until this clock has come to the time as well.
 */
function isEarly(dueAt: Date, next: Date | undefined, now: number): boolean {
  const period = next ? next.getTime() - dueAt.getTime() : Infinity;
  return dueAt.getTime() - now > Math.min(NEARLY_DUE_MS, period / 2);
}

function following(repetition: Repetition, dueAt: Date, now: number): Date | undefined {
  if ('cron' in repetition) return new CronSchedule(repetition.cron, repetition.timeZone).next(new Date(now));
  const next = nextOnGrid(dueAt.getTime(), repetition.every, now);
  return next > LATEST_TIME ? undefined : new Date(next);
}

function wait(
  ctx: ActivityExecutionContext,
  stimulusName: string,
  resumeAt: Date,
  repetition: Repetition,
  { callback, name = stimulusName }: RepeatOptions,
): Bookmark {
  return ctx.createBookmark({
    name,
    stimulus: { resumeAt },
    dueAt: resumeAt,
    callback,
    metadata: { [REPEATS]: JSON.stringify(repetition) },
  });
}
