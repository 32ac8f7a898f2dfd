import { setTimeout as sleep } from 'node:timers/promises';

/** Longest total wait for a database that is locked, restarting, or choosing us as the victim of deadlocks. */
export const PATIENCE_MS = 15_000;

/**
 * Waits before the next try: a little at first, doubling up to 200 ms, each time by a random part so that rivals do not
 * meet again. Real time on purpose, not the engine's clock: it is the database that must get on, also under a test's
 * virtual clock.
 */
export function backoff(attempt: number): Promise<void> {
  const longest = Math.min(200, 2 * 2 ** attempt);
  return sleep(1 + Math.random() * longest);
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
