import fc from 'fast-check';
import { CronSchedule } from './cron-schedule.js';

const times = (expression: string, from: string, count: number, timeZone?: string): string[] => {
  const schedule = new CronSchedule(expression, timeZone);
  const found: string[] = [];
  for (let time: Date | undefined = new Date(from); found.length < count;) {
    time = schedule.next(time);
    if (!time) break;
    found.push(time.toISOString().replace('.000Z', 'Z'));
  }
  return found;
};
const firstOf = (expression: string): string[] => times(expression, '2026-03-01T00:00:00Z', 2);

describe('CronSchedule', () => {
  it.each([
    ['*/15 * * * *', ['2026-03-01T00:15:00Z', '2026-03-01T00:30:00Z']],
    ['0 * * * *', ['2026-03-01T01:00:00Z', '2026-03-01T02:00:00Z']],
    ['*/20 * * * * *', ['2026-03-01T00:00:20Z', '2026-03-01T00:00:40Z']],
    ['0 0/30 * * * *', ['2026-03-01T00:30:00Z', '2026-03-01T01:00:00Z']],
    ['0 30 8 * * MON-FRI', ['2026-03-02T08:30:00Z', '2026-03-03T08:30:00Z']],
    ['0 0 8 ? * mon', ['2026-03-02T08:00:00Z', '2026-03-09T08:00:00Z']],
    ['0 0 * * 7', ['2026-03-08T00:00:00Z', '2026-03-15T00:00:00Z']],
    ['0 0 L * *', ['2026-03-31T00:00:00Z', '2026-04-30T00:00:00Z']],
    ['0 0 LW * *', ['2026-03-31T00:00:00Z', '2026-04-30T00:00:00Z']],
    ['0 0 LW 5 *', ['2026-05-29T00:00:00Z', '2027-05-31T00:00:00Z']],
    ['0 0 15W * *', ['2026-03-16T00:00:00Z', '2026-04-15T00:00:00Z']],
    ['0 0 1W * *', ['2026-03-02T00:00:00Z', '2026-04-01T00:00:00Z']],
    ['0 0 * * 5L', ['2026-03-27T00:00:00Z', '2026-04-24T00:00:00Z']],
    ['0 0 * * FRIL', ['2026-03-27T00:00:00Z', '2026-04-24T00:00:00Z']],
    ['0 0 * * FRI#5', ['2026-05-29T00:00:00Z', '2026-07-31T00:00:00Z']],
    ['0 0 * * MON#2', ['2026-03-09T00:00:00Z', '2026-04-13T00:00:00Z']],
    ['  0   0  *  *  * ', ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z']],
    ['@daily', ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z']],
    ['@every_minute', ['2026-03-01T00:01:00Z', '2026-03-01T00:02:00Z']],
    ['@every_second', ['2026-03-01T00:00:01Z', '2026-03-01T00:00:02Z']],
  ])('reads %s, in UTC', (expression, expected) => {
    expect(firstOf(expression)).toEqual(expected);
  });

  it('requires both the day of month and the day of week to match, as in Elsa', () => {
    expect(firstOf('0 0 13 * FRI')).toEqual(['2026-03-13T00:00:00Z', '2026-11-13T00:00:00Z']);
  });

  it.each([
    ['0 22-2 * * *', '0 22,23,0,1,2 * * *'],
    ['0 22-2/2 * * *', '0 22,0,2 * * *'],
    ['0 0 * * FRI-MON', '0 0 * * 5,6,0,1'],
    ['0 0 * * 7-2', '0 0 * * 0,1,2'],
    ['0 0 * * 7-6/3', '0 0 * * 0,3,6'],
    ['0 0 * * 7-0', '0 0 * * SUN'],
    ['0 0 * * 5-7', '0 0 * * 5,6,0'],
    ['0 0 1 NOV-FEB *', '0 0 1 11,12,1,2 *'],
    ['0 0 30-2 * *', '0 0 30,31,1,2 * *'],
    ['50-10/10 * * * * *', '50,0,10 * * * * *'],
  ])('takes %s, a range over the end', (expression, list) => {
    expect(times(expression, '2026-03-01T00:00:00Z', 20)).toEqual(times(list, '2026-03-01T00:00:00Z', 20));
  });

  it('finds the first match that is later than the instant, not equal to it', () => {
    expect(times('0 0 * * *', '2026-03-02T00:00:00Z', 1)).toEqual(['2026-03-03T00:00:00Z']);
    expect(times('0 0 * * *', '2026-03-01T23:59:59.999Z', 1)).toEqual(['2026-03-02T00:00:00Z']);
  });

  it('finds leap days', () => {
    expect(times('0 0 29 2 *', '2026-03-01T00:00:00Z', 2)).toEqual(['2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z']);
  });

  it.each([
    '0 0 31 2 *',
    '0 0 0 30 2 *',
    'BadCronExpression',
    '',
    '* * * *',
    '0 0 0 1 1 * 2030',
    '61 * * * *',
    '*/0 * * * *',
    '2026-03-05T00:00:00',
    '@reboot',
    '0 0 W * *',
  ])('refuses %p', (expression) => {
    expect(() => new CronSchedule(expression)).toThrow(
      expect.objectContaining({
        code: 'WM6001',
        expression,
        message: expect.stringMatching(/^Error when parsing cron expression: /),
      }),
    );
  });

  it('refuses an expression that is too long to be looked at often', () => {
    const list = (numbers: number) => `${Array(numbers).fill('59').join(',')} * * * *`;
    expect(firstOf(list(300))).toHaveLength(2);
    expect(() => new CronSchedule(list(3_000_000))).toThrow(/^Error when parsing .* longer than 1000 characters/);
  });

  it.each(['Nope/Zone', '+02:00', ' '])('refuses %p as a time zone', (zone) => {
    expect(() => new CronSchedule('0 0 * * *', zone)).toThrow(
      /^Error when parsing cron expression: .* is not a time zone/,
    );
  });

  // Vilnius: 03:00 becomes 04:00 on 2026-03-29 (01:00Z); 04:00 becomes 03:00 on 2026-10-25 (01:00Z).
  describe('Europe/Vilnius', () => {
    const zone = 'Europe/Vilnius';

    it('runs a time of day that is leapt over at the first moment after the gap', () => {
      const expected = ['2026-03-28T01:30:00Z', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'];
      expect(times('30 3 * * *', '2026-03-28T00:00:00Z', 3, zone)).toEqual(expected);
    });

    it('runs several times of day that fall together once', () => {
      const expected = ['2026-03-29T01:00:00Z', '2026-03-30T00:00:00Z', '2026-03-30T00:30:00Z'];
      expect(times('0,30 3 * * *', '2026-03-29T00:00:00Z', 3, zone)).toEqual(expected);
    });

    it('leaves out repetitions that fall into the hour that a clock skips', () => {
      const expected = ['2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z', '2026-03-29T01:30:00Z'];
      expect(times('*/30 * * * *', '2026-03-29T00:20:00Z', 3, zone)).toEqual(expected);
    });

    it('runs a time of day that occurs twice the first time', () => {
      const expected = ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'];
      expect(times('30 3 * * *', '2026-10-24T12:00:00Z', 2, zone)).toEqual(expected);
      expect(times('30 3 * * *', '2026-10-25T00:45:00Z', 1, zone)).toEqual(['2026-10-26T01:30:00Z']);
    });

    it('runs repetitions through the repeated hour twice', () => {
      const expected = ['2026-10-25T00:30:00Z', '2026-10-25T01:00:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:00:00Z'];
      expect(times('*/30 * * * *', '2026-10-25T00:20:00Z', 4, zone)).toEqual(expected);
    });
  });

  // New York: 02:00 becomes 03:00 on 2026-03-08 (07:00Z); 02:00 becomes 01:00 on 2026-11-01 (06:00Z).
  describe('America/New_York', () => {
    const zone = 'America/New_York';

    it('runs a time of day that is leapt over at the first moment after the gap', () => {
      const expected = ['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z'];
      expect(times('0 30 2 * * *', '2026-03-07T12:00:00Z', 2, zone)).toEqual(expected);
    });

    it('runs a time of day that occurs twice the first time', () => {
      const expected = ['2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z'];
      expect(times('0 30 1 * * *', '2026-10-31T12:00:00Z', 2, zone)).toEqual(expected);
    });

    it('runs once an hour through both changes', () => {
      const spring = ['2026-03-08T06:00:00Z', '2026-03-08T07:00:00Z', '2026-03-08T08:00:00Z'];
      const autumn = ['2026-11-01T05:00:00Z', '2026-11-01T06:00:00Z', '2026-11-01T07:00:00Z'];
      expect(times('0 * * * *', '2026-03-08T05:30:00Z', 3, zone)).toEqual(spring);
      expect(times('0 * * * *', '2026-11-01T04:30:00Z', 3, zone)).toEqual(autumn);
    });
  });

  // Samoa went from one side of the date line to the other: 29 December 2011 was followed by 31 December, at 10:00Z.
  describe('Pacific/Apia', () => {
    const zone = 'Pacific/Apia';

    it.each([
      ['30 2 * * *', ['2011-12-29T12:30:00Z', '2011-12-30T10:00:00Z', '2011-12-30T12:30:00Z']],
      ['30 8,17 * * *', ['2011-12-29T18:30:00Z', '2011-12-30T03:30:00Z', '2011-12-30T10:00:00Z']],
      // It falls together with the one of the next day.
      ['0 0 * * *', ['2011-12-29T10:00:00Z', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z']],
      ['0 0 30 12 *', ['2011-12-30T10:00:00Z', '2012-12-29T10:00:00Z', '2013-12-29T10:00:00Z']],
      ['15 6 * * FRI', ['2011-12-30T10:00:00Z', '2012-01-05T16:15:00Z', '2012-01-12T16:15:00Z']],
      ['@daily', ['2011-12-29T10:00:00Z', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z']],
    ])('runs the times of the day that was left out at the first moment after it: %s', (expression, expected) => {
      expect(times(expression, '2011-12-29T09:00:00Z', 3, zone)).toEqual(expected);
    });

    it('leaves out the repetitions of that day', () => {
      const hours = ['2011-12-30T09:00:00Z', '2011-12-30T10:00:00Z', '2011-12-30T11:00:00Z'];
      expect(times('0 * * * *', '2011-12-30T08:30:00Z', 3, zone)).toEqual(hours);
      expect(times('*/30 2 * * *', '2011-12-29T12:30:00Z', 2, zone)).toEqual([
        '2011-12-30T12:00:00Z',
        '2011-12-30T12:30:00Z',
      ]);
    });

    it('finds no extra times on other days, and only those of the skipped day itself', () => {
      expect(times('30 2 31 * *', '2011-12-29T09:00:00Z', 1, zone)).toEqual(['2011-12-30T12:30:00Z']);
      expect(times('30 2 * * *', '2011-12-30T10:00:00Z', 1, zone)).toEqual(['2011-12-30T12:30:00Z']);
      expect(times('30 2 * * *', '2012-06-01T00:00:00Z', 1, zone)).toEqual(['2012-06-01T13:30:00Z']);
    });
  });

  // In Greenland, clocks go from 23:00 on Saturday to 00:00 on Sunday: at 2026-03-29T01:00Z.
  it.each([
    ['30 23 * * *', ['2026-03-28T01:30:00Z', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z']],
    [
      '15,45 23 * * *',
      ['2026-03-28T01:15:00Z', '2026-03-28T01:45:00Z', '2026-03-29T01:00:00Z', '2026-03-30T00:15:00Z'],
    ],
    ['0 23 * * SAT', ['2026-03-29T01:00:00Z', '2026-04-05T00:00:00Z']],
    ['30 23 28 3 *', ['2026-03-29T01:00:00Z', '2027-03-29T00:30:00Z']],
    // It falls together with the one of the next day.
    ['30 23,0 * * *', ['2026-03-28T01:30:00Z', '2026-03-28T02:30:00Z', '2026-03-29T01:00:00Z', '2026-03-29T01:30:00Z']],
    ['*/30 23 * * *', ['2026-03-28T01:00:00Z', '2026-03-28T01:30:00Z', '2026-03-30T00:00:00Z']],
  ])('runs the times of a gap that ends at midnight at its end: %s', (expression, expected) => {
    expect(times(expression, '2026-03-28T00:59:59Z', expected.length, 'America/Nuuk')).toEqual(expected);
  });

  it('always moves on, in any zone, from any instant', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Vilnius', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');
    const expressions = fc.constantFrom('*/7 * * * *', '30 2 * * *', '0 0,3 * * *', '*/20 */40 * * * *', '0 0 1 * *');
    const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, expressions, instants, (zone, expression, instant) => {
        const schedule = new CronSchedule(expression, zone);
        let time = instant;
        for (let i = 0; i < 5; i++) {
          const next = schedule.next(time)!;
          expect(next.getTime()).toBeGreaterThan(time.getTime());
          // Nothing lies between: from the moment before, the same one is found.
          expect(schedule.next(new Date(next.getTime() - 1))).toEqual(next);
          time = next;
        }
      }),
      { numRuns: 60 },
    );
  });
});
