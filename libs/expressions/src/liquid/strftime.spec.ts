import { expect, it } from '@jest/globals';
import { writeDirectives } from './strftime.js';

const week = (wallMs: number): string =>
  writeDirectives(
    { ms: wallMs, wallMs, offset: 0 } as Parameters<typeof writeDirectives>[0],
    '%G-W%V-%u %g',
    () => undefined,
  );

it.each([
  ['2026-01-01', '2026-W01-4 26'],
  ['2024-12-30', '2025-W01-1 25'],
  ['2024-12-29', '2024-W52-7 24'],
  ['2023-01-01', '2022-W52-7 22'],
  ['2020-12-31', '2020-W53-4 20'],
  ['2021-01-03', '2020-W53-7 20'],
  ['2021-01-04', '2021-W01-1 21'],
  ['2009-01-01', '2009-W01-4 09'],
  ['2000-01-01', '1999-W52-6 99'],
  ['0050-01-05', '0050-W01-3 50'],
  ['+275760-09-13', '275760-W37-6 60'],
])('the week of %s, its year and its day are those of ISO 8601: %s', (date, expected) => {
  expect(week(Date.parse(date))).toBe(expected);
});
