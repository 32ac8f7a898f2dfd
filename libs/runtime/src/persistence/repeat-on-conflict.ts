import { isWaymarkError } from '@waymark/core';

/** How often a burst is repeated when the same instance is concurrently committed. */
export const MAX_CONFLICTS = 20;

/** Another commit came first: what was computed from the old state is void, the new state decides. */
export async function repeatOnConflict<T>(task: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await task(attempt);
    } catch (error) {
      if (!isWaymarkError(error, 'WM7001') || attempt >= MAX_CONFLICTS) throw error;
    }
  }
}
