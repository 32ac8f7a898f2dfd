import type { InstanceFilter } from '@waymark/runtime';
import type { IdPage } from '@waymark/runtime/adapter';
import type { SqlDatabase } from '../database/sql-database.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { toText } from '../rows/column-values.js';
import { instanceConditions, isOfFew } from './instance-conditions.js';

/** Rows that are looked at in one go, for each that is asked for: on SQLite, nothing else happens in the process meanwhile. */
const ROWS_PER_LOOK = 5;
/** After so many looks, few rows match, and sorting them costs less than to look at all others. */
const MOST_LOOKS = 10;

/**
 * Ids of the next instances that match, in their order. The index that finds them has another order, so each part of a plan for a hundred
 * thousand instances would sort all that are left. They are looked for among all rows in the order of ids, as long as many of these match.
 */
export async function nextIds(
  database: SqlDatabase,
  table: string,
  filter: InstanceFilter,
  page: IdPage,
): Promise<string[]> {
  if (isOfFew(filter)) return find(database, table, filter, page);
  const found: string[] = [];
  let after = page.after ?? '';
  for (let look = 0; look < MOST_LOOKS; look++) {
    const upTo = await endOfLook(database, table, { after, limit: page.limit * ROWS_PER_LOOK });
    const left = { after, limit: page.limit - found.length };
    found.push(...(await findInOrder(database, table, filter, { ...left, upTo })));
    if (found.length >= page.limit || upTo === undefined) return found;
    after = upTo;
  }
  const left = { after, limit: page.limit - found.length };
  return [...found, ...(await find(database, table, filter, left))];
}

async function endOfLook(database: SqlDatabase, table: string, { after, limit }: IdPage): Promise<string | undefined> {
  const rows = `${table}${database.dialect.byPrimaryKey}`;
  const sql = `SELECT id FROM ${rows} WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?`;
  const [row] = await database.read({ sql, params: [after ?? '', limit - 1] });
  return row && toText(row.id);
}

async function find(
  database: SqlDatabase,
  table: string,
  filter: InstanceFilter,
  { after, limit }: IdPage,
): Promise<string[]> {
  const conditions = instanceConditions(database.dialect, filter);
  if (after !== undefined) conditions.add('id > ?', after);
  const sql = `SELECT id FROM ${table}${conditions.where} ORDER BY id LIMIT ?`;
  const rows = await database.read({ sql, params: [...conditions.params, limit] });
  return rows.map((row) => toText(row.id));
}

interface Look extends IdPage {
  readonly after: string;
  /** The last row that is looked at. @default the last one of all */
  readonly upTo: string | undefined;
}

async function findInOrder(
  database: SqlDatabase,
  table: string,
  filter: InstanceFilter,
  { after, upTo, limit }: Look,
): Promise<string[]> {
  const { dialect } = database;
  const range = new Conditions(dialect).add('id > ?', after);
  if (upTo !== undefined) range.add('id <= ?', upTo);
  const { where, params } = instanceConditions(dialect, filter, true);
  const rows = await database.read({
    sql: `SELECT id FROM (${rowsInOrder(dialect, table, range.where)}) looked${where} ORDER BY id LIMIT ?`,
    params: [...range.params, ...params, limit],
  });
  return rows.map((row) => toText(row.id));
}

/** SQLite and MySQL merge it with the statement around it. For PostgreSQL, OFFSET keeps it a range of the primary key. */
function rowsInOrder(dialect: Dialect, table: string, range: string): string {
  const rows = `SELECT * FROM ${table}${dialect.byPrimaryKey}${range}`;
  return dialect.family === 'postgres' ? `${rows} ORDER BY id OFFSET 0` : rows;
}
