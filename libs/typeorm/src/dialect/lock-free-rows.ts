import type { Work } from '../database/sql-database.js';
import { chunksOf } from '../database/statement.js';
import { toText } from '../rows/column-values.js';
import { Conditions } from './conditions.js';
import type { Dialect } from './dialect.js';

/** Rows to look at for each that a node removes: as many nodes find rows that none of the others is removing. */
export const CANDIDATES_PER_ROW = 4;

/** Rows that are removed when they have been there for long. */
export interface OldRows {
  readonly table: string;
  /** Column of the primary key. */
  readonly key: string;
  /** Keys, in the order in which they are to go: some of the rows may be gone or have changed since they were found. */
  readonly candidates: readonly string[];
  /** What must still hold of a row. */
  readonly isOld?: (conditions: Conditions) => Conditions;
}

/**
 * Locks rows, `limit` at most, leaving those that other transactions have to them: nodes that remove rows at the same time
 * share them, and none waits. By the primary key, among rows that were found before without a lock: MySQL would lock all
 * that it reads for sorting.
 * @returns the keys, sorted as every node deletes them
 */
export function* lockFreeRows(
  dialect: Dialect,
  { table, key, candidates, isOld = (conditions) => conditions }: OldRows,
  limit: number,
): Work<string[]> {
  const locked: string[] = [];
  for (const chunk of chunksOf(candidates, limit)) {
    const { where, params } = isOld(new Conditions(dialect).oneOf(key, chunk));
    const [found] = yield [
      {
        sql: `SELECT ${key} FROM ${table}${dialect.byPrimaryKey}${where} LIMIT ?${dialect.skipLocked}`,
        params: [...params, limit - locked.length],
      },
    ];
    locked.push(...(found?.rows ?? []).map((row) => toText(row[key])));
    if (locked.length === limit) break;
  }
  return locked.sort();
}
