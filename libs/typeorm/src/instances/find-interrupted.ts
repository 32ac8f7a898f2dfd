import type { InterruptedInstanceIds, InterruptedOptions } from '@waymark/runtime/adapter';
import type { SqlDatabase } from '../database/sql-database.js';
import { chunksOf } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import { toNumber, toText } from '../rows/column-values.js';

/** MariaDB makes a table of a list of a thousand values and more, and may then read all rows of the other one. */
const MESSAGES_AT_ONCE = 500;

/**
 * Looks at `limit` executing instances, in order of their ids along an index. Each look continues behind the one before: in the
 * order in which they fell silent, of which there is no index, each one would read and sort all of them.
 */
export async function findInterrupted(
  database: SqlDatabase,
  tables: Tables,
  { quietMs, limit, unlessMessage, executedBy, after, ...given }: InterruptedOptions,
): Promise<InterruptedInstanceIds> {
  const { dialect } = database;
  const before = shifted(dialect, sqlTime(dialect, given), -quietMs);
  const sign =
    executedBy === undefined
      ? { sql: `updated_at < ${before.sql}`, params: before.params }
      : { sql: `executed_by = ${dialect.joined('revision', "' '", dialect.textParam)}`, params: [executedBy] };
  const isQuiet = `CASE WHEN status = 'Running' AND ${sign.sql} THEN 1 ELSE 0 END`;
  const conditions = new Conditions(dialect).flag('is_executing', true);
  if (after !== undefined) conditions.add('id > ?', after);
  const { where, params } = conditions;
  const rows = await database.read({
    sql: `SELECT id, ${isQuiet} AS is_quiet FROM ${tables.instances}${where} ORDER BY id LIMIT ?`,
    params: [...sign.params, ...params, limit],
  });
  const quiet = rows.filter((row) => toNumber(row.is_quiet) === 1).map((row) => toText(row.id));
  return {
    ids: unlessMessage === undefined ? quiet : await unasked(database, tables, unlessMessage, quiet),
    next: rows.length === limit ? toText(rows.at(-1)!.id) : undefined,
  };
}

/** Those for which there is no message whose id is that text and theirs: by its index, whatever else is in the outbox. */
async function unasked(
  database: SqlDatabase,
  { outbox }: Tables,
  prefix: string,
  ids: readonly string[],
): Promise<string[]> {
  const asked = new Set<string>();
  for (const chunk of chunksOf(ids, MESSAGES_AT_ONCE)) {
    const names = chunk.map((id) => prefix + id);
    const { where, params } = new Conditions(database.dialect).oneOf('id', names);
    const rows = await database.read({ sql: `SELECT id FROM ${outbox}${where}`, params });
    for (const row of rows) asked.add(toText(row.id));
  }
  return ids.filter((id) => !asked.has(prefix + id));
}
