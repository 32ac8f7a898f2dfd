import { jest } from '@jest/globals';

/** Longer than half the time for which a store tries again to reach its database. */
const STEP_MS = 10_000;

/**
 * What looks how long it has tried finds that much time gone since it looked last: a store that cannot reach its database gives
 * up at the third attempt, and not after a quarter of a minute. Put back when the file ends, or by the spy that is returned.
 */
export function makeImpatient(): { mockRestore(): void } {
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  return jest.spyOn(performance, 'now').mockImplementation(() => now() + (aheadMs += STEP_MS));
}
