import type { Work } from '../database/sql-database.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import { toText } from '../rows/column-values.js';

/**
 * Writes the sign of life of bursts. A row that another transaction has locked is being committed, or held by hand: it is left out this time.
 * Waiting for it would keep those of all other bursts of the node from being written, and other nodes would take these over.
 */
export function* touching(
  dialect: Dialect,
  { instances }: Pick<Tables, 'instances'>,
  ids: readonly string[],
  now: Date | undefined,
): Work<void> {
  const executing = new Conditions(dialect).oneOf('id', [...ids].sort()).flag('is_executing', true);
  const [found] = yield [
    {
      sql: `SELECT id FROM ${instances}${dialect.byPrimaryKey}${executing.where}${dialect.skipLocked}`,
      params: executing.params,
    },
  ];
  const free = (found?.rows ?? []).map((row) => toText(row.id));
  if (free.length === 0) return;
  const at = sqlTime(dialect, { now });
  const { where, params } = new Conditions(dialect).oneOf('id', free);
  yield [{ sql: `UPDATE ${instances} SET updated_at = ${at.sql}${where}`, params: [...at.params, ...params] }];
}
