import { isStoreOutage } from '@waymark/runtime/adapter';
import { Batches } from './batches.js';
import type { SqlDatabase } from './sql-database.js';

/** Queries under way at once: while the server answers one, those who got the answer before ask again. */
const LANES = 2;
const MAX_KEYS = 64;

/**
 * Look-ups of one kind. On a server, those wanted at the same time share a query; where no way has to be saved, each has
 * its own. A query begins after all of its callers have asked: they see what was committed before.
 * @param query answers in the order of the keys
 */
export function lookups<Key, Answer>(
  database: SqlDatabase,
  query: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): (key: Key) => Promise<Answer> {
  const alone = async (key: Key): Promise<Answer> => (await query([key]))[0] as Answer;
  if (!database.isRemote) return alone;
  const batches = new Batches<Key, Answer>({
    lanes: LANES,
    maxItems: MAX_KEYS,
    together: query,
    alone,
    // It was waited for already, and waiting once more for each would hold up the callers twice as long.
    isFinal: isStoreOutage,
    isOfAll: (error) => database.isOut && isStoreOutage(error),
  });
  return (key) => {
    const answer = batches.ask(key);
    database.expect(answer);
    return answer;
  };
}
