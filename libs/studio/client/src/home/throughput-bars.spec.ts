import { expect, it } from '@jest/globals';
import { barsOf } from './throughput-bars.js';

it('shows each stretch of the hour, also where nothing happened', () => {
  const at = Date.UTC(2026, 0, 1, 10, 2);
  const slot = (minute: number, started: number) => ({
    from: new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString(),
    started,
    finished: 1,
    faulted: 0,
  });
  const bars = barsOf({ slotMs: 300_000, countedFrom: '', slots: [slot(0, 9), slot(5, 2), slot(60, 3)] }, at);
  expect(bars.map(({ started }) => started)).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
  expect(bars[0]).toEqual({ from: Date.UTC(2026, 0, 1, 9, 5), started: 2, finished: 1, faulted: 0 });
});
