import { PersistenceError } from '@waymark/runtime';
import { backoff, PATIENCE_MS } from './backoff.js';
import { inOneGo, type SqlDatabase } from './sql-database.js';
import { RefusedStatement, type Result, type Statement } from './statement.js';

/**
 * Commits statements that carry expectations. When one is refused, the transaction is rolled back and `explain` looks for
 * the reason among what is committed by then, so that the good case pays nothing for the bad one. If there is no reason
 * any more (a key was given back, say), the whole is tried again: a key that many want may be free each time one looks,
 * and taken each time one tries.
 * @returns the results of the statements
 * @param explain the typed error, or undefined when nothing stands against the transaction
 */
export async function commitChecked(
  database: SqlDatabase,
  statements: readonly Statement[],
  explain: () => Promise<Error | undefined>,
): Promise<readonly Result[]> {
  const start = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await database.transact(() => inOneGo(statements));
    } catch (error) {
      if (!(error instanceof RefusedStatement)) throw error;
      const reason = await explain();
      if (reason) throw reason;
      if (performance.now() - start > PATIENCE_MS)
        throw new PersistenceError(`The database refused a change. ${error.message}`, { cause: error });
    }
    await backoff(attempt);
  }
}
