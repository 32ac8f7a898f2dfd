import { FormatError, requireFormat } from './format-error.js';
import { patternToken } from './date-format.js';

/** What a text says about a date. */
export interface ReadDate {
  /** Milliseconds since 1970 of the wall clock, as if it were UTC. */
  readonly wallMs: number;
  /** Minutes ahead of UTC; undefined when the text does not say. */
  readonly offset: number | undefined;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const TIME = String.raw`(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(am|pm)?)?`;
const ZONE = String.raw`\s*(Z|GMT|UTC|[+-]\d{1,2}(?::?\d{2})?)?`;
const WEEKDAY = String.raw`(?:[a-z]{3,9},?\s+)?`;
const layouts: readonly [pattern: RegExp, order: string][] = [
  [new RegExp(String.raw`^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:T|\s+|$)${TIME}${ZONE}$`, 'i'), 'ymd'],
  [new RegExp(String.raw`^(\d{1,2})[-/](\d{1,2})[-/](\d{4})(?:\s+|$)${TIME}${ZONE}$`, 'i'), 'mdy'],
  [new RegExp(String.raw`^${WEEKDAY}(\d{1,2})[ -]([a-z]{3,9})[ -](\d{4})(?:\s+|$)${TIME}${ZONE}$`, 'i'), 'dmy'],
  [new RegExp(String.raw`^${WEEKDAY}([a-z]{3,9}) (\d{1,2}),? (\d{4})(?:\s+|$)${TIME}${ZONE}$`, 'i'), 'mdy'],
];

/**
 * Reads what .NET reads with the invariant culture: ISO, month/day/year, and English names.
 * @throws FormatError
 */
export function readDate(value: unknown): ReadDate {
  const text = String(value).trim();
  if (text.length <= 100)
    for (const [pattern, order] of layouts) {
      const match = pattern.exec(text);
      const date = match && toDate(match, order);
      if (date) return date;
    }
  throw notDate(text);
}

function toDate(match: RegExpExecArray, order: string): ReadDate | undefined {
  const field = (name: string): string => match[order.indexOf(name) + 1]!;
  const [, , , , hour, minute, second, fraction, period, zone] = match;
  return build({
    year: Number(field('y')),
    month: monthOf(field('m')),
    day: Number(field('d')),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    ms: Number((fraction ?? '').slice(0, 3).padEnd(3, '0')),
    period,
    offset: zone === undefined ? undefined : offsetOf(zone),
  });
}

function monthOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const at = MONTHS.indexOf(text.slice(0, 3).toLowerCase());
  return at + 1;
}

interface Fields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ms: number;
  readonly period: string | undefined;
  /** NaN for one that no clock has. */
  readonly offset: number | undefined;
}

/** `undefined` for a date that the calendar does not have. */
function build({ year, month, day, hour, minute, second, ms, period, offset }: Fields): ReadDate | undefined {
  if (period !== undefined && (hour < 1 || hour > 12)) return undefined;
  const hours = period === undefined ? hour : (hour % 12) + (/^p/i.test(period) ? 12 : 0);
  if (year < 1 || hours > 23 || minute > 59 || second > 59) return undefined;
  if (Number.isNaN(offset)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hours, minute, second, ms);
  return { wallMs: date.getTime(), offset };
}

/** As .NET: not more than 14 hours, and not more than 59 minutes beyond the hour. */
const LARGEST_OFFSET_MINUTES = 14 * 60;

/** Minutes ahead of UTC; NaN for one that no clock has, such as `+99:99`. */
function offsetOf(zone: string): number {
  if (!/^[+-]/.test(zone)) return 0;
  const digits = zone.slice(1).replace(':', '');
  const past = digits.length <= 2 ? 0 : Number(digits.slice(-2));
  const minutes = Number(digits.length <= 2 ? digits : digits.slice(0, -2)) * 60 + past;
  if (past > 59 || minutes > LARGEST_OFFSET_MINUTES) return NaN;
  return zone.startsWith('-') ? -minutes : minutes;
}

function notDate(text: string): FormatError {
  return new FormatError(`String '${text.slice(0, 100)}' was not recognized as a valid DateTime.`);
}

/** What a token of a pattern may read. Each group has a name, so none comes twice: the match takes few steps. */
const readable: Readonly<Record<string, string>> = {
  d: String.raw`(?<d>\d{1,2})`,
  dd: String.raw`(?<d>\d{2})`,
  ddd: '(?<w>[A-Za-z]{3})',
  dddd: '(?<w>[A-Za-z]{6,9})',
  M: String.raw`(?<M>\d{1,2})`,
  MM: String.raw`(?<M>\d{2})`,
  MMM: '(?<M>[A-Za-z]{3})',
  MMMM: '(?<M>[A-Za-z]{3,9})',
  yy: String.raw`(?<y>\d{2})`,
  yyyy: String.raw`(?<y>\d{4})`,
  H: String.raw`(?<H>\d{1,2})`,
  HH: String.raw`(?<H>\d{2})`,
  h: String.raw`(?<H>\d{1,2})`,
  hh: String.raw`(?<H>\d{2})`,
  m: String.raw`(?<m>\d{1,2})`,
  mm: String.raw`(?<m>\d{2})`,
  s: String.raw`(?<s>\d{1,2})`,
  ss: String.raw`(?<s>\d{2})`,
  t: '(?<t>[AaPp])',
  tt: '(?<t>[AaPp][Mm])',
  K: String.raw`(?<z>Z|[+-]\d{2}:\d{2})?`,
  zz: String.raw`(?<z>[+-]\d{2})`,
  zzz: String.raw`(?<z>[+-]\d{2}:\d{2})`,
};

/**
 * Reads a text that has exactly that form.
 * @throws FormatError also for a pattern with tokens that cannot be read, or with one twice
 */
export function readExactDate(value: unknown, format: unknown): ReadDate {
  const text = String(value);
  const match = text.length <= 200 ? patternOf(requireFormat(format)).exec(text) : null;
  const { d = '1', M = '1', y = '1', H = '0', m = '0', s = '0', f = '', t, z } = match?.groups ?? {};
  const year = Number(y) + (y.length === 2 ? (Number(y) < 50 ? 2000 : 1900) : 0);
  const date =
    match &&
    build({
      year,
      month: monthOf(M),
      day: Number(d),
      hour: Number(H),
      minute: Number(m),
      second: Number(s),
      ms: Number(f.slice(0, 3).padEnd(3, '0')),
      period: t,
      offset: z === undefined ? undefined : offsetOf(z),
    });
  if (!date) throw notDate(text);
  return date;
}

const standardPatterns = new Map(
  Object.entries({
    d: 'MM/dd/yyyy',
    G: 'MM/dd/yyyy HH:mm:ss',
    g: 'MM/dd/yyyy HH:mm',
    o: "yyyy-MM-dd'T'HH:mm:ss.fffffffK",
    O: "yyyy-MM-dd'T'HH:mm:ss.fffffffK",
    s: "yyyy-MM-dd'T'HH:mm:ss",
    u: "yyyy-MM-dd HH:mm:ss'Z'",
  }),
);

function patternOf(format: string): RegExp {
  let source = '';
  for (const match of (standardPatterns.get(format) ?? format).matchAll(patternToken)) {
    const [token, letter, single, double, escaped] = match;
    if (letter === 'f') source += String.raw`(?<f>\d{${token.length}})`;
    else if (letter === 'F') source += String.raw`(?<f>\d{0,${token.length}})`;
    else if (letter !== undefined) source += readable[token] ?? cannotRead(token);
    else if (token !== '%' || escaped !== undefined) source += escape(single ?? double ?? escaped ?? token);
  }
  try {
    return new RegExp(`^${source}$`, 'u');
  } catch {
    // One group twice.
    return cannotRead(format);
  }
}

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

function cannotRead(token: string): never {
  throw new FormatError(`Dates cannot be read with '${token.slice(0, 50)}'.`);
}
