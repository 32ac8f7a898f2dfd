import { FormatError } from '../dotnet/format-error.js';
import { readDate } from '../dotnet/date-parse.js';
import { formatClockDate } from '../dotnet/date-format.js';

const MINUTE = 60_000;
const MAX_MS = 8.64e15;

/** An instant with the clock that shows it: what the filter `time_zone` hands on. Templates show it in ISO form. */
export class ZonedDate {
  constructor(
    readonly ms: number,
    /** Minutes that the clock is ahead of UTC. */
    readonly offset: number,
  ) {}

  get wallMs(): number {
    return this.ms + this.offset * MINUTE;
  }

  toString(): string {
    return formatClockDate({ wallMs: this.wallMs, offset: this.offset, kind: 'Offset' }, "yyyy-MM-dd'T'HH:mm:sszzz");
  }

  toJSON(): string {
    return this.toString();
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

function readText(text: string): ZonedDate | undefined {
  try {
    const { wallMs, offset = 0 } = readDate(text);
    return new ZonedDate(wallMs - offset * MINUTE, 0);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
