/** Long enough for what a timer starts; work that waits for a later timer is waited for in vain. */
export const PATIENCE_MS = 1000;

const ROUNDS = 3;

/** Lets everything run that waits for nothing but the event loop. */
export async function settle(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await new Promise((resolve) => setImmediate(resolve));
}

/** Calls back at once; a callback that throws rejects. */
export async function fire(callback: () => unknown): Promise<void> {
  await callback();
}

/**
 * Waits for the work that a timer's callback returned, but not without end: an activity may itself wait for the time to move
 * on.
 */
export async function settleWork(work: Promise<unknown>, patienceMs: number): Promise<void> {
  let isSettled = false;
  const noted = work.finally(() => (isSettled = true));
  noted.catch(() => {});
  await settle();
  if (isSettled) return void (await noted);
  let handle: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    handle = setTimeout(resolve, patienceMs);
  });
  try {
    await Promise.race([noted, patience]);
  } finally {
    clearTimeout(handle);
  }
  await settle();
}
