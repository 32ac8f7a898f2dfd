import { duration, interval, relativeTime, timeSince } from './times.js';

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_500, '1.5 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [187_200_000, '2 d 4 h'],
  ])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text));
});

describe('times beside now', () => {
  const now = Date.UTC(2026, 0, 10, 12);
  const at = (ms: number) => relativeTime(new Date(now + ms).toISOString(), now);

  it('times beside now are shown by the largest unit', () => {
    expect([at(-5_000), at(-3 * 60_000), at(-7_200_000), at(86_400_000)]).toEqual([
      'just now',
      '3 minutes ago',
      '2 hours ago',
      'tomorrow',
    ]);
  });

  it('times beside now are days by the calendar of the reader', () => {
    const noon = new Date(2026, 5, 10, 12).getTime();
    const day = (hours: number) => relativeTime(new Date(noon + hours * 3_600_000).toISOString(), noon);
    expect([day(25), day(47), day(-35), day(-37), day(100)]).toEqual([
      'tomorrow',
      'in 2 days',
      'yesterday',
      '2 days ago',
      'in 4 days',
    ]);
  });

  it('times beside now give durations in words that follow "for"', () => {
    const lasted = (ms: number) => timeSince(new Date(now - ms).toISOString(), now);
    expect([lasted(-5_000), lasted(59_000), lasted(60_000), lasted(7_300_000), lasted(1_300 * 86_400_000)]).toEqual([
      'less than a minute',
      'less than a minute',
      '1 minute',
      '2 hours',
      '1,300 days',
    ]);
  });
});

describe('intervals', () => {
  it.each([
    ['00:01:00', 'minute'],
    ['1.00:00:00', 'day'],
    ['01:11:00', '1 h 11 min'],
    ['2.00:00:30', '2 d 30 s'],
    ['00:90', '1 h 30 min'],
    ['00:00:00', '00:00:00'],
    ['00:00:00.500', '00:00:00.500'],
    ['PT1M', 'PT1M'],
  ])('%s is %s', (text, words) => expect(interval(text)).toBe(words));
});
