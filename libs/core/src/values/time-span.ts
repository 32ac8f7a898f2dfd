const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1000;
/** .NET counts time spans in ticks of 100 ns, 64 bits wide. */
const TICKS_PER_MS = 10_000;
const MAX_MS = 2 ** 63 / TICKS_PER_MS;

const DAYS_ONLY = /^(-?)(\d{1,8})$/;
const CLOCK = /^(-?)(?:(\d{1,8})(?:\.|:(?=\d+:\d+:)))?(\d{1,8}):(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?$/;
const ISO_DURATION =
  /^(-?)P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

const CANONICAL = /^-?(?:[1-9]\d{0,6}\.)?(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{7})?$/;

/** True for text that `formatTimeSpan` might have written, which then needs no parsing. */
export const isCanonicalTimeSpan = (text: string): boolean => CANONICAL.test(text);

/**
 * Milliseconds of a .NET time span `[-][d.]hh:mm[:ss[.fffffff]]`; parts below a millisecond stay as a fraction. As
 * .NET reads it, a bare number means days, and `hh:mm:ss` whose hours exceed 23 means `days:hours:minutes`.
 * `undefined` when the text is no time span or out of range.
 */
export function parseTimeSpan(text: string): number | undefined {
  const trimmed = text.trim();
  const days = DAYS_ONLY.exec(trimmed);
  if (days) return inRange(signed(days[1], Number(days[2]) * DAY));
  const match = CLOCK.exec(trimmed);
  if (!match) return undefined;
  const [, sign, d, h, m, s, fraction] = match;
  if (d === undefined && s !== undefined && fraction === undefined && Number(h) > 23) {
    return total(sign, Number(h), Number(m), Number(s), 0, undefined);
  }
  return total(sign, Number(d ?? 0), Number(h), Number(m), Number(s ?? 0), fraction);
}

function total(
  sign: string | undefined,
  days: number,
  hours: number,
  minutes: number,
  seconds: number,
  fraction: string | undefined,
): number | undefined {
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const ticks = fraction === undefined ? 0 : Number(fraction.slice(0, 7).padEnd(7, '0'));
  const ms = days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND + ticks / TICKS_PER_MS;
  return inRange(signed(sign, ms));
}

/** Never -0, which would be a different value to a comparison or a journal. */
const signed = (sign: string | undefined, ms: number): number => (sign === '-' && ms !== 0 ? -ms : ms);

const inRange = (ms: number): number | undefined => (Math.abs(ms) <= MAX_MS ? ms : undefined);

/**
 * Canonical text of a time span: `[-][d.]hh:mm:ss[.fffffff]`, the fraction with seven digits and only if there is one.
 * @throws RangeError for a number that is no time span (NaN, infinite, beyond ±10675199 days)
 */
export function formatTimeSpan(ms: number): string {
  if (!(Math.abs(ms) <= MAX_MS)) throw new RangeError(`${ms} milliseconds do not fit into a TimeSpan.`);
  const absolute = Math.abs(ms);
  let whole = Math.floor(absolute);
  let ticks = Math.round((absolute - whole) * TICKS_PER_MS);
  if (ticks === TICKS_PER_MS) {
    ticks = 0;
    whole++;
  }
  const days = Math.floor(whole / DAY);
  const clock = [(whole % DAY) / HOUR, (whole % HOUR) / MINUTE, (whole % MINUTE) / SECOND].map(twoDigits).join(':');
  const fraction = (whole % SECOND) * TICKS_PER_MS + ticks;
  const isZero = whole === 0 && ticks === 0;
  return (
    (ms < 0 && !isZero ? '-' : '') +
    (days > 0 ? `${days}.` : '') +
    clock +
    (fraction > 0 ? `.${String(fraction).padStart(7, '0')}` : '')
  );
}

const twoDigits = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/**
 * Milliseconds of whatever stands for a duration: a number of milliseconds, time span text (`00:05:00`, `5` = days) or
 * an ISO-8601 duration of weeks to seconds (`PT5S`). Years and months are refused because their length varies.
 * `undefined` when the value is no duration.
 */
export function toMilliseconds(value: unknown): number | undefined {
  if (typeof value === 'number') return inRange(value);
  if (typeof value === 'bigint') return inRange(Number(value));
  if (typeof value !== 'string') return undefined;
  return parseTimeSpan(value) ?? parseIsoDuration(value.trim());
}

function parseIsoDuration(text: string): number | undefined {
  const match = ISO_DURATION.exec(text);
  if (!match || /[PT]$/i.test(text)) return undefined;
  const [, sign, weeks, days, hours, minutes, seconds] = match;
  const part = (amount: string | undefined, unit: number): number => (amount === undefined ? 0 : Number(amount) * unit);
  const ms = part(weeks, 7 * DAY) + part(days, DAY) + part(hours, HOUR) + part(minutes, MINUTE) + part(seconds, SECOND);
  return inRange(signed(sign, ms));
}
