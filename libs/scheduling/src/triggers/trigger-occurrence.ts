import type { StoredTrigger } from '@waymark/runtime';
import type { CronTriggerPayload, StartAtPayload, TimerTriggerPayload } from '../activities/payloads.js';
import { SchedulingStimulus } from '../activities/stimulus-names.js';
import type { ResolvedSchedulingOptions } from '../module/scheduling-options.js';
import { cronSchedule, isSwitchedOff } from './cron-time.js';
import { isMisfirePolicy, MisfirePolicy } from './misfire-policy.js';
import { OverlapPolicy } from './overlap-policy.js';
import { intervalMs } from './payload-values.js';
import {
  firingOf,
  isAtEnd,
  jitterOf,
  nextOnGrid,
  overlapOf,
  type TriggerTiming,
  validFrom,
  whileValid,
} from './trigger-timing.js';

export interface TriggerOccurrence {
  /** If false, it was missed and its policy leaves it out. */
  readonly starts: boolean;
  /** null: it was the last one. */
  readonly nextDueAt: Date | null;
  /** Input of the workflow it starts. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface DueTrigger extends StoredTrigger {
  readonly dueAt: Date;
}

/** What the times of a row follow from. */
export type TimedRow = Pick<StoredTrigger, 'name' | 'payload'>;

type MisfireOptions = Pick<ResolvedSchedulingOptions, 'misfire'>;
type OccurrenceOptions = Pick<ResolvedSchedulingOptions, 'misfire' | 'misfireThresholdMs'>;

/** The first time of a cron expression that is later than that. */
export type CronTime = (payload: CronTriggerPayload, after: Date) => Date | undefined;

const parsedAnew: CronTime = (payload, after) => cronSchedule(payload).next(after);

/**
 * What to do about an occurrence whose time has come, and when the next one is. A pure function of row and time: every
 * node comes to the same answer, up to the time at which it asks.
 * @param cronTime of a caller that keeps expressions parsed. @default parses the expression
 * @param attendedSince since when nodes have looked for it: what came due since then, or was late by little then, is late by load, and is
 *   not missed. @default now
 * @throws CronExpressionError for a row that was never validated
 */
export function planOccurrence(
  trigger: TimedRow & { readonly dueAt: Date },
  now: number,
  options: OccurrenceOptions,
  cronTime?: CronTime,
  attendedSince = now,
): TriggerOccurrence {
  const policy = policyOf(trigger, options);
  const input = occurrenceInput(trigger, namedTime(trigger, cronTime));
  // Once, when nothing here knows of a next time.
  if (policy === undefined) return { starts: true, nextDueAt: null, input };
  // Its end was set to before this time, and a node that did not know of it has moved the row on.
  if (!whileValid(trigger.dueAt.getTime(), trigger.payload as TriggerTiming))
    return { starts: false, nextDueAt: null, input };
  const isMissed = attendedSince - trigger.dueAt.getTime() > options.misfireThresholdMs;
  return {
    starts: policy !== MisfirePolicy.Skip || !isMissed,
    nextDueAt: nextOccurrence(trigger, trigger.dueAt, policy === MisfirePolicy.All ? undefined : now, cronTime),
    input,
  };
}

/** What a trigger does about missed occurrences. Undefined for one that fires once. */
export function policyOf({ name, payload }: TimedRow, { misfire }: MisfireOptions): MisfirePolicy | undefined {
  const { misfire: own } = (payload ?? {}) as { misfire?: unknown };
  if (name !== SchedulingStimulus.Timer && name !== SchedulingStimulus.Cron) return undefined;
  if (isMisfirePolicy(own)) return own;
  // What waits in line is not missed.
  if (overlapOf(payload) === OverlapPolicy.Queue) return MisfirePolicy.All;
  return name === SchedulingStimulus.Timer ? misfire.timer : misfire.cron;
}

/** The time that interval or expression name: without the jitter. */
export function namedTime(
  { dueAt, name, payload }: TimedRow & { readonly dueAt: Date },
  cronTime: CronTime = parsedAnew,
): Date {
  const timing = payload as TriggerTiming | undefined;
  const whole = dueAt.getTime() - jitterOf(timing);
  // Of what has less than its whole jitter, it is the first one of those that would have passed the end.
  const named = isAtEnd(dueAt.getTime(), timing) ? seriesTime({ name, payload }, whole - 1, cronTime) : undefined;
  return new Date(named !== undefined && named <= dueAt.getTime() ? named : whole);
}

/** The first named time later than that, of a series whose times are known without an occurrence. */
function seriesTime({ name, payload }: TimedRow, after: number, cronTime: CronTime): number | undefined {
  if (name === SchedulingStimulus.Timer) {
    const timer = payload as TimerTriggerPayload;
    const [step, from] = [intervalMs(timer.interval), validFrom(timer)];
    if (step === undefined || from === undefined) return undefined;
    return from > after ? from : nextOnGrid(from, step, after);
  }
  if (name !== SchedulingStimulus.Cron || isSwitchedOff(payload as CronTriggerPayload)) return undefined;
  const cron = payload as CronTriggerPayload;
  return cronTime(cron, new Date(Math.max(after, (validFrom(cron) ?? -Infinity) - 1)))?.getTime();
}

/** Input of a workflow that the trigger starts for that time. */
export function occurrenceInput({ name, payload }: TimedRow, at: Date): Readonly<Record<string, unknown>> {
  switch (name) {
    case SchedulingStimulus.Timer:
      return { StartAt: at, Interval: (payload as TimerTriggerPayload).interval, ScheduledAt: at };
    case SchedulingStimulus.Cron:
      return { CronExpression: (payload as CronTriggerPayload).cronExpression, ScheduledAt: at };
    case SchedulingStimulus.StartAt:
      return { ExecuteAt: (payload as StartAtPayload).executeAt, ScheduledAt: at };
    default:
      return { ScheduledAt: at };
  }
}

/**
 * The occurrence that follows one; null: that was the last one.
 * @param after it comes later than that, too @default the very next one
 * @throws CronExpressionError for a row that was never validated
 */
export function nextOccurrence(
  { name, payload }: TimedRow,
  occurrence: Date,
  after?: number,
  cronTime: CronTime = parsedAnew,
): Date | null {
  const from = occurrence.getTime();
  if (name === SchedulingStimulus.Timer) {
    const timer = payload as TimerTriggerPayload;
    const step = intervalMs(timer.interval);
    if (step === undefined) return null;
    const next = nextOnGrid(from, step, after ?? from);
    // Only with an anchor can it be told later which time it was.
    if (validFrom(timer) === undefined) return whileValid(next, timer);
    return isAtEnd(from, timer) ? null : firingOf(next - jitterOf(timer), timer, Math.max(from, after ?? from));
  }
  if (name !== SchedulingStimulus.Cron) return null;
  const cron = payload as CronTriggerPayload;
  // A pause is kept while an expression is missing.
  if (isSwitchedOff(cron)) return null;
  const last = Math.max(from, after ?? from);
  return firingOf(cronTime(cron, new Date(last - jitterOf(cron)))?.getTime(), cron, last);
}
