import type { InstanceFilter } from '@waymark/runtime';
import type { IdPage } from '@waymark/runtime/adapter';
import type { SqlDatabase } from '../database/sql-database.js';
import { toText } from '../rows/column-values.js';
import { instanceConditions, isOfFew } from './instance-conditions.js';

/** Rows that are looked at in one go, for each that is asked for: nothing else happens in the process meanwhile. */
const ROWS_PER_LOOK = 5;
/** After so many looks, few rows match, and sorting them costs less than to look at all others. */
const MOST_LOOKS = 10;

/**
 * Ids of the next instances that match, in their order. The index that finds them has another order, so each part of a plan for a hundred
 * thousand instances would sort all that are left. On SQLite, which works within the process, they are looked for among all rows in the order
 * of ids, as long as many of these match.
 */
export async function nextIds(
  database: SqlDatabase,
  table: string,
  filter: InstanceFilter,
  page: IdPage,
): Promise<string[]> {
  if (database.dialect.family !== 'sqlite' || isOfFew(filter)) return find(database, table, filter, page);
  const found: string[] = [];
  let after = page.after ?? '';
  for (let look = 0; look < MOST_LOOKS; look++) {
    const upTo = await endOfLook(database, table, { after, limit: page.limit * ROWS_PER_LOOK });
    const left = { after, limit: page.limit - found.length };
    found.push(...(await find(database, table, filter, left, { upTo, isInOrder: true })));
    if (found.length >= page.limit || upTo === undefined) return found;
    after = upTo;
  }
  const left = { after, limit: page.limit - found.length };
  return [...found, ...(await find(database, table, filter, left))];
}

async function endOfLook(database: SqlDatabase, table: string, { after, limit }: IdPage): Promise<string | undefined> {
  const sql = `SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?`;
  const [row] = await database.read({ sql, params: [after ?? '', limit - 1] });
  return row && toText(row.id);
}

interface Look {
  readonly upTo?: string | undefined;
  /** If true, all rows are looked at in their order, by no other index. */
  readonly isInOrder?: boolean;
}

async function find(
  database: SqlDatabase,
  table: string,
  filter: InstanceFilter,
  { after, limit }: IdPage,
  { upTo, isInOrder }: Look = {},
): Promise<string[]> {
  const conditions = instanceConditions(database.dialect, filter, isInOrder);
  if (after !== undefined) conditions.add('id > ?', after);
  if (upTo !== undefined) conditions.add('id <= ?', upTo);
  const sql = `SELECT id FROM ${table}${conditions.where} ORDER BY id LIMIT ?`;
  const rows = await database.read({ sql, params: [...conditions.params, limit] });
  return rows.map((row) => toText(row.id));
}
