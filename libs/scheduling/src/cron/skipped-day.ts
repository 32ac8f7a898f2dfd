const HOUR_MS = 3_600_000;

/** A change of clocks by more than that leaps over a day: a zone has moved to the other side of the date line. */
const DAY_CHANGE_MS = 20 * HOUR_MS;

/** What the clocks of a zone have leapt over. */
export interface SkippedDay {
  /** The first moment after it. */
  readonly at: Date;
  /** What clocks would have shown, as if it was UTC: from that on … */
  readonly from: Date;
  /** … until before that. */
  readonly to: Date;
}

/**
 * A day that the zone has left out between two instants: 30 December 2011 in Pacific/Apia, for example. Cron libraries know of gaps
 * of hours alone.
 * @param offsetAt of the zone, in milliseconds east of UTC
 */
export function skippedDay(after: Date, until: Date, offsetAt: (time: number) => number): SkippedDay | undefined {
  let [low, high] = [after.getTime(), until.getTime()];
  const before = offsetAt(low);
  if (offsetAt(high) - before < DAY_CHANGE_MS) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) - before < DAY_CHANGE_MS) low = middle;
    else high = middle;
  }
  return { at: new Date(high), from: new Date(high + offsetAt(low)), to: new Date(high + offsetAt(high)) };
}

/**
 * The first moment after a gap of hours in which clocks never showed that time; undefined: they did. The cron library loses times of a gap that
 * runs over midnight, as each spring in Greenland: 23:00 on Saturday is 00:00 on Sunday.
 * @param wall a time of day, as if it was UTC
 */
export function endOfGap(wall: number, offsetAt: (time: number) => number): Date | undefined {
  let low = wall - offsetAt(wall) - 24 * HOUR_MS;
  let high = low + 48 * HOUR_MS;
  const [before, after] = [offsetAt(low), offsetAt(high)];
  if (after <= before) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return wall >= high + before && wall < high + after ? new Date(high) : undefined;
}

/** Tells how far the clocks of a zone are ahead of UTC, in milliseconds. */
export function offsetsOf(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (time) => {
    const shown: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(time)) shown[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
  };
}
