import type { CronTriggerPayload } from '../activities/payloads.js';
import type { CronSchedule } from '../cron/cron-schedule.js';
import { cronSchedule } from './cron-time.js';

/** Expressions kept at the most; beyond, all of them are parsed again. */
const MOST = 1000;

interface Parsed {
  readonly schedule: CronSchedule;
  /** What was asked for last, in milliseconds, and the answer. */
  after: number;
  next: Date | undefined;
}

/**
 * Next times of cron expressions that are asked for again and again. Parsing one costs ten times as much as finding its next time,
 * and a thousand triggers that are due at once mostly share a few expressions, and so the answer.
 */
export class ParsedCrons {
  private readonly parsed = new Map<string, Parsed>();

  /** The first time later than that; undefined: there is none. @throws CronExpressionError */
  next(payload: CronTriggerPayload, after: Date): Date | undefined {
    const key = JSON.stringify([payload.cronExpression, payload.timeZone]);
    const time = after.getTime();
    const known = this.parsed.get(key);
    if (known?.after === time) return known.next;
    const schedule = known?.schedule ?? cronSchedule(payload);
    const next = schedule.next(after);
    if (!known && this.parsed.size >= MOST) this.parsed.clear();
    this.parsed.set(key, { schedule, after: time, next });
    return next;
  }
}
