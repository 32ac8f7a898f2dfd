import type { CronTriggerPayload, TimerTriggerPayload } from '../activities/payloads.js';
import { nextCronTime } from './cron-time.js';
import { intervalMs } from './payload-values.js';
import { jitterOf, nextOnGrid, validFrom, whileValid } from './trigger-timing.js';

/** Null for an interval that the validator refuses: should it be stored all the same, it never fires. */
export function firstTimerOccurrence(payload: TimerTriggerPayload, now: number): Date | null {
  const step = intervalMs(payload.interval);
  if (step === undefined) return null;
  const jitter = jitterOf(payload);
  const from = validFrom(payload);
  if (from === undefined) return whileValid(now + step + jitter, payload);
  const anchor = from + jitter;
  return whileValid(anchor > now ? anchor : nextOnGrid(anchor, step, now), payload);
}

/** Null for an expression that the validator refuses: should it be stored all the same, it never fires. */
export function firstCronOccurrence(payload: CronTriggerPayload, now: number): Date | null {
  const jitter = jitterOf(payload);
  const from = validFrom(payload);
  const after = Math.max(now - jitter, (from ?? -Infinity) - 1);
  const next = nextCronTime(payload, new Date(after));
  return whileValid(next && next.getTime() + jitter, payload);
}
