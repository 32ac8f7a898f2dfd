import { parseDate, toMilliseconds } from '@waymark/core/adapter';

/** Milliseconds of an interval, at least 1; `undefined` for one that a timer cannot repeat by. */
export function intervalMs(interval: unknown): number | undefined {
  const ms = Math.round(toMilliseconds(interval) ?? 0);
  return ms >= 1 ? ms : undefined;
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
