import { createHash } from 'node:crypto';
import { type TimeSpanInput } from '@waymark/core';
import type { CronScheduleOptions, RecurringScheduleOptions } from '@waymark/runtime';
import type { StoredSchedule } from '@waymark/runtime/adapter';
import { LATEST_TIME } from '../activities/delay-until.js';
import type { CronTriggerPayload, StartAtPayload, TimerTriggerPayload } from '../activities/payloads.js';
import { SchedulingStimulus } from '../activities/stimulus-names.js';
import { CronSchedule } from '../cron/cron-schedule.js';
import { InvalidScheduleTimeError, ScheduleTimeOverError } from '../errors/scheduling-errors.js';
import { firstCronOccurrence, firstTimerOccurrence } from '../triggers/first-occurrence.js';
import { isMisfirePolicy } from '../triggers/misfire-policy.js';
import { intervalMs } from '../triggers/payload-values.js';

/** The members of a stored schedule that say when it fires. */
export type ScheduleTimes = Pick<StoredSchedule, 'hash' | 'name' | 'payload'> & { readonly dueAt: Date };

/** @throws ScheduleTimeOverError, InvalidScheduleTimeError */
export function onceAt(id: string, at: Date, now: number): ScheduleTimes {
  const executeAt = requireTime(id, 'at', at);
  if (executeAt.getTime() <= now) throw new ScheduleTimeOverError(id, executeAt);
  const payload: StartAtPayload = { executeAt };
  return timesOf(SchedulingStimulus.StartAt, payload, [executeAt.getTime()], executeAt);
}

/** @throws ScheduleTimeOverError, InvalidScheduleTimeError */
export function atInterval(
  id: string,
  interval: TimeSpanInput,
  options: RecurringScheduleOptions,
  now: number,
): ScheduleTimes {
  const step = intervalMs(interval);
  if (step === undefined || step > LATEST_TIME)
    throw new InvalidScheduleTimeError(id, 'interval', 'be a time span of at least one millisecond', interval);
  const { timing, key } = timingOf(id, options);
  const payload: TimerTriggerPayload = { interval, ...timing };
  const first = firstTimerOccurrence(payload, now);
  return timesOf(SchedulingStimulus.Timer, payload, [step, ...key], first ?? isOver(id, options, now));
}

/** @throws CronExpressionError, ScheduleTimeOverError, InvalidScheduleTimeError */
export function byCron(id: string, expression: string, options: CronScheduleOptions, now: number): ScheduleTimes {
  const { timeZone } = options;
  // Says what is wrong with them.
  const read = new CronSchedule(expression, timeZone);
  const { timing, key } = timingOf(id, options);
  const payload: CronTriggerPayload = { cronExpression: expression, ...(timeZone && { timeZone }), ...timing };
  const first = firstCronOccurrence(payload, now);
  const zoned = [expression.trim(), read.timeZone, ...key];
  return timesOf(SchedulingStimulus.Cron, payload, zoned, first ?? isOver(id, options, now));
}

type Repeated = Pick<RecurringScheduleOptions, 'misfire' | 'startAt' | 'until'>;

function timingOf(id: string, { misfire, startAt, until }: Repeated) {
  if (misfire !== undefined && !isMisfirePolicy(misfire))
    throw new InvalidScheduleTimeError(id, 'misfire', `be 'skip', 'once' or 'all'`, misfire);
  const validFrom = startAt && requireTime(id, 'startAt', startAt).toISOString();
  const validUntil = until && requireTime(id, 'until', until).toISOString();
  return {
    timing: { ...(misfire && { misfire }), ...(validFrom && { validFrom }), ...(validUntil && { validUntil }) },
    // The misfire policy does not change the times: with another one, the schedule keeps its rhythm.
    key: [validFrom ?? null, validUntil ?? null],
  };
}

function isOver(id: string, { until }: Repeated, now: number): never {
  throw new ScheduleTimeOverError(id, until ?? new Date(now));
}

function requireTime(id: string, member: string, value: Date): Date {
  // By tag, not `instanceof`, which fails for dates of another realm.
  const isDate = Object.prototype.toString.call(value) === '[object Date]';
  const time = isDate ? value.getTime() : Number.NaN;
  if (!(time <= LATEST_TIME))
    throw new InvalidScheduleTimeError(id, member, 'be a date and time before the year 10000', value);
  return new Date(time);
}

function timesOf(name: string, payload: object, key: readonly unknown[], dueAt: Date): ScheduleTimes {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, ...key]))
    .digest('hex');
  return { name, payload, hash, dueAt };
}
