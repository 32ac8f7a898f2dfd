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
  if (size < 7 * DAY_MS) return RELATIVE.format(Math.trunc(distance / DAY_MS), 'day');
  return DAY.format(new Date(iso));
}

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
