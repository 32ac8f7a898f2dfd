import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, type BackoffSteps } from '@waymark/runtime/adapter';

/** Longest total wait for a database that is locked, restarting, or choosing us as the victim of deadlocks. */
export const PATIENCE_MS = 15_000;

const PAUSES: BackoffSteps = { firstMs: 4, longestMs: 200 };

/**
 * For a SQLite file that another process is writing to, which takes some milliseconds. It begins its next transaction soon after,
 * so that one who waited longer would find the file locked again, hold back all of its own writes, and leave the file idle. With
 * pauses of 20 ms, one of three busy processes had waited for half a second with the messages that it had claimed when the
 * others had done the rest. A try costs some hundredths of a millisecond.
 */
export const LOCKED_FILE_PAUSES: BackoffSteps = { firstMs: 1, longestMs: 4 };

/**
 * Waits before the next try. Real time on purpose, not the engine's clock: it is the database that must get on, also under a
 * test's virtual clock.
 */
export function backoff(attempt: number, pauses = PAUSES): Promise<void> {
  return sleep(backoffMs(attempt, pauses));
}

export interface Retries {
  readonly pauses?: BackoffSteps;
  /** From when on the patience counts, by `performance.now()`; asked after each failure. @default the first try */
  readonly since?: () => number;
}

/** Runs `body` until it succeeds, fails for good, or the patience is at an end. */
export async function retrying<T>(
  body: () => Promise<T> | T,
  isTransient: (error: unknown) => boolean,
  { pauses = PAUSES, since }: Retries = {},
): Promise<T> {
  const start = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await body();
    } catch (error) {
      if (!isTransient(error) || performance.now() - (since?.() ?? start) > PATIENCE_MS) throw error;
    }
    await backoff(attempt, pauses);
  }
}
