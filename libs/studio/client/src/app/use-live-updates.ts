import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { deadLettersKey } from '../api/dead-letters.js';
import { definitionsKey } from '../api/definitions.js';
import { isOutage } from '../api/failure-of.js';
import { instanceKey, instancesKey } from '../api/instances.js';
import { live } from '../api/live/live.js';
import { scheduleByBrowser } from '../api/schedule-by-browser.js';
import type { ServerEvent } from '../api/live/read-events.js';
import { Refresher } from '../api/live/refresher.js';
import { operationsKey } from '../api/operations.js';
import { runtimeKey } from '../api/runtime.js';
import { schedulesKey } from '../api/schedules.js';
import { session } from '../api/session.js';
import { tasksKey } from '../api/tasks.js';

/** An instance is one small read; lists and counts of many cost more. */
const ONE_MS = 300;
const MANY_MS = 2_000;

/**
 * Reads again what the server says has changed, as long as the tab is looked at: browsers open few connections to a server, and all
 * of their tabs share them.
 */
export function useLiveUpdates(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresher = new Refresher(scheduleByBrowser);
    const refresh = (queryKey: QueryKey, gapMs: number) =>
      refresher.want(JSON.stringify(queryKey), gapMs, () => client.invalidateQueries({ queryKey }));
    const stopListening = live.listen((event) => {
      // The server is back: what found no answer meanwhile is shown as a failure, and nothing else would ask for it again.
      if (event.name === 'ready')
        void client.refetchQueries({ type: 'active', predicate: ({ state }) => isOutage(state.error) });
      apply(event, refresh);
    });
    const follow = () => (document.hidden ? live.stop() : live.start());
    document.addEventListener('visibilitychange', follow);
    follow();
    let wasAsked = session.isAsked;
    const stopWatching = session.subscribe(() => {
      // Refused while the login was asked for, it would be asked again in some minutes only.
      if (wasAsked && !session.isAsked) {
        live.stop();
        follow();
      }
      wasAsked = session.isAsked;
    });
    return () => {
      stopWatching();
      document.removeEventListener('visibilitychange', follow);
      stopListening();
      live.stop();
    };
  }, [client]);
}

type Refresh = (queryKey: QueryKey, gapMs: number) => void;

function apply({ name, data }: ServerEvent, refresh: Refresh): void {
  // Events of operations, and those of instances that were deleted, are not sent again: what they said while nothing was heard is not
  // known.
  if (name === 'ready') {
    refreshOperations(refresh);
    refreshMany(refresh);
  }
  const { id, topic, isFresh } = data as { id?: string; topic?: string; isFresh?: boolean };
  if (name === 'instance-changed' || name === 'instance-deleted') {
    // The page reads the rest when its state says that something has changed.
    if (id !== undefined) refresh([...instanceKey(id), 'state'], ONE_MS);
    refreshMany(refresh);
  } else if (name === 'definition-changed' || name === 'definition-deleted') refresh(definitionsKey, MANY_MS);
  else if (name === 'operations-changed') refreshOperations(refresh);
  else if (name === 'reset' || (name === 'ready' && isFresh)) {
    if (topic !== 'definitions') {
      refresh([...instancesKey, 'one'], ONE_MS);
      refreshMany(refresh);
    }
    if (topic !== 'instances') refresh(definitionsKey, MANY_MS);
  }
}

function refreshMany(refresh: Refresh): void {
  refresh([...instancesKey, 'list'], MANY_MS);
  refresh([...instancesKey, 'count'], MANY_MS);
  refresh(operationsKey, MANY_MS);
  // A task is there when its instance waits for it, and gone when that goes on.
  refresh(tasksKey, MANY_MS);
}

function refreshOperations(refresh: Refresh): void {
  for (const key of [operationsKey, runtimeKey, deadLettersKey, schedulesKey, tasksKey]) refresh(key, MANY_MS);
}
