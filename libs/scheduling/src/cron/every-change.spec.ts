import { CronSchedule } from './cron-schedule.js';
import { offsetsOf } from './skipped-day.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Changes of clocks of all kinds: an hour, half an hour, two hours, around and over midnight, a whole day. */
const CHANGES = [
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Sao_Paulo', '2018-02-17'],
  ['Antarctica/Troll', '2026-03-29'],
  ['Antarctica/Troll', '2026-10-25'],
  ['Asia/Beirut', '2026-03-28'],
  ['America/Nuuk', '2026-03-28'],
  ['America/Nuuk', '2026-10-25'],
  ['America/Scoresbysund', '2026-03-28'],
  ['Asia/Pyongyang', '2018-05-04'],
  ['Pacific/Apia', '2011-12-30'],
  ['Pacific/Kwajalein', '1993-08-21'],
] as const;

/** Minutes and hours; the weekday, or none. */
const EXPRESSIONS: readonly (readonly [string, readonly number[], readonly number[], number | undefined])[] = [
  ['30 2 * * *', [30], [2], undefined],
  ['0 0 * * *', [0], [0], undefined],
  ['15,45 1,2,3 * * *', [15, 45], [1, 2, 3], undefined],
  ['45 23 * * *', [45], [23], undefined],
  ['5,55 22,23,0 * * 6', [5, 55], [22, 23, 0], 6],
  ['30 0,12 * * 0', [30], [0, 12], 0],
];
const REPEATING: readonly (readonly [string, readonly number[], readonly number[] | undefined])[] = [
  ['*/15 * * * *', [0, 15, 30, 45], undefined],
  ['20 * * * *', [20], undefined],
  ['*/30 1-3 * * *', [0, 30], [1, 2, 3]],
];

/** What clocks of the zone show at each minute, as if it was UTC. */
function shown(zone: string, from: number, to: number): { at: number; wall: number }[] {
  const offset = offsetsOf(zone);
  const found: { at: number; wall: number }[] = [];
  for (let at = from; at <= to; at += MINUTE) found.push({ at, wall: at + offset(at) });
  return found;
}

/** The first time that clocks show it; of what they leap over, the first moment after the gap. */
function firstShown(minutes: readonly { at: number; wall: number }[]): (wall: number) => number {
  const known = new Map<number, number>();
  for (const { at, wall } of minutes) if (!known.has(wall)) known.set(wall, at);
  return (wall) => {
    const gap = (at: number) => minutes[at]!.wall > wall && minutes[at - 1]!.wall < wall;
    const after = minutes.findIndex((_, at) => at > 0 && gap(at));
    return known.get(wall) ?? minutes[after]!.at;
  };
}

const text = (times: Iterable<number>): string[] =>
  [...new Set(times)].toSorted((left, right) => left - right).map((time) => new Date(time).toISOString());

describe.each(CHANGES)('cron expressions in %s around %s', (zone, day) => {
  const [from, to] = [Date.parse(day) - DAY, Date.parse(day) + 2 * DAY];
  const minutes = shown(zone, from - 4 * DAY, to + 4 * DAY);
  const timesOf = (expression: string): string[] => {
    const schedule = new CronSchedule(expression, zone);
    const found: number[] = [];
    for (let time = schedule.next(new Date(from)); time && time.getTime() <= to; time = schedule.next(time))
      found.push(time.getTime());
    return text(found);
  };

  it.each(EXPRESSIONS)('name each time of day once: %s', (expression, atMinutes, atHours, weekday) => {
    const first = firstShown(minutes);
    const expected: number[] = [];
    for (let date = Math.floor((from - DAY) / DAY) * DAY; date <= to + DAY; date += DAY) {
      if (weekday !== undefined && new Date(date).getUTCDay() !== weekday) continue;
      for (const hour of atHours)
        for (const minute of atMinutes) expected.push(first(date + (hour * 60 + minute) * MINUTE));
    }
    expect(timesOf(expression)).toEqual(text(expected.filter((time) => time > from && time <= to)));
  });

  it.each(REPEATING)('follow the elapsed time where they repeat: %s', (expression, atMinutes, atHours) => {
    const matches = (wall: Date): boolean =>
      atMinutes.includes(wall.getUTCMinutes()) && (atHours === undefined || atHours.includes(wall.getUTCHours()));
    const expected = minutes.filter(({ at, wall }) => at > from && at <= to && matches(new Date(wall)));
    expect(timesOf(expression)).toEqual(text(expected.map(({ at }) => at)));
  });
});
