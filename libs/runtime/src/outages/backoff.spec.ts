import { backoffMs } from './backoff.js';

it('backoffMs doubles up to the longest pause, of which half is random', () => {
  const steps = { firstMs: 100, longestMs: 1000 };
  for (const [faults, longest] of [100, 200, 400, 800, 1000, 1000].entries()) {
    const pauses = Array.from({ length: 200 }, () => backoffMs(faults, steps));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(longest / 2);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
    expect(new Set(pauses).size).toBeGreaterThan(100);
  }
  expect(backoffMs(5000, steps)).toBeLessThanOrEqual(1000);
});
