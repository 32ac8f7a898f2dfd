import type { TimeSpanInput } from '@waymark/core';
import { formatTimeSpan, parseDate, toMilliseconds, toOwnMilliseconds } from '@waymark/core/adapter';

/**
 * Milliseconds of an interval, at least 1; `undefined` for one that a timer cannot repeat by. `36:00:00` of code is 36 hours, as
 * `delayFor` reads it. What a definition says is canonical text by then, which has no such hours.
 */
export function intervalMs(interval: unknown): number | undefined {
  const ms = Math.round(toOwnMilliseconds(interval) ?? 0);
  return ms >= 1 ? ms : undefined;
}

/**
 * A time span of code as a row has it: nodes of earlier builds read `36:00:00` of a row as 36 days, and would move the row on by that.
 * Any other one stays as it was given: rows are compared by it, and a timer whose row changes begins anew.
 */
export function storedSpan<T extends TimeSpanInput | null>(span: T): T | string {
  const ms = toOwnMilliseconds(span);
  return ms === undefined || ms === toMilliseconds(span) ? span : formatTimeSpan(ms);
}

/** A time of a stored payload: a date, or its text where the payload came in as JSON. */
export function toDate(value: unknown): Date | undefined {
  // By tag, not `instanceof`, which fails for dates of another realm.
  const isDate = Object.prototype.toString.call(value) === '[object Date]';
  if (typeof value === 'string') return parseDate(value);
  if (!isDate) return undefined;
  const date = new Date(value as Date);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
