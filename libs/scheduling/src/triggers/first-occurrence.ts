import type { CronTriggerPayload, TimerTriggerPayload } from '../activities/payloads.js';
import { nextCronTime } from './cron-time.js';
import { intervalMs } from './payload-values.js';
import { firingOf, jitterOf, nextOnGrid, validFrom, whileValid } from './trigger-timing.js';

/** Null for an interval that the validator refuses: should it be stored all the same, it never fires. */
export function firstTimerOccurrence(payload: TimerTriggerPayload, now: number): Date | null {
  const step = intervalMs(payload.interval);
  if (step === undefined) return null;
  const jitter = jitterOf(payload);
  const from = validFrom(payload);
  if (from === undefined) return whileValid(now + step + jitter, payload);
  const after = now - jitter;
  return firingOf(from > after ? from : nextOnGrid(from, step, after), payload, now);
}

/** Null for an expression that the validator refuses: should it be stored all the same, it never fires. */
export function firstCronOccurrence(payload: CronTriggerPayload, now: number): Date | null {
  const jitter = jitterOf(payload);
  const from = validFrom(payload);
  const after = Math.max(now - jitter, (from ?? -Infinity) - 1);
  const next = nextCronTime(payload, new Date(after));
  return firingOf(next?.getTime(), payload, now);
}
