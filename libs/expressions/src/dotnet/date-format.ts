import { type Culture, dateName, INVARIANT } from './culture.js';
import { FormatError, requireFormat } from './format-error.js';
import { localizedDate } from './localized-date.js';

export type DateKind = 'Utc' | 'Local' | 'Unspecified' | 'Offset';

/** A date as its clock shows it. */
export interface ClockDate {
  /** Milliseconds since 1970 of the wall clock, as if it were UTC. */
  readonly wallMs: number;
  /** Minutes that the clock is ahead of UTC. */
  readonly offset: number;
  /** `Offset`: a `DateTimeOffset`; the others: a `DateTime` of that kind. */
  readonly kind: DateKind;
}

const MINUTE = 60_000;

/** Standard formats of the invariant culture. */
const standard: Readonly<Record<string, string>> = {
  d: 'MM/dd/yyyy',
  D: 'dddd, dd MMMM yyyy',
  f: 'dddd, dd MMMM yyyy HH:mm',
  F: 'dddd, dd MMMM yyyy HH:mm:ss',
  U: 'dddd, dd MMMM yyyy HH:mm:ss',
  g: 'MM/dd/yyyy HH:mm',
  G: 'MM/dd/yyyy HH:mm:ss',
  m: 'MMMM dd',
  M: 'MMMM dd',
  o: "yyyy-MM-dd'T'HH:mm:ss.fffffffK",
  O: "yyyy-MM-dd'T'HH:mm:ss.fffffffK",
  r: "ddd, dd MMM yyyy HH:mm:ss 'GMT'",
  R: "ddd, dd MMM yyyy HH:mm:ss 'GMT'",
  s: "yyyy-MM-dd'T'HH:mm:ss",
  t: 'HH:mm',
  T: 'HH:mm:ss',
  u: "yyyy-MM-dd HH:mm:ss'Z'",
  y: 'yyyy MMMM',
  Y: 'yyyy MMMM',
};
/** The same in every language. */
const isFixed = /^[oOrRsu]$/;

/**
 * A date as .NET writes it, to the millisecond.
 * @param format a standard format such as `d` or a pattern such as `yyyy-MM-dd`
 * @throws FormatError for one that .NET does not have
 */
export function formatClockDate(date: ClockDate, format?: unknown, culture: Culture = INVARIANT): string {
  let pattern = format === undefined || format === null || format === '' ? defaultFormat(date) : requireFormat(format);
  if (pattern.length === 1) {
    if (!Object.hasOwn(standard, pattern)) throw invalidFormat();
    const shown = isInUtc(pattern, date) ? { ...date, wallMs: date.wallMs - date.offset * MINUTE, offset: 0 } : date;
    if (culture.locale !== undefined && !isFixed.test(pattern))
      return localizedDate(shown.wallMs, pattern, culture.locale);
    return writePattern(shown, standard[pattern]!, isFixed.test(pattern) ? INVARIANT : culture);
  }
  if (pattern.startsWith('%') && pattern.length === 2) pattern = pattern.slice(1);
  return writePattern(date, pattern, culture);
}

function defaultFormat({ kind }: ClockDate): string {
  return kind === 'Offset' ? 'MM/dd/yyyy HH:mm:ss zzz' : 'G';
}

/** Formats that name UTC; of a `DateTime` only `U` is converted. */
function isInUtc(format: string, { kind }: ClockDate): boolean {
  return format === 'U' || (kind === 'Offset' && /[rRu]/.test(format));
}

export function invalidFormat(): FormatError {
  return new FormatError('Input string was not in a correct format.');
}

/** A run of one letter, a quoted text, an escaped character, or any other character. */
export const patternToken = /([dfFghHKmMstyz])\1*|'([^']*)'|"([^"]*)"|\\([\s\S])|%(?=.)|[\s\S]/g;

function writePattern(date: ClockDate, pattern: string, culture: Culture): string {
  let text = '';
  for (const match of pattern.matchAll(patternToken)) {
    const [token, letter, single, double, escaped] = match;
    if (letter !== undefined) text += writeToken(date, letter, token.length, culture);
    else if (single !== undefined || double !== undefined) text += single ?? double;
    else if (escaped !== undefined) text += escaped;
    else if (token === "'" || token === '"' || token === '\\') throw invalidFormat();
    else if (token !== '%') text += token;
    // `.FFF` without digits leaves no point behind.
    if (letter === 'F' && text.endsWith('.')) text = text.slice(0, -1);
  }
  return text;
}

function writeToken(date: ClockDate, letter: string, count: number, culture: Culture): string {
  const at = new Date(date.wallMs);
  const number = (value: number, width = Math.min(count, 2)): string => String(value).padStart(width, '0');
  switch (letter) {
    case 'd':
      return count < 3 ? number(at.getUTCDate()) : dayName(at, count, culture);
    case 'M':
      return count < 3 ? number(at.getUTCMonth() + 1) : monthName(at, count, culture);
    case 'y':
      return count < 3 ? number(at.getUTCFullYear() % 100) : number(at.getUTCFullYear(), count);
    case 'H':
      return number(at.getUTCHours());
    case 'h':
      return number(at.getUTCHours() % 12 || 12);
    case 'm':
      return number(at.getUTCMinutes());
    case 's':
      return number(at.getUTCSeconds());
    case 'f':
    case 'F':
      return fraction(at, letter, count);
    case 't':
      return dayPeriod(at, culture).slice(0, count === 1 ? 1 : undefined);
    case 'g':
      return 'A.D.';
    case 'K':
      return zoneOf(date).repeat(count);
    default:
      return writeOffset(date.offset, count);
  }
}

/** Seven digits at most, of which dates here have three. `F` leaves zeros at the end out. */
function fraction(at: Date, letter: string, count: number): string {
  if (count > 7) throw invalidFormat();
  const digits = String(at.getUTCMilliseconds()).padStart(3, '0').padEnd(7, '0').slice(0, count);
  if (letter === 'f') return digits;
  return digits.replace(/0+$/, '');
}

function dayName(at: Date, count: number, culture: Culture): string {
  const weekday = count === 3 ? 'short' : 'long';
  return dateName(culture, `day ${weekday} ${at.getUTCDay()}`, { weekday }, 'weekday', at.getTime());
}

function monthName(at: Date, count: number, culture: Culture): string {
  const month = count === 3 ? 'short' : 'long';
  const key = `month ${month} ${at.getUTCMonth()}`;
  // With a day beside it, as dates have it: languages inflect the name.
  return dateName(culture, key, { month, day: 'numeric' }, 'month', at.getTime());
}

function dayPeriod(at: Date, culture: Culture): string {
  const isMorning = at.getUTCHours() < 12;
  if (culture.locale === undefined) return isMorning ? 'AM' : 'PM';
  return dateName(culture, `period ${isMorning}`, { hour: 'numeric', hourCycle: 'h12' }, 'dayPeriod', at.getTime());
}

function zoneOf({ kind, offset }: ClockDate): string {
  if (kind === 'Utc') return 'Z';
  return kind === 'Unspecified' ? '' : writeOffset(offset, 3);
}

/** `z` +2, `zz` +02, `zzz` +02:00. */
function writeOffset(offset: number, count: number): string {
  const minutes = Math.abs(offset);
  const hours = String(Math.floor(minutes / 60)).padStart(count === 1 ? 1 : 2, '0');
  const rest = count < 3 ? '' : `:${String(minutes % 60).padStart(2, '0')}`;
  return `${offset < 0 ? '-' : '+'}${hours}${rest}`;
}
