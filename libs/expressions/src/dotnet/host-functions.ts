import { randomInt, randomUUID } from 'node:crypto';
import { parseTimeSpan } from '@waymark/core/adapter';
import { type ClockDate, type DateKind, formatClockDate } from './date-format.js';
import { findCulture } from './culture.js';
import { readDate, readExactDate } from './date-parse.js';
import { FormatError } from './format-error.js';
import { writeTimeSpan } from './time-span-format.js';

/**
 * What the .NET types in the sandbox ask of the host: texts of dates and time spans, and random numbers that cannot be
 * guessed. Arguments come from scripts, so they may be anything; answers are plain data.
 */
const functions: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
  formatDate: (wallMs, offset, kind, format, culture) =>
    formatClockDate(clockDate(wallMs, offset, kind), format, findCulture(culture)),
  parseDate: (text) => parts(readDate(text)),
  parseExactDate: (text, format) => parts(readExactDate(text, format)),
  formatTimeSpan: (ms, format) => writeTimeSpan(Number(ms), format),
  parseTimeSpan: (text) => {
    const ms = typeof text === 'string' ? parseTimeSpan(text) : undefined;
    if (ms === undefined) throw new FormatError(`String '${String(text)}' was not recognized as a valid TimeSpan.`);
    return ms;
  },
  newGuid: () => randomUUID(),
  seed: () => randomInt(2 ** 31 - 1),
};

/** @throws TypeError for a function that is not among these · FormatError, RangeError from the function */
export function callHostFunction(name: unknown, args: readonly unknown[]): unknown {
  if (typeof name !== 'string' || !Object.hasOwn(functions, name)) throw new TypeError('There is no such function.');
  return functions[name]!(...args);
}

const parts = ({ wallMs, offset }: { wallMs: number; offset: number | undefined }): unknown[] => [wallMs, offset];

const kinds: ReadonlySet<unknown> = new Set<DateKind>(['Utc', 'Local', 'Unspecified', 'Offset']);

function clockDate(wallMs: unknown, offset: unknown, kind: unknown): ClockDate {
  const date = { wallMs: Number(wallMs), offset: Number(offset), kind: kind as DateKind };
  if (!kinds.has(kind) || Number.isNaN(new Date(date.wallMs).getTime()) || !(Math.abs(date.offset) <= 14 * 60))
    throw new RangeError('The date is out of range.');
  return date;
}
