import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@waymark/runtime/adapter';

/** Longest total wait for a database that is locked, restarting, or choosing us as the victim of deadlocks. */
export const PATIENCE_MS = 15_000;

const PAUSES = { firstMs: 4, longestMs: 200 };

/**
 * Waits before the next try. Real time on purpose, not the engine's clock: it is the database that must get on, also under a
 * test's virtual clock.
 */
export function backoff(attempt: number): Promise<void> {
  return sleep(backoffMs(attempt, PAUSES));
}

/** Runs `body` until it succeeds, fails for good, or the patience is at an end. */
export async function retrying<T>(body: () => Promise<T> | T, isTransient: (error: unknown) => boolean): Promise<T> {
  const start = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await body();
    } catch (error) {
      if (!isTransient(error) || performance.now() - start > PATIENCE_MS) throw error;
    }
    await backoff(attempt);
  }
}
