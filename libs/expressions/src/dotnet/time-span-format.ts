import { formatTimeSpan } from '@waymark/core/adapter';
import { invalidFormat, patternToken } from './date-format.js';
import { requireFormat } from './format-error.js';

const DAY = 86_400_000;

/**
 * A time span as .NET writes it.
 * @param format `c` (also `t`, `T`), `g`, `G`, or a pattern such as `hh\:mm`
 * @throws FormatError for one that .NET does not have · RangeError for no time span
 */
export function writeTimeSpan(ms: number, format?: unknown): string {
  const pattern = format === undefined || format === null || format === '' ? 'c' : requireFormat(format);
  const canonical = formatTimeSpan(ms);
  switch (pattern) {
    case 'c':
    case 't':
    case 'T':
      return canonical;
    case 'g':
    case 'G':
      return general(ms, pattern === 'G');
    default:
      if (pattern.length === 1) throw invalidFormat();
      return writePattern(partsOf(ms), pattern);
  }
}

interface Parts {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  /** Seven digits. */
  readonly fraction: string;
}

function partsOf(ms: number): Parts {
  const ticks = Math.round(Math.abs(ms) * 10_000);
  const whole = Math.floor(ticks / 10_000);
  return {
    days: Math.floor(whole / DAY),
    hours: Math.floor(whole / 3_600_000) % 24,
    minutes: Math.floor(whole / 60_000) % 60,
    seconds: Math.floor(whole / 1000) % 60,
    fraction: String(ticks % 10_000_000).padStart(7, '0'),
  };
}

function general(ms: number, isLong: boolean): string {
  const { days, hours, minutes, seconds, fraction } = partsOf(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const sign = ms < 0 ? '-' : '';
  if (isLong) return `${sign}${days}:${two(hours)}:${two(minutes)}:${two(seconds)}.${fraction}`;
  const rest = fraction.replace(/0+$/, '');
  return `${sign}${days > 0 ? `${days}:` : ''}${hours}:${two(minutes)}:${two(seconds)}${rest === '' ? '' : `.${rest}`}`;
}

function writePattern(parts: Parts, pattern: string): string {
  let text = '';
  for (const match of pattern.matchAll(patternToken)) {
    const [token, letter, single, double, escaped] = match;
    if (letter !== undefined) text += writeToken(parts, letter, token.length);
    else if (single !== undefined || double !== undefined) text += single ?? double;
    else if (escaped !== undefined) text += escaped;
    // Unlike in dates, other characters have to be escaped.
    else if (token !== '%') throw invalidFormat();
  }
  return text;
}

function writeToken({ days, hours, minutes, seconds, fraction }: Parts, letter: string, count: number): string {
  const number = (value: number, max: number): string => {
    if (count > max) throw invalidFormat();
    return String(value).padStart(count, '0');
  };
  switch (letter) {
    case 'd':
      return number(days, 8);
    case 'h':
      return number(hours, 2);
    case 'm':
      return number(minutes, 2);
    case 's':
      return number(seconds, 2);
    case 'f':
    case 'F': {
      if (count > 7) throw invalidFormat();
      const digits = fraction.slice(0, count);
      return letter === 'f' ? digits : digits.replace(/0+$/, '');
    }
    default:
      throw invalidFormat();
  }
}
