const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY_MS = 24 * HOUR;

/** The moment in the reader's zone, to the second. */
export const shownTime = (iso: string): string => MOMENT.format(new Date(iso));

/** The time of day in the reader's zone, to the minute. */
export const shownClock = (ms: number): string => CLOCK.format(ms);

/** How long ago, or how far away; beyond a week the day itself. */
export function relativeTime(iso: string, now = Date.now()): string {
  const distance = new Date(iso).getTime() - now;
  const size = Math.abs(distance);
  if (size < MINUTE) return distance > 0 ? 'in less than a minute' : 'just now';
  if (size < HOUR) return RELATIVE.format(Math.trunc(distance / MINUTE), 'minute');
  if (size < DAY_MS) return RELATIVE.format(Math.trunc(distance / HOUR), 'hour');
  // By the calendar: 47 hours from now is not tomorrow.
  if (size < 7 * DAY_MS) return RELATIVE.format(daysBetween(now, now + distance), 'day');
  return DAY.format(new Date(iso));
}

/** Of the reader's calendar, in which a day may have 23 or 25 hours. */
const daysBetween = (from: number, to: number): number =>
  Math.round((new Date(to).setHours(0, 0, 0, 0) - new Date(from).setHours(0, 0, 0, 0)) / DAY_MS);

/** "3 minutes": for how long something has lasted, by the largest unit. */
export function timeSince(iso: string, now = Date.now()): string {
  const size = Math.max(0, now - new Date(iso).getTime());
  if (size < MINUTE) return 'less than a minute';
  const [length, unit] = size < HOUR ? [MINUTE, 'minute'] : size < DAY_MS ? [HOUR, 'hour'] : [DAY_MS, 'day'];
  const count = Math.trunc(size / length);
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
}

/** "2 d 4 h", "3 min 12 s", "45 ms": the two largest units. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const units = [
    [DAY_MS, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'min'],
    [1000, 's'],
  ] as const;
  const first = units.findIndex(([size]) => ms >= size);
  let rest = ms;
  const shown: string[] = [];
  for (const [size, name] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    if (count > 0) shown.push(`${count} ${name}`);
    rest -= count * size;
  }
  return shown.join(' ');
}

const UNITS = [
  [DAY_MS, 'd', 'day'],
  [HOUR, 'h', 'hour'],
  [MINUTE, 'min', 'minute'],
  [1000, 's', 'second'],
] as const;

/** "minute", "1 h 11 min", what follows "every": an interval such as `01:11:00` or `1.00:00:00` in full; others as they are written. */
export function interval(text: string): string {
  const found = /^(?:(\d+)\.)?(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (!found) return text;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  let rest = days * DAY_MS + hours * HOUR + minutes * MINUTE + seconds * 1000;
  const one = UNITS.find(([size]) => rest === size);
  if (one) return one[2];
  const shown = UNITS.flatMap(([size, name]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return shown.join(' ') || text;
}
