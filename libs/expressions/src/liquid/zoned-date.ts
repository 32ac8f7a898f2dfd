import { FormatError } from '../dotnet/format-error.js';
import { readDate } from '../dotnet/date-parse.js';
import { formatClockDate } from '../dotnet/date-format.js';

const MINUTE = 60_000;
const MAX_MS = 8.64e15;

/**
 * An instant with the clock that formats show: a date of a variable, or what the filter `time_zone` hands on. Templates show it
 * in UTC, as Elsa's do, and compare it with dates and their texts.
 */
export class ZonedDate {
  // Templates read the members that an object has itself.
  readonly #ms: number;
  readonly #offset: number;

  /** @param offset minutes that the clock is ahead of UTC */
  constructor(ms: number, offset: number) {
    this.#ms = ms;
    this.#offset = offset;
  }

  get ms(): number {
    return this.#ms;
  }

  get offset(): number {
    return this.#offset;
  }

  get wallMs(): number {
    return this.ms + this.offset * MINUTE;
  }

  toString(): string {
    return formatClockDate({ wallMs: this.ms, offset: 0, kind: 'Offset' }, "yyyy-MM-dd HH:mm:ss'Z'");
  }

  toJSON(): string {
    return formatClockDate({ wallMs: this.wallMs, offset: this.offset, kind: 'Offset' }, "yyyy-MM-dd'T'HH:mm:sszzz");
  }

  equals(other: unknown): boolean {
    return this.ms === msOf(other);
  }

  gt(other: unknown): boolean {
    return this.ms > msOf(other);
  }

  geq(other: unknown): boolean {
    return this.ms >= msOf(other);
  }

  lt(other: unknown): boolean {
    return this.ms < msOf(other);
  }

  leq(other: unknown): boolean {
    return this.ms <= msOf(other);
  }
}

/**
 * The date that a value of a template stands for: text, seconds since 1970, or `now`. In UTC, so that a template means
 * the same on every server. `undefined` for values that are not dates.
 */
export function toZonedDate(value: unknown, now: () => number): ZonedDate | undefined {
  if (value instanceof ZonedDate) return value;
  if (typeof value === 'number') return Math.abs(value) <= MAX_MS / 1000 ? new ZonedDate(value * 1000, 0) : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text === 'now' || text === 'today') return new ZonedDate(now(), 0);
  return readText(text);
}

/** NaN for what is not a date: it is neither before nor after one. */
function msOf(value: unknown): number {
  if (value instanceof ZonedDate) return value.ms;
  return typeof value === 'string' ? (readText(value.trim())?.ms ?? Number.NaN) : Number.NaN;
}

function readText(text: string): ZonedDate | undefined {
  try {
    // A year, or a month of one.
    const day = /^\d{4}(?:-\d{2})?$/.test(text) ? `${text}-01-01`.slice(0, 'yyyy-mm-dd'.length) : text;
    const { wallMs, offset = 0 } = readDate(day);
    return new ZonedDate(wallMs - offset * MINUTE, 0);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
