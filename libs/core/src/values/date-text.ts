/** `2026-08-01T10:11:12.1234567+02:00`; time, fraction and offset may be missing, a blank may stand for the `T`. */
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const TIME = String.raw`(?:\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:\s*(am|pm)(?![a-z]))?)?`;
const ZONE = String.raw`\s*(Z|[+-]\d{2}(?::?\d{2})?)?`;
/**
 * `08/01/2026 10:11:12 +02:00`: how .NET's invariant culture prints dates, and so how variable defaults are stored. Elsa Studio writes
 * `8/1/2026 10:11:12 PM` in an English browser.
 */
const INVARIANT = new RegExp(String.raw`^(\d{1,2})/(\d{1,2})/(\d{4})${TIME}${ZONE}$`, 'i');
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const MONTH = `(${MONTHS.map((name) => (name.length > 3 ? `${name.slice(0, 3)}(?:${name.slice(3)})?` : name)).join('|')})`;
const WEEKDAY = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},?\\s+)?';
/** `1 Aug 2026`, `Saturday, 01 August 2026 10:11:12` */
const DAY_FIRST = new RegExp(String.raw`^${WEEKDAY}(\d{1,2})[ -]${MONTH},?[ -](\d{4})${TIME}${ZONE}$`, 'i');
/** `Aug 1, 2026`, `Saturday, August 1, 2026 10:11:12 AM` */
const MONTH_FIRST = new RegExp(String.raw`^${WEEKDAY}${MONTH} (\d{1,2}),? (\d{4})${TIME}${ZONE}$`, 'i');
/** The furthest from UTC that an offset may be, as in .NET: no place on Earth is further. */
const LARGEST_OFFSET_MINUTES = 14 * 60;
/** `Sat, 01 Aug 2026 10:11:12 GMT`, as in HTTP headers. */
const RFC_1123 = /^[a-z]{3}, \d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} (GMT|UTC|[+-]\d{4})$/i;
/** Longer text is not a date; it need not be searched. */
const LONGEST_TEXT = 100;

/**
 * The instant a text names, in the forms that .NET reads in its invariant culture. Text without an offset is read as UTC, so that a
 * workflow means the same on every server. `Date.parse` alone will not do: it takes such text as local time and accepts nonsense like
 * `step 1`.
 */
export function parseDate(text: string): Date | undefined {
  const trimmed = text.trim();
  const iso = ISO.exec(trimmed);
  if (iso) return build(iso[1], iso[2], iso[3], [...iso.slice(4, 8), undefined, iso[8]]);
  if (trimmed.length > LONGEST_TEXT) return undefined;
  const invariant = INVARIANT.exec(trimmed);
  if (invariant) return build(invariant[3], invariant[1], invariant[2], invariant.slice(4));
  const rfc = RFC_1123.exec(trimmed);
  if (rfc) return offsetMinutes(rfc[1]) === undefined ? undefined : valid(new Date(trimmed));
  const worded = DAY_FIRST.exec(trimmed);
  if (worded) return build(worded[3], monthNumber(worded[2]!), worded[1], worded.slice(4));
  const american = MONTH_FIRST.exec(trimmed);
  return american ? build(american[3], monthNumber(american[1]!), american[2], american.slice(4)) : undefined;
}

function monthNumber(name: string): string {
  const wanted = name.slice(0, 3).toLowerCase();
  return String(MONTHS.findIndex((month) => month.toLowerCase().startsWith(wanted)) + 1);
}

/** Characters of an offset such as `+02`. */
const HOURS_ALONE = 3;

type Part = string | undefined;

function build(year: Part, month: Part, day: Part, rest: Part[]): Date | undefined {
  const [clockHour = '0', minute = '0', second = '0', fraction = '0', half, offset] = rest;
  const hour = half === undefined ? clockHour : hourOfHalf(Number(clockHour), half);
  if (hour === undefined) return undefined;
  const ms = fraction.slice(0, 3).padEnd(3, '0');
  const date = `${year}-${pad(month)}-${pad(day)}`;
  const wallClock = new Date(`${date}T${pad(hour)}:${pad(minute)}:${pad(second)}.${ms}Z`);
  // JavaScript turns February 30 into March 2 instead of refusing it.
  if (wallClock.getUTCDate() !== Number(day)) return undefined;
  // Hours alone, as PostgreSQL and ISO 8601 write them, stand behind a time: behind a date they would be another part of it.
  if (offset?.length === HOURS_ALONE && rest[0] === undefined) return undefined;
  const ahead = offsetMinutes(offset);
  return ahead === undefined ? undefined : valid(new Date(wallClock.getTime() - ahead * 60_000));
}

/** `12 AM` is midnight. `undefined` for an hour that no half of a day has. */
const hourOfHalf = (hour: number, half: string): Part =>
  hour >= 1 && hour <= 12 ? String((hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)) : undefined;

const pad = (part: Part): string => (part ?? '').padStart(2, '0');

/** Minutes ahead of UTC; `undefined` for one that no clock has, such as `+99:99`: a typing mistake would move the instant by days. */
function offsetMinutes(offset: Part): number | undefined {
  if (offset === undefined || !/^[+-]/.test(offset)) return 0;
  const past = offset.length === HOURS_ALONE ? 0 : Number(offset.slice(-2));
  const minutes = Number(offset.slice(1, 3)) * 60 + past;
  if (past > 59 || minutes > LARGEST_OFFSET_MINUTES) return undefined;
  return offset.startsWith('-') ? -minutes : minutes;
}

const valid = (date: Date): Date | undefined => (Number.isNaN(date.getTime()) ? undefined : date);

/** A date as Elsa writes it in JSON: `2026-08-01T10:11:12.5+00:00`, the fraction without trailing zeros. */
export function formatDate(date: Date): string {
  return date.toISOString().replace(/\.?0*Z$/, '+00:00');
}
