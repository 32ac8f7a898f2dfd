import { MessageConsumedError } from '@waymark/runtime/adapter';
import type { SqlDatabase } from '../database/sql-database.js';
import type { Statement } from '../database/statement.js';
import type { Tables } from '../dialect/tables.js';

/** Uses up the message that asks for what follows. First of its transaction, as in a commit. @param id undefined: there is none */
export function consuming({ outbox }: Pick<Tables, 'outbox'>, id: string | undefined): Statement[] {
  if (id === undefined) return [];
  return [{ sql: `DELETE FROM ${outbox} WHERE id = ?`, params: [id], expect: { affected: 1 } }];
}

/** Why such a transaction was refused; undefined: the message is there. */
export async function consumedError(
  database: SqlDatabase,
  { outbox }: Pick<Tables, 'outbox'>,
  id: string | undefined,
): Promise<MessageConsumedError | undefined> {
  if (id === undefined) return undefined;
  const rows = await database.read({ sql: `SELECT id FROM ${outbox} WHERE id = ?`, params: [id] });
  return rows.length === 0 ? new MessageConsumedError(id) : undefined;
}
