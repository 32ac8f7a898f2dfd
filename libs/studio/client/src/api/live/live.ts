import { useEffect, useSyncExternalStore } from 'react';
import { ApiError } from '../api-error.js';
import { isGranted, READ_DEFINITIONS, READ_INSTANCES, READ_RUNTIME } from '../permissions.js';
import { send } from '../request.js';
import { scheduleByBrowser } from '../schedule-by-browser.js';
import { session } from '../session.js';
import { LiveStream } from './live-stream.js';

/** With one of these there is something that the server tells. */
const TOLD = [...READ_DEFINITIONS, READ_INSTANCES, ...READ_RUNTIME];

/** The one of this tab. */
export const live = new LiveStream({
  open: async (query, signal) => {
    // As the server would answer.
    if (!isGranted(session.authorization, TOLD)) throw new ApiError({ status: 403 });
    return send('GET', 'events/stream', { query: { ...query }, signal });
  },
  schedule: scheduleByBrowser,
  random: Math.random,
});

export const useIsLive = (): boolean => useSyncExternalStore(live.watch, () => live.isOn);

/** How often to ask for what the server tells by itself: `false`, never, while it does. For `refetchInterval`. */
export function usePolling(milliseconds: number): number | false {
  return useIsLive() ? false : milliseconds;
}

const tellsOfOperations = () => live.tells('operations');

/** The same of queues, dead letters, tasks, schedules and nodes, of which the server tells those who may see its runtime. */
export function useOperationsPolling(milliseconds: number): number | false {
  return useSyncExternalStore(live.watch, tellsOfOperations) ? false : milliseconds;
}

/** While this is shown, the server tells what becomes of these instances, and of no others. */
export function useFollowed(instanceIds: readonly string[]): void {
  // As JSON: applications choose ids, and may choose any character.
  const text = JSON.stringify(instanceIds);
  useEffect(() => (text === '[]' ? undefined : live.follow(JSON.parse(text) as string[])), [text]);
}
