/**
 * Type of a member with `@Input({ type: 'TimeSpan' })`, as a workflow gives it: text such as `3 days` or `00:05:00`, or a number of
 * milliseconds. The activity itself finds the canonical text there, whatever was given.
 */
export type TimeSpanInput = string | number;

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

const LONG_HOURS = /^(-?)(\d{1,8}):(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?$/;
const AMOUNT = /(\d{1,15}(?:\.\d{1,9})?) ?([a-z]{1,12})/gi;
const AMOUNTS = /^\d{1,15}(?:\.\d{1,9})? ?[a-z]{1,12}(?:,? ?\d{1,15}(?:\.\d{1,9})? ?[a-z]{1,12}){0,5}$/i;
/** Longer text is not a time span; it need not be searched. */
const MAX_LENGTH = 100;

const CANONICAL = /^-?(?:[1-9]\d{0,6}\.)?(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{7})?$/;

/** True for text that `formatTimeSpan` might have written, which then needs no parsing. */
export const isCanonicalTimeSpan = (text: string): boolean => CANONICAL.test(text);

/**
 * Milliseconds of a .NET time span `[-][d.]hh:mm[:ss[.fffffff]]`; parts below a millisecond stay as a fraction. As
 * .NET reads it, a bare number means days, and `hh:mm:ss` whose hours exceed 23 means `days:hours:minutes`.
 * `undefined` when the text is not a time span or out of range.
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
 * @throws RangeError for a number that is not a time span (NaN, infinite, beyond ±10675199 days)
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

/** What text of a time span may mean two things. */
export interface SpanReading {
  /**
   * If true, `72:00:00` is 72 hours, and a number without a unit is refused as text. If false, both are days, as .NET reads
   * them and definitions of Elsa mean them.
   * @default false
   */
  readonly longHours?: boolean;
}

/**
 * Milliseconds of whatever stands for a duration: a number of milliseconds, time span text (`00:05:00`, `1.12:00:00`), an
 * ISO-8601 duration of weeks to seconds (`PT72H`), or amounts with units (`3 days`, `72h`, `1h 30m`). Years and months are
 * refused because their length varies. `undefined` when the value is not a duration.
 */
export function toMilliseconds(value: unknown, { longHours = false }: SpanReading = {}): number | undefined {
  if (typeof value === 'number') return inRange(value);
  if (typeof value === 'bigint') return inRange(Number(value));
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  const text = value.trim();
  if (longHours) {
    if (DAYS_ONLY.test(text)) return undefined;
    const ms = parseLongHours(text);
    if (ms !== undefined) return ms;
  }
  return parseTimeSpan(text) ?? parseIsoDuration(text) ?? parseUnits(text);
}

/**
 * As `toMilliseconds`, of members that Elsa does not know, such as `timeout`: in any definition `72:00:00` is 72 hours there.
 * A number without a unit means days, as in spans of Elsa.
 */
export const toOwnMilliseconds = (value: unknown): number | undefined =>
  toMilliseconds(value, { longHours: true }) ?? toMilliseconds(value);

/** True for text that .NET reads as `days:hours:minutes` though it looks like hours: `72:00:00`. */
export const hasLongHours = (text: string): boolean => {
  const trimmed = text.trim();
  return parseLongHours(trimmed) !== undefined && parseTimeSpan(trimmed) !== undefined;
};

/** `hh:mm:ss` or `hh:mm` with more than 23 hours. */
function parseLongHours(text: string): number | undefined {
  const match = LONG_HOURS.exec(text);
  if (!match || Number(match[2]) < 24) return undefined;
  const [, sign, hours, minutes, seconds = '0', fraction] = match;
  const days = Math.floor(Number(hours) / 24);
  return total(sign, days, Number(hours) % 24, Number(minutes), Number(seconds), fraction);
}

function parseIsoDuration(text: string): number | undefined {
  const match = ISO_DURATION.exec(text);
  if (!match || /[PT]$/i.test(text)) return undefined;
  const [, sign, weeks, days, hours, minutes, seconds] = match;
  const part = (amount: string | undefined, unit: number): number => (amount === undefined ? 0 : Number(amount) * unit);
  const ms = part(weeks, 7 * DAY) + part(days, DAY) + part(hours, HOUR) + part(minutes, MINUTE) + part(seconds, SECOND);
  return inRange(signed(sign, ms));
}

const UNITS: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, 'ms millisecond milliseconds'],
      [SECOND, 's sec secs second seconds'],
      [MINUTE, 'm min mins minute minutes'],
      [HOUR, 'h hr hrs hour hours'],
      [DAY, 'd day days'],
      [7 * DAY, 'w week weeks'],
    ] as const
  ).flatMap(([ms, names]) => names.split(' ').map((name) => [name, ms] as const)),
);

/** Amounts with units, the largest unit first and none twice: anything else is more likely a slip than meant. */
function parseUnits(text: string): number | undefined {
  const sign = text.startsWith('-') ? '-' : '';
  const amounts = text.slice(sign.length);
  if (!AMOUNTS.test(amounts)) return undefined;
  let sum = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (const [, amount, name] of amounts.matchAll(AMOUNT)) {
    const unit = UNITS.get(name!.toLowerCase());
    if (unit === undefined || unit >= smallest) return undefined;
    smallest = unit;
    sum += Number(amount) * unit;
  }
  return inRange(signed(sign, sum));
}
