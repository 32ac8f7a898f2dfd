import type { ZonedDate } from './zoned-date.js';

/**
 * A date by `%` directives, in the language of .NET's invariant culture. The engine has such a function too, which writes names in the
 * language of the host, asks its tables anew for each of them, and reads the local clock of the host on the way: it was wrong by an hour
 * around the days on which that one is set.
 * @param use called with the characters that a width is about to add
 */
export function writeDirectives(date: ZonedDate, format: string, use: (characters: number) => void): string {
  const wall = new Date(date.wallMs);
  return format.replace(DIRECTIVE, (whole: string, flags = '', digits = '', letter: string) => {
    const moment: Moment = { wall, date, flags: String(flags), width: Number(digits), use };
    const text = Object.hasOwn(DIRECTIVES, letter) ? String(DIRECTIVES[letter]!(moment)) : undefined;
    return text === undefined ? whole : padded(inCase(text, moment.flags), letter, moment);
  });
}

/** Flags, a width, a modifier that means nothing here, and a letter. */
const DIRECTIVE = /%([-_0^#:]+)?(\d+)?[EO]?(.)/g;

interface Moment {
  /** Its UTC is what the clock shows. */
  readonly wall: Date;
  readonly date: ZonedDate;
  readonly flags: string;
  /** 0: none is given. */
  readonly width: number;
  readonly use: (characters: number) => void;
}

type Directive = (moment: Moment) => string | number;

const DAY = 86_400_000;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** One that stands for others. */
const as =
  (format: string): Directive =>
  ({ date, use }) =>
    writeDirectives(date, format, use);

const month: Directive = ({ wall }) => MONTHS[wall.getUTCMonth()]!;
const monthShort: Directive = (moment) => String(month(moment)).slice(0, 3);
const weekday: Directive = ({ wall }) => DAYS[wall.getUTCDay()]!;
const hours12: Directive = ({ wall }) => wall.getUTCHours() % 12 || 12;

const DIRECTIVES: Readonly<Record<string, Directive>> = {
  a: (moment) => String(weekday(moment)).slice(0, 3),
  A: weekday,
  b: monthShort,
  B: month,
  c: as('%A, %d %B %Y %H:%M:%S'),
  C: ({ wall }) => Math.floor(wall.getUTCFullYear() / 100),
  d: ({ wall }) => wall.getUTCDate(),
  D: as('%m/%d/%y'),
  e: ({ wall }) => wall.getUTCDate(),
  F: as('%Y-%m-%d'),
  g: ({ wall }) => lastDigits(thursdayOf(wall).getUTCFullYear()),
  G: ({ wall }) => thursdayOf(wall).getUTCFullYear(),
  h: monthShort,
  H: ({ wall }) => wall.getUTCHours(),
  I: hours12,
  j: ({ wall }) => dayOfYear(wall),
  k: ({ wall }) => wall.getUTCHours(),
  l: hours12,
  L: ({ wall }) => wall.getUTCMilliseconds(),
  m: ({ wall }) => wall.getUTCMonth() + 1,
  M: ({ wall }) => wall.getUTCMinutes(),
  n: () => '\n',
  N: fraction,
  p: ({ wall }) => (wall.getUTCHours() < 12 ? 'AM' : 'PM'),
  P: ({ wall }) => (wall.getUTCHours() < 12 ? 'am' : 'pm'),
  r: as('%I:%M:%S %p'),
  R: as('%H:%M'),
  s: ({ date }) => Math.floor(date.ms / 1000),
  S: ({ wall }) => wall.getUTCSeconds(),
  t: () => '\t',
  T: as('%H:%M:%S'),
  u: ({ wall }) => wall.getUTCDay() || 7,
  U: ({ wall }) => weekOfYear(wall, wall.getUTCDay()),
  v: as('%e-%b-%Y'),
  V: ({ wall }) => Math.floor((dayOfYear(thursdayOf(wall)) + 6) / 7),
  w: ({ wall }) => wall.getUTCDay(),
  W: ({ wall }) => weekOfYear(wall, daysSinceMonday(wall)),
  x: as('%m/%d/%Y'),
  X: as('%H:%M'),
  y: ({ wall }) => lastDigits(wall.getUTCFullYear()),
  Y: ({ wall }) => wall.getUTCFullYear(),
  z: ({ date, flags }) => offsetText(date.offset, flags.includes(':') ? ':' : ''),
  Z: ({ date }) => offsetText(date.offset, ':'),
  '+': as('%a %b %e %H:%M:%S %:z %Y'),
  '%': () => '%',
};

/** Digits that are there without a width. */
const WIDTHS: Readonly<Record<string, number>> = {
  ...Object.fromEntries('CdegHIklmMSUVWy'.split('').map((letter) => [letter, 2])),
  G: 4,
  j: 3,
  L: 3,
  Y: 4,
};
/** Filled with blanks, and not with zeros. */
const TEXTS: ReadonlySet<string> = new Set('aAbBceklpP');

function padded(text: string, letter: string, { flags, width, use }: Moment): string {
  const count = flags.includes('-') ? 0 : width || (WIDTHS[letter] ?? 0);
  if (count <= text.length) return text;
  use(count - text.length);
  const isZero = flags.includes('0') || !TEXTS.has(letter);
  if (flags.includes('_') || !isZero) return text.padStart(count);
  return text.startsWith('-') ? `-${text.slice(1).padStart(count - 1, '0')}` : text.padStart(count, '0');
}

function inCase(text: string, flags: string): string {
  if (flags.includes('^')) return text.toUpperCase();
  if (!flags.includes('#')) return text;
  return /[a-z]/.test(text) ? text.toUpperCase() : text.toLowerCase();
}

function fraction({ wall, width, use }: Moment): string {
  const count = width || 9;
  use(count);
  return String(wall.getUTCMilliseconds()).padStart(3, '0').padEnd(count, '0').slice(0, count);
}

function offsetText(offset: number, separator: string): string {
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const text = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(separator);
  return (offset < 0 ? '-' : '+') + text;
}

function dayOfYear(wall: Date): number {
  // Not by `Date.UTC`, which takes the first hundred years for those of 1900.
  const first = new Date(wall).setUTCMonth(0, 1);
  return Math.round((wall.getTime() - first) / DAY) + 1;
}

const daysSinceMonday = (wall: Date): number => (wall.getUTCDay() + 6) % 7;

/** Days before the first one that weeks begin with belong to week 0. */
const weekOfYear = (wall: Date, daysSinceBegin: number): number =>
  Math.floor((dayOfYear(wall) + 6 - daysSinceBegin) / 7);

/** Of the same week, which belongs to the year of that day (ISO 8601). */
function thursdayOf(wall: Date): Date {
  const thursday = new Date(wall);
  thursday.setUTCDate(wall.getUTCDate() + 3 - daysSinceMonday(wall));
  return thursday;
}

const lastDigits = (year: number): number => ((year % 100) + 100) % 100;
