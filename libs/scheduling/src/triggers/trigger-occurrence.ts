import type { StoredTrigger } from '@waymark/runtime';
import { LATEST_TIME } from '../activities/delay-until.js';
import type { CronTriggerPayload, StartAtPayload, TimerTriggerPayload } from '../activities/payloads.js';
import { SchedulingStimulus } from '../activities/stimulus-names.js';
import type { ResolvedSchedulingOptions } from '../module/scheduling-options.js';
import { cronSchedule } from './cron-time.js';
import { isMisfirePolicy, MisfirePolicy } from './misfire-policy.js';
import { intervalMs } from './payload-values.js';

export interface TriggerOccurrence {
  /** False: it was missed and its policy leaves it out. */
  readonly starts: boolean;
  /** null: it was the last one. */
  readonly nextDueAt: Date | null;
  /** Input of the workflow it starts. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface DueTrigger extends StoredTrigger {
  readonly dueAt: Date;
}

type MisfireOptions = Pick<ResolvedSchedulingOptions, 'misfire' | 'misfireThresholdMs'>;

/**
 * What to do about an occurrence whose time has come, and when the next one is. A pure function of row and time: every
 * node comes to the same answer, up to the time at which it asks.
 * @throws CronExpressionError for a row that was never validated
 */
export function planOccurrence(trigger: DueTrigger, now: number, options: MisfireOptions): TriggerOccurrence {
  const { dueAt } = trigger;
  switch (trigger.name) {
    case SchedulingStimulus.Timer: {
      const payload = trigger.payload as TimerTriggerPayload;
      const policy = isMisfirePolicy(payload.misfire) ? payload.misfire : options.misfire.timer;
      const step = intervalMs(payload.interval);
      const next = step === undefined ? undefined : nextOnGrid(dueAt.getTime(), step, policy === 'all' ? 0 : now);
      const input = { StartAt: dueAt, Interval: payload.interval, ScheduledAt: dueAt };
      return occurrence(trigger, now, policy, options, next, input);
    }
    case SchedulingStimulus.Cron: {
      const payload = trigger.payload as CronTriggerPayload;
      const policy = isMisfirePolicy(payload.misfire) ? payload.misfire : options.misfire.cron;
      const after = policy === 'all' ? dueAt.getTime() : Math.max(now, dueAt.getTime());
      const next = cronSchedule(payload).next(new Date(after))?.getTime();
      return occurrence(trigger, now, policy, options, next, {
        CronExpression: payload.cronExpression,
        ScheduledAt: dueAt,
      });
    }
    case SchedulingStimulus.StartAt: {
      const { executeAt } = trigger.payload as StartAtPayload;
      return { starts: true, nextDueAt: null, input: { ExecuteAt: executeAt, ScheduledAt: dueAt } };
    }
    default:
      // A trigger of the application's own with a due time: once, as nothing here knows of a next time.
      return { starts: true, nextDueAt: null, input: { ScheduledAt: dueAt } };
  }
}

function occurrence(
  { dueAt }: DueTrigger,
  now: number,
  policy: MisfirePolicy,
  options: MisfireOptions,
  next: number | undefined,
  input: Readonly<Record<string, unknown>>,
): TriggerOccurrence {
  const isMissed = now - dueAt.getTime() > options.misfireThresholdMs;
  return {
    starts: policy !== MisfirePolicy.Skip || !isMissed,
    nextDueAt: next === undefined || next > LATEST_TIME ? null : new Date(next),
    input,
  };
}

/**
 * The first time of the series `anchor + n · step` that is later than both the anchor and `after`. Counted from the
 * anchor, never from the time of firing: a timer does not drift.
 */
function nextOnGrid(anchor: number, step: number, after: number): number {
  const passed = Math.max(0, Math.floor((after - anchor) / step));
  return anchor + (passed + 1) * step;
}
