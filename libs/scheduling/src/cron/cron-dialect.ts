/** One field of a cron expression: its range, and the names that stand for numbers. */
interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const FIELDS: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

/** Short forms that the cron library does not know; it knows @hourly, @daily, @midnight, @weekly, @monthly, @yearly. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  '@every_second': '* * * * * *',
  '@every_minute': '0 * * * * *',
};

const RANGE = /^([a-z]{3}|\d{1,2})-([a-z]{3}|\d{1,2})(?:\/(\d{1,2}))?$/i;

/**
 * The expression in words that the cron library understands. Elsa's own parser takes ranges that run over the end
 * (`22-2`, `FRI-MON`), which the library refuses: they become lists. `undefined` when the number of fields is wrong.
 */
export function toLibraryDialect(expression: string): string | undefined {
  const text = expression.trim();
  if (text.startsWith('@')) return SHORT_FORMS[text.toLowerCase()] ?? text;
  const parts = text.split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6) return undefined;
  const fields = FIELDS.slice(-parts.length);
  return parts.map((part, index) => translate(part, fields[index]!)).join(' ');
}

function translate(part: string, field: Field): string {
  return part
    .split(',')
    .map((item) => unrolled(item, field) ?? item)
    .join(',');
}

/** The numbers of a range that runs over the end, or begins with Sunday as 7; `undefined` for everything else. */
function unrolled(item: string, field: Field): string | undefined {
  const match = RANGE.exec(item);
  if (!match) return undefined;
  const first = toNumber(match[1]!, field);
  const to = toNumber(match[2]!, field);
  const step = Number(match[3] ?? 1);
  // The cron library takes 7 as the end of a range, and refuses a range that begins with it.
  const isSunday = field.names === DAYS && first === 7;
  const from = isSunday ? 0 : first;
  if (!isWithin(from, field) || !isWithin(to, field) || (from <= to && !isSunday) || step < 1) return undefined;
  const size = field.max - field.min + 1;
  const end = from > to ? to + size : to;
  const numbers: number[] = [];
  for (let n = from; n <= end; n += step) numbers.push(((n - field.min) % size) + field.min);
  return numbers.join(',');
}

function toNumber(text: string, field: Field): number {
  const index = field.names?.indexOf(text.toUpperCase()) ?? -1;
  return index < 0 ? Number(text) : index + field.min;
}

const isWithin = (value: number, { min, max }: Field): boolean => value >= min && value <= max;

/** Returns true if it has no `*`, `?` or step in seconds, minutes and hours. @param pattern in words of the cron library */
export function namesTimesOfDay(pattern: string): boolean {
  if (pattern.startsWith('@')) return pattern.toLowerCase() !== '@hourly';
  const parts = pattern.split(/\s+/);
  return !parts.slice(0, parts.length - 3).some((part) => /[*?/]/.test(part));
}
