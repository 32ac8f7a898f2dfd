import { setTimeout as pause } from 'node:timers/promises';

/**
 * Between two looks, in milliseconds: a loop that only asks keeps a processor and a server busy, from which what it waits for has to come.
 */
export const LOOK_MS = 20;

/** Reads until it is so, with pauses. What never is runs into the time limit of its test. */
export async function until<T>(
  read: () => T | Promise<T>,
  isIt: (value: T) => boolean = Boolean,
  lookMs = LOOK_MS,
): Promise<T> {
  for (;;) {
    const value = await read();
    if (isIt(value)) return value;
    await pause(lookMs);
  }
}
