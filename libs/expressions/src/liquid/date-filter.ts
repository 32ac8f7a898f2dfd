import { type FilterImplOptions, filters as standardFilters, toValue } from 'liquidjs';
import { toZonedDate, type ZonedDate } from './zoned-date.js';

/** That of the engine, which knows neither the clock of the host nor a date with a zone, nor all directives. */
export function dateFilter(now: () => number): FilterImplOptions {
  const standard = standardFilters.date as Extract<FilterImplOptions, (...args: never[]) => unknown>;
  return function (value: unknown, format: unknown, zone: unknown) {
    const date = toZonedDate(toValue(value) as unknown, now);
    const plain = toValue(format) as unknown;
    // What is not a date is nothing, and a date without a format is shown as any date is.
    if (!date || plain === undefined || plain === null) return date;
    const known = typeof plain === 'string' ? plain.replace(/%%|%([DFRTrvcxXZ+VgGq])/g, expandedFor(date)) : format;
    return standard.call(this, new Date(date.ms), known, zone ?? -date.offset) as unknown;
  };
}

type Directive = string | ((wall: Date) => string);

/** Directives that stand for several, that the engine lacks, or has in another language than .NET's invariant one. */
const DIRECTIVES: Readonly<Record<string, Directive>> = {
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  T: '%H:%M:%S',
  r: '%I:%M:%S %p',
  v: '%e-%b-%Y',
  c: '%A, %d %B %Y %H:%M:%S',
  x: '%m/%d/%Y',
  X: '%H:%M',
  Z: '%:z',
  '+': '%a %b %e %H:%M:%S %:z %Y',
  q: '%%q',
  V: (wall) => String(Math.floor(dayOfYear(wall) / 7) + 1).padStart(2, '0'),
  g: (wall) => String(yearOfWeek(wall) % 100),
  G: (wall) => String(yearOfWeek(wall)),
};

function expandedFor(date: ZonedDate): (directive: string, letter?: string) => string {
  return (directive, letter) => {
    const known = letter === undefined ? directive : DIRECTIVES[letter]!;
    return typeof known === 'string' ? known : known(new Date(date.wallMs));
  };
}

const DAY = 86_400_000;
const dayOfYear = (wall: Date): number =>
  Math.floor((wall.getTime() - Date.UTC(wall.getUTCFullYear(), 0, 1)) / DAY) + 1;

/** Days of January before its first Monday belong to the year before. */
function yearOfWeek(wall: Date): number {
  const daysSinceMonday = (wall.getUTCDay() + 6) % 7;
  const isBefore = wall.getUTCMonth() === 0 && wall.getUTCDate() <= daysSinceMonday;
  return wall.getUTCFullYear() - (isBefore ? 1 : 0);
}
