import { useState } from 'react';
import { ownerOf } from '../api/owner-of.js';
import { session } from '../api/session.js';
import { config } from '../app/config.js';
import type { FormSchema } from './form-values.js';
import { Kept } from './kept.js';

const kept = new Kept(
  () => sessionStorage,
  () => `${config.api} ${ownerOf(session.current ?? session.expired, session.ownPerson)}`,
);

let { person } = session;
session.subscribe(() => {
  if (session.person === person) return;
  person = session.person;
  kept.clear();
});

/**
 * A state that is there again when what shows it comes back, also after the page was loaded anew: people look at another task before they
 * complete one. @param name of what it is of @param schema of a form, whose passwords are not written down @returns the last one forgets it,
 * once it was sent
 */
export function useKept<T>(
  name: string,
  initial: () => T,
  schema?: FormSchema,
): readonly [T, (next: T) => void, () => void] {
  const [value, setValue] = useState(() => {
    const found = kept.get(name);
    return found ? (found.value as T) : initial();
  });
  const change = (next: T) => {
    kept.set(name, next, schema);
    setValue(next);
  };
  return [value, change, () => kept.delete(name)];
}
