import { createHash } from 'node:crypto';
import { type TimeSpanInput } from '@waymark/core';
import { formatTimeSpan, toOwnMilliseconds } from '@waymark/core/adapter';
import type { CronScheduleOptions, RecurringScheduleOptions } from '@waymark/runtime';
import type { StoredSchedule } from '@waymark/runtime/adapter';
import { LATEST_TIME } from '../activities/delay-until.js';
import type { CronTriggerPayload, StartAtPayload, TimerTriggerPayload } from '../activities/payloads.js';
import { SchedulingStimulus } from '../activities/stimulus-names.js';
import { CronSchedule } from '../cron/cron-schedule.js';
import { InvalidScheduleTimeError } from '../errors/scheduling-errors.js';
import { firstCronOccurrence, firstTimerOccurrence } from '../triggers/first-occurrence.js';
import { intervalMs, storedSpan } from '../triggers/payload-values.js';
import { wrongTiming } from '../triggers/timing-problems.js';
import { shareOf, type TriggerTiming } from '../triggers/trigger-timing.js';

/** The members of a stored schedule that say when it fires. */
export type ScheduleTimes = Pick<StoredSchedule, 'hash' | 'name' | 'payload'> & {
  /** null: all of its times have passed. */
  readonly dueAt: Date | null;
};

/** @throws InvalidScheduleTimeError */
export function onceAt(id: string, at: Date, now: number): ScheduleTimes {
  const executeAt = requireTime(id, 'at', at);
  const payload: StartAtPayload = { executeAt };
  const dueAt = executeAt.getTime() > now ? executeAt : null;
  return timesOf(SchedulingStimulus.StartAt, payload, [executeAt.getTime()], dueAt);
}

/** @throws InvalidScheduleTimeError */
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
  const payload: TimerTriggerPayload = { interval: storedSpan(interval), ...timing };
  return timesOf(SchedulingStimulus.Timer, payload, [step, ...key], firstTimerOccurrence(payload, now));
}

/** @throws CronExpressionError, InvalidScheduleTimeError */
export function byCron(id: string, expression: string, options: CronScheduleOptions, now: number): ScheduleTimes {
  const { timeZone } = options;
  // Says what is wrong with them.
  const read = new CronSchedule(expression, timeZone);
  const { timing, key } = timingOf(id, options);
  const payload: CronTriggerPayload = { cronExpression: expression, ...(timeZone && { timeZone }), ...timing };
  const zoned = [expression.trim(), read.timeZone, ...key];
  return timesOf(SchedulingStimulus.Cron, payload, zoned, firstCronOccurrence(payload, now));
}

/**
 * What the times of a series follow from, but for their end: with another end they are the same times. undefined for what fires once, or
 * cannot be read.
 */
export function rhythmOf({ name, payload }: Pick<StoredSchedule, 'name' | 'payload'>): string | undefined {
  if (payload === undefined) return undefined;
  const { validFrom, jitterMs = 0 } = payload as TriggerTiming;
  const others = [validFrom ?? null, jitterMs];
  if (name === SchedulingStimulus.Timer)
    return JSON.stringify([name, intervalMs((payload as TimerTriggerPayload).interval), ...others]);
  if (name !== SchedulingStimulus.Cron) return undefined;
  const { cronExpression, timeZone = 'UTC' } = payload as CronTriggerPayload;
  return JSON.stringify([name, cronExpression?.trim(), timeZone, ...others]);
}

type Repeated = Pick<RecurringScheduleOptions, 'jitter' | 'misfire' | 'overlap' | 'startAt' | 'until'>;

function timingOf(id: string, { jitter, misfire, overlap, startAt, until }: Repeated) {
  const given: Partial<Record<string, unknown>> = { jitter, misfire, overlap };
  const wrong = wrongTiming(given as TriggerTiming);
  if (wrong) {
    const reason = 'why' in wrong ? { why: wrong.why } : wrong.must;
    throw new InvalidScheduleTimeError(id, wrong.property, reason, given[wrong.property]);
  }
  const spread = jitter === undefined ? undefined : spreadOf(id, jitter);
  const validFrom = startAt && requireTime(id, 'startAt', startAt).toISOString();
  const validUntil = until && requireTime(id, 'until', until).toISOString();
  return {
    timing: {
      ...(misfire && { misfire }),
      ...(overlap && { overlap }),
      ...(validFrom && { validFrom }),
      ...(validUntil && { validUntil }),
      ...spread,
    },
    // The policies are not part of the key, since they do not change the times: with others, the schedule keeps its due time.
    key: [validFrom ?? null, validUntil ?? null, ...(spread ? [spread.jitterMs] : [])],
  };
}

function spreadOf(id: string, jitter: TimeSpanInput): { readonly jitter: string; readonly jitterMs: number } {
  const text = typeof jitter === 'string' ? jitter : formatTimeSpan(toOwnMilliseconds(jitter)!);
  return { jitter: text, jitterMs: shareOf(jitter, ['schedule', id]) };
}

function requireTime(id: string, member: string, value: Date): Date {
  // By tag, not `instanceof`, which fails for dates of another realm.
  const isDate = Object.prototype.toString.call(value) === '[object Date]';
  const time = isDate ? value.getTime() : Number.NaN;
  if (!(time <= LATEST_TIME))
    throw new InvalidScheduleTimeError(id, member, 'be a date and time before the year 10000', value);
  return new Date(time);
}

function timesOf(name: string, payload: object, key: readonly unknown[], dueAt: Date | null): ScheduleTimes {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, ...key]))
    .digest('hex');
  return { name, payload, hash, dueAt };
}
