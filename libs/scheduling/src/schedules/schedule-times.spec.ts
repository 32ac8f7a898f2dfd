import { expect, it } from '@jest/globals';
import { atInterval, byCron, onceAt } from './schedule-times.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const until = new Date(NOW + 1000);

it.each([
  ['a time that is over', () => onceAt('x', new Date(NOW), NOW), 'is in the past'],
  ['an end that is over', () => atInterval('x', '01:00:00', { until: new Date(NOW - 1) }, NOW), 'is in the past'],
  ['an end before the first interval', () => atInterval('x', '01:00:00', { until }, NOW), 'lies before its first time'],
  ['an end before the first match', () => byCron('x', '0 0 * * *', { until }, NOW), 'lies before its first time'],
])('says why a schedule would never fire: %s', (_, schedule, reason) => {
  expect(schedule).toThrow(expect.objectContaining({ code: 'WM6030', message: expect.stringContaining(reason) }));
});
