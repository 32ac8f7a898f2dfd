import { useSyncExternalStore } from 'react';

const TICK_MS = 30_000;

let tick = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    tick += 1;
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Draws again as minutes go by: on a page to which nothing new comes, "just now" would be true for hours. */
export const useMinute = (): number => useSyncExternalStore(subscribe, () => tick);
