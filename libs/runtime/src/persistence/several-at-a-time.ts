import { isStoreOutage } from './persistence-errors.js';

/** One that failed. */
export interface Failed<T> {
  readonly item: T;
  readonly error: unknown;
}

/**
 * Does something with each item, so many at a time. One that fails leaves the others alone.
 * @param signal aborted: nothing more is begun
 * @throws the fault of the store that one of them met, once all that was begun has ended: the others would meet it as well
 */
export async function severalAtATime<T>(
  items: readonly T[],
  concurrency: number,
  task: (item: T) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<Failed<T>[]> {
  const failed: Failed<T>[] = [];
  const left = items.values();
  let outage: { readonly error: unknown } | undefined;
  const pool = async (): Promise<void> => {
    for (const item of left) {
      try {
        await task(item);
      } catch (error) {
        if (isStoreOutage(error)) outage ??= { error };
        else failed.push({ item, error });
      }
      if (outage || signal?.aborted) return;
    }
  };
  if (!signal?.aborted) await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, pool));
  if (outage) throw outage.error;
  return failed;
}
