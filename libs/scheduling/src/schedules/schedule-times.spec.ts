import { describe, expect, it } from '@jest/globals';
import { toMilliseconds } from '@waymark/core/adapter';
import type { TimerTriggerPayload } from '../activities/payloads.js';
import { shareOf } from '../triggers/trigger-timing.js';
import { atInterval, byCron, onceAt } from './schedule-times.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const until = new Date(NOW + 1000);

it.each([
  ['a time that is over', onceAt('x', new Date(NOW), NOW)],
  ['an end that is over', atInterval('x', '01:00:00', { until: new Date(NOW - 1) }, NOW)],
  ['an end before the first interval', atInterval('x', '01:00:00', { until }, NOW)],
  ['an end before the first match', byCron('x', '0 0 * * *', { until }, NOW)],
])('has no time left: %s', (_, { dueAt }) => {
  expect(dueAt).toBeNull();
});

describe('an interval of more than 23 hours', () => {
  it.each([
    ['24:00:00', 24],
    ['36:00', 36],
    ['1.12:00:00', 36],
    ['PT48H', 48],
  ])('%s is hours, also for a node that reads it as .NET does', (interval, hours) => {
    const { dueAt, payload } = atInterval('x', interval, {}, NOW);
    expect(dueAt!.getTime() - NOW).toBe(hours * 3_600_000);
    expect(toMilliseconds((payload as TimerTriggerPayload).interval)).toBe(hours * 3_600_000);
  });

  it('a jitter of 24:00:00 is a day', () => {
    const { payload } = atInterval('x', '48:00:00', { jitter: '24:00:00' }, NOW);
    expect((payload as TimerTriggerPayload).jitterMs).toBe(shareOf('1 day', ['schedule', 'x']));
  });
});
