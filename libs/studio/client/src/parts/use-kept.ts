import { useState } from 'react';
import { session } from '../api/session.js';

/** What was filled in and not sent, by what it is of. */
const kept = new Map<string, unknown>();

let { person } = session;
session.subscribe(() => {
  if (session.person === person) return;
  person = session.person;
  kept.clear();
});

/**
 * A state that is there again when what shows it comes back, until the page is loaded anew: people look at another task before they complete
 * one. @param name of what it is of @returns the last one forgets it, once it was sent
 */
export function useKept<T>(name: string, initial: () => T): readonly [T, (next: T) => void, () => void] {
  const [value, setValue] = useState(() => (kept.has(name) ? (kept.get(name) as T) : initial()));
  const change = (next: T) => {
    kept.set(name, next);
    setValue(next);
  };
  return [value, change, () => void kept.delete(name)];
}
