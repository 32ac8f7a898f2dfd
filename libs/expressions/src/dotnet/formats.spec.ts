import { describe, expect, it, test } from '@jest/globals';
import { findCulture } from './culture.js';
import { type ClockDate, formatClockDate } from './date-format.js';
import { readDate, readExactDate } from './date-parse.js';
import { formatNumber } from './number-format.js';
import { writeTimeSpan } from './time-span-format.js';
import { zoneOffset } from './time-zones.js';

// Expected texts are those of .NET 8.
const AT = Date.UTC(2024, 1, 9, 14, 5, 7, 80);
const utc: ClockDate = { wallMs: AT, offset: 0, kind: 'Utc' };
const offset: ClockDate = { wallMs: AT, offset: -330, kind: 'Offset' };

describe('a date', () => {
  test.each([
    ['d', '02/09/2024'],
    ['D', 'Friday, 09 February 2024'],
    ['f', 'Friday, 09 February 2024 14:05'],
    ['F', 'Friday, 09 February 2024 14:05:07'],
    ['g', '02/09/2024 14:05'],
    ['G', '02/09/2024 14:05:07'],
    ['M', 'February 09'],
    ['o', '2024-02-09T14:05:07.0800000Z'],
    ['R', 'Fri, 09 Feb 2024 14:05:07 GMT'],
    ['s', '2024-02-09T14:05:07'],
    ['t', '14:05'],
    ['T', '14:05:07'],
    ['u', '2024-02-09 14:05:07Z'],
    ['Y', '2024 February'],
    [undefined, '02/09/2024 14:05:07'],
    ['yyyy-MM-dd HH:mm:ss', '2024-02-09 14:05:07'],
    ['d/M/yy h:mm tt', '9/2/24 2:05 PM'],
    ['ddd dddd MMM MMMM y', 'Fri Friday Feb February 24'],
    ['%d', '9'],
    ['ss.fff ss.ff ss.FFF ss.F', '07.080 07.08 07.08 07'],
    ['\'year\' yyyy \\d\\d "x"', 'year 2024 dd x'],
    ['HH:mm z zz zzz K', '14:05 +0 +00 +00:00 Z'],
  ])('%s', (format, expected) => expect(formatClockDate(utc, format)).toBe(expected));

  test.each([
    [undefined, '02/09/2024 14:05:07 -05:30'],
    ['o', '2024-02-09T14:05:07.0800000-05:30'],
    ['u', '2024-02-09 19:35:07Z'],
    ['r', 'Fri, 09 Feb 2024 19:35:07 GMT'],
    ['zzz K', '-05:30 -05:30'],
  ])('a date with an offset is written in the format %s', (format, expected) =>
    expect(formatClockDate(offset, format)).toBe(expected),
  );

  test.each([
    ['d', 'de-DE', '09.02.2024'],
    ['d', 'en-US', '2/9/2024'],
    ['t', 'en-US', '2:05 PM'],
    ['D', 'fr-FR', 'vendredi 9 février 2024'],
    ['d MMMM yyyy', 'lt-LT', '9 vasario 2024'],
    ['s', 'de-DE', '2024-02-09T14:05:07'],
    ['dddd', 'xx-such-culture', 'Friday'],
  ])('%s in %s', (format, culture, expected) =>
    expect(formatClockDate(utc, format, findCulture(culture))).toBe(expected),
  );

  test.each(['Q', "'open", 'ffffffff', 'x'.repeat(501)])('is refused with %s', (format) =>
    expect(() => formatClockDate(utc, format)).toThrow(expect.objectContaining({ name: 'FormatException' })),
  );

  it('is read, or refused', () => {
    expect(readDate('2024-02-09T14:05:07.08-05:30')).toEqual({ wallMs: AT, offset: -330 });
    expect(readDate('02/09/2024 02:05:07 PM')).toEqual({ wallMs: AT - 80, offset: undefined });
    expect(readDate('Fri, 09 Feb 2024 14:05:07 GMT')).toEqual({ wallMs: AT - 80, offset: 0 });
    for (const text of [
      '',
      'x',
      '2024-02-30',
      '2024-13-01',
      '1/2/2024 13:00 PM',
      '2024-01-01 24:00',
      '2024-02-09T14:05:07+99:99',
      '2024-02-09T14:05:07+02:60',
      '2024-02-09T14:05:07 -14:01',
      'Fri, 09 Feb 2024 14:05:07 +15',
      `${'9'.repeat(200)}`,
    ])
      expect(() => readDate(text)).toThrow(expect.objectContaining({ name: 'FormatException' }));
    expect(readExactDate('09.02.24', 'dd.MM.yy').wallMs).toBe(Date.UTC(2024, 1, 9));
    for (const [text, format] of [
      ['9.2.24', 'dd.MM.yy'],
      ['2024-02-09 +99:99', 'yyyy-MM-dd zzz'],
      ['x', 'yyyy yyyy'],
      ['x', 'g g'],
      ['5', 'ddd'],
      // Named like a member of every object.
      ['x', 'toString'],
      ['x'.repeat(200), "dddd''".repeat(22)],
    ] as const)
      expect(() => readExactDate(text, format)).toThrow(expect.objectContaining({ name: 'FormatException' }));
  });
});

describe('a number', () => {
  test.each<[number, string | undefined, string]>([
    [1234567.891, 'N', '1,234,567.89'],
    [1234567.891, 'N0', '1,234,568'],
    [-1234.5, 'n1', '-1,234.5'],
    [-0.001, 'N2', '0.00'],
    [1.005, 'N2', '1.01'],
    [2.5, 'F0', '3'],
    [1234.5, 'F', '1234.50'],
    [0, 'F2', '0.00'],
    [42, 'D5', '00042'],
    [-42, 'D5', '-00042'],
    [255, 'X', 'FF'],
    [255, 'x4', '00ff'],
    [-1, 'X', 'FFFFFFFF'],
    [0.1234, 'P', '12.34 %'],
    [0.5, 'P0', '50 %'],
    [1234.5, 'C', '¤1,234.50'],
    [-1234.5, 'C', '(¤1,234.50)'],
    [12345.678, 'E2', '1.23E+004'],
    [12345.678, 'e', '1.234568e+004'],
    [1234.5, 'G', '1234.5'],
    [1234.5, 'G2', '1.2E+03'],
    [1234.5, undefined, '1234.5'],
    [1e21, 'F0', '1000000000000000000000'],
    [1e-7, 'F9', '0.000000100'],
    [1234.5, '#,##0.00', '1,234.50'],
    [0.5, '#.##', '.5'],
    [0, '#.##', ''],
    [5, '000', '005'],
    [1234567, '0,0', '1,234,567'],
    [1234567, '0,,.0 M', '1.2 M'],
    [0.256, '0.0%', '25.6%'],
    [-5, '0.00;(0.00);none', '(5.00)'],
    [0, '0.00;(0.00);none', 'none'],
    [0.001, '0.00;(0.00);none', 'none'],
    [-5, "0 'pieces'", '-5 pieces'],
    [5551234567, '(000) 000-0000', '(555) 123-4567'],
    [3, '\\#0', '#3'],
    [NaN, 'N', 'NaN'],
    [-Infinity, 'N', '-Infinity'],
  ])('%d as %s', (value, format, expected) => expect(formatNumber(value, format)).toBe(expected));

  test.each([
    [1234.5, 'N2', 'de-DE', '1.234,50'],
    [1234.5, 'C', 'en-US', '$1,234.50'],
    [-1234.5, 'C', 'en-US', '-$1,234.50'],
    [1234.5, 'C2', 'de-DE', '1.234,50\u00a0€'],
    [1234.5, 'C', 'ja-JP', '￥1,235'],
    [0.5, 'P0', 'en-US', '50%'],
    [1234567.5, '#,##0.00', 'fr-FR', '1\u202f234\u202f567,50'],
  ])('%d as %s in %s', (value, format, culture, expected) =>
    expect(formatNumber(value, format, findCulture(culture))).toBe(expected),
  );

  test.each<[number, string]>([
    [1.5, 'D'],
    [1.5, 'X'],
    [1, 'Z'],
    [1, 'N101'],
  ])('%d is refused with %s', (value, format) =>
    expect(() => formatNumber(value, format)).toThrow(expect.objectContaining({ name: 'FormatException' })),
  );
});

test.each<[number, string | undefined, string]>([
  [90_061_001, undefined, '1.01:01:01.0010000'],
  [-90_061_001.5, 'c', '-1.01:01:01.0015000'],
  [61_000, 'hh\\:mm\\:ss', '00:01:01'],
  [90_061_001, "d'd 'h'h'", '1d 1h'],
  [1500, 's\\.FFF', '1.5'],
  [-61_000, 'g', '-0:01:01'],
])('a time span of %d ms as %s', (ms, format, expected) => expect(writeTimeSpan(ms, format)).toBe(expected));

test.each(['hh:mm', 'x', 'hhh', 'ffffffff'])('a time span is refused with %s', (format) =>
  expect(() => writeTimeSpan(1, format)).toThrow(expect.objectContaining({ name: 'FormatException' })),
);

test('zones have names of IANA and of Windows', () => {
  const summer = Date.UTC(2024, 6, 1);
  expect(
    ['Europe/Berlin', 'W. Europe Standard Time', 'UTC', 'Asia/Kolkata', 'America/New_York', 'Nowhere'].map((name) =>
      zoneOffset(name, summer),
    ),
  ).toEqual([120, 120, 0, 330, -240, undefined]);
  expect(zoneOffset('Europe/Berlin', Date.UTC(2024, 0, 1))).toBe(60);
});
