import { isOvertaken } from '../api/api-error.js';
import { newKey } from '../api/new-key.js';

const LONGEST = 60;
/** Ids with a number that are looked for. Further ones have a random end: all names without a Latin letter share one beginning. */
const NUMBERED = 100;
/** In which others may be faster by a moment. More often, something on the way to the server refuses what is sent. */
const MOST_ATTEMPTS = 10;

/** "Leave request (2026)" is `leave-request-2026`: what programs and addresses take without escaping. */
export function definitionIdFor(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST)
    .replace(/-$/, '');
}

/** The same, and the same with an end, as far as they are free. It does not end. @param takenOf which of these ids have a definition */
export async function* freeIds(
  wanted: string,
  takenOf: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): AsyncGenerator<string, never> {
  const numbered = Array.from({ length: NUMBERED }, (_, index) => (index === 0 ? wanted : `${wanted}-${index + 1}`));
  const taken = await takenOf(numbered);
  for (const id of numbered) if (!taken.has(id)) yield id;
  for (;;) yield `${wanted}-${newKey().slice(0, 8)}`;
}

/**
 * Stores something new under the first of these ids that is still free then.
 * @param store rejects with 412 when another person was faster
 * @throws ApiError of `store`
 */
export async function storeNew<T>(ids: AsyncIterable<string>, store: (id: string) => Promise<T>): Promise<T> {
  let attempt = 1;
  for await (const id of ids)
    try {
      return await store(id);
    } catch (error) {
      if (!isOvertaken(error) || attempt++ >= MOST_ATTEMPTS) throw error;
    }
  throw new Error('There was no id to try.');
}
