import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';

/** A condition: there is no message whose id is that text and the row's id. Without the text it always holds. */
export function withoutMessage(
  dialect: Dialect,
  { outbox }: Tables,
  prefix: string | undefined,
  rowId: string,
): Statement {
  if (prefix === undefined) return { sql: '1 = 1', params: [] };
  const id = dialect.joined('?', rowId);
  return { sql: `NOT EXISTS (SELECT 1 FROM ${outbox} m WHERE m.id = ${id})`, params: [prefix] };
}
