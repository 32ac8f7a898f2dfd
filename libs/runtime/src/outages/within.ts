import type { WorkflowClock } from '../clock/workflow-clock.js';

/**
 * Waits for work, but no longer than so many milliseconds; the work itself continues.
 * @returns undefined when the time is over
 * @throws what the work rejects with in time; afterwards nothing
 */
export async function within<T>(clock: WorkflowClock, ms: number, work: Promise<T>): Promise<{ value: T } | undefined> {
  let cancel = (): void => undefined;
  const deadline = new Promise<undefined>((resolve) => {
    cancel = clock.setTimer(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work.then((value) => ({ value })), deadline]);
  } finally {
    cancel();
  }
}
