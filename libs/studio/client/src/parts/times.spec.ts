import { duration, relativeTime, timeSince } from './times.js';

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

  it('are shown by the largest unit', () => {
    expect([at(-5_000), at(-3 * 60_000), at(-7_200_000), at(86_400_000)]).toEqual([
      'just now',
      '3 minutes ago',
      '2 hours ago',
      'tomorrow',
    ]);
  });

  it('give durations in words that follow "for"', () => {
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
