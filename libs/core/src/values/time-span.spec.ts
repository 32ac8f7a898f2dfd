import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatTimeSpan, hasLongHours, isCanonicalTimeSpan, parseTimeSpan, toMilliseconds } from './time-span.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('parseTimeSpan', () => {
  it.each([
    ['00:00:00', 0],
    ['00:01:00', 60_000],
    ['1:2', HOUR + 120_000],
    ['23:59:59', DAY - 1000],
    ['1.02:03:04', DAY + 2 * HOUR + 184_000],
    ['1.02:03', DAY + 2 * HOUR + 180_000],
    ['6:12:14:45', 6 * DAY + 12 * HOUR + 14 * 60_000 + 45_000],
    ['00:00:00.5', 500],
    ['00:00:00.5000000', 500],
    ['00:00:00.0000001', 0.0001],
    ['-00:00:01', -1000],
    ['-1.00:00:00', -DAY],
    [' 00:00:01 ', 1000],
    ['10675199.02:48:05.4775807', 922_337_203_685_477.6],
  ])('reads %j', (text, expected) => {
    expect(parseTimeSpan(text)).toBe(expected);
  });

  it('reads a bare number as days', () => {
    expect(parseTimeSpan('5')).toBe(5 * DAY);
    expect(parseTimeSpan('-5')).toBe(-5 * DAY);
  });

  it('reads hh:mm:ss with too many hours as days:hours:minutes', () => {
    expect(parseTimeSpan('24:00:00')).toBe(24 * DAY);
    expect(parseTimeSpan('25:01:30')).toBe(25 * DAY + HOUR + 30 * 60_000);
  });

  it('never gives a negative zero', () => {
    expect(parseTimeSpan('-00:00:00')).toBe(0);
    expect(parseTimeSpan('-0')).toBe(0);
  });

  it.each([
    '',
    ' ',
    'abc',
    '24:00',
    '00:60:00',
    '00:00:60',
    '1.24:00:00',
    '1:2:3:60',
    '1.5',
    '+1',
    '00:00:00.',
    ':30',
    '10675200',
    '00:00:01 s',
  ])('refuses %j', (text) => {
    expect(parseTimeSpan(text)).toBeUndefined();
  });
});

describe('formatTimeSpan', () => {
  it.each([
    [0, '00:00:00'],
    [-0, '00:00:00'],
    [60_000, '00:01:00'],
    [DAY + 2 * HOUR + 184_000, '1.02:03:04'],
    [-1500, '-00:00:01.5000000'],
    [0.0001, '00:00:00.0000001'],
    [0.00001, '00:00:00'],
    [-0.00001, '00:00:00'],
    [999.99999, '00:00:01'],
    [30 * DAY, '30.00:00:00'],
  ])('writes %d ms as %j', (ms, expected) => {
    expect(formatTimeSpan(ms)).toBe(expected);
  });

  it.each([NaN, Infinity, -Infinity, 1e15])('refuses %d', (ms) => {
    expect(() => formatTimeSpan(ms)).toThrow(RangeError);
  });

  it('is the inverse of parseTimeSpan', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e13, max: 1e13 }), (tenths) => {
        const text = formatTimeSpan(tenths / 10);
        expect(isCanonicalTimeSpan(text)).toBe(true);
        expect(parseTimeSpan(text)).toBeCloseTo(tenths / 10, 3);
      }),
    );
  });
});

describe('isCanonicalTimeSpan', () => {
  it.each(['1:2:3', '01.00:00:00', '24:00:00', '00:00:00.5', '0.00:00:00', 'x'])('is false for %j', (text) => {
    expect(isCanonicalTimeSpan(text)).toBe(false);
  });
});

describe('toMilliseconds', () => {
  it.each<[unknown, number]>([
    [1500, 1500],
    [1500n, 1500],
    ['00:00:05', 5000],
    ['PT5S', 5000],
    ['PT0.5S', 500],
    ['P1DT2H', DAY + 2 * HOUR],
    ['P2W', 14 * DAY],
    ['-PT1M', -60_000],
    [' pt1h ', HOUR],
    ['5', 5 * DAY],
  ])('reads %p', (value, expected) => {
    expect(toMilliseconds(value)).toBe(expected);
  });

  it.each<[string, number]>([
    ['3 days', 3 * DAY],
    ['1 day', DAY],
    ['72h', 72 * HOUR],
    ['1h 30m', 1.5 * HOUR],
    ['1h30m', 1.5 * HOUR],
    ['2 days, 4 hours', 52 * HOUR],
    ['1.5 Hours', 1.5 * HOUR],
    ['90 s', 90_000],
    ['250ms', 250],
    ['2 weeks', 14 * DAY],
    ['-5 min', -300_000],
    ['PT72H', 72 * HOUR],
  ])('reads %p, in any reading', (text, expected) => {
    expect(toMilliseconds(text)).toBe(expected);
    expect(toMilliseconds(text, { longHours: true })).toBe(expected);
  });

  it.each([
    '3 dayz',
    '3 days 2 days',
    '5m 1h',
    'days',
    '3 days ago',
    '1 month',
    '3  d  4',
    '1e3 s',
    `${'1h '.repeat(99)}`,
  ])('refuses %p', (text) => {
    expect(toMilliseconds(text)).toBeUndefined();
  });

  it('reads more than 23 hours as hours where that is asked for', () => {
    expect(toMilliseconds('72:00:00')).toBe(72 * DAY);
    expect(toMilliseconds('72:00:00', { longHours: true })).toBe(72 * HOUR);
    expect(toMilliseconds('-72:30', { longHours: true })).toBe(-72.5 * HOUR);
    expect(toMilliseconds('100:00:00.5', { longHours: true })).toBe(100 * HOUR + 500);
    expect(toMilliseconds('1.02:03:04', { longHours: true })).toBe(DAY + 2 * HOUR + 184_000);
    // A number alone does not say of what.
    expect(toMilliseconds('5', { longHours: true })).toBeUndefined();
  });

  it('recognises text that .NET reads as days', () => {
    expect(['72:00:00', ' 24:00:00', '-25:01:02'].map(hasLongHours)).toEqual([true, true, true]);
    expect(['23:59:59', '24:00', '1.02:03:04', '3 days', '5', '24:60:00'].map(hasLongHours)).not.toContain(true);
  });

  it.each([null, undefined, true, {}, NaN, Infinity, '', 'P', 'PT', 'P1DT', 'P1Y', 'P1M', 'soon'])(
    'returns undefined for %p',
    (value) => {
      expect(toMilliseconds(value)).toBeUndefined();
    },
  );
});
