import type { SqlValue, Statement } from '../database/statement.js';
import type { Dialect } from './dialect.js';
import { rowLists } from './row-lists.js';

// Statement parameters are limited: 32,766 on SQLite, 65,535 on PostgreSQL.
const MAX_PARAMS = 20_000;

// Longer texts would be prepared rarely, and what is prepared costs memory on the server.
const MAX_PREPARED_ROWS = 32;

/** Inserts rows, in as few statements as the databases allow. None for no rows. */
export function insertRows(
  dialect: Dialect,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  suffix = '',
): Statement[] {
  // Each commit asks for all kinds of rows, and has few of them.
  if (rows.length === 0) return [];
  if (rows.length === 1) return [{ sql: textOfOneRow(table, columns, suffix), params: rows[0]! }];
  if (dialect.hasLists)
    return fittingParts(rows, dialect.maxStatementChars).map((part) => {
      const { values, source, params } = rowLists(columns, part);
      const select = `SELECT ${values.join(', ')} FROM ${source}`;
      return { sql: `INSERT INTO ${table} (${columns.join(', ')}) ${select}${suffix}`, params };
    });
  const most = Math.max(1, Math.floor(MAX_PARAMS / columns.length));
  const row = `(${columns.map(() => '?').join(', ')})`;
  const statements: Statement[] = [];
  for (let at = 0; at < rows.length;) {
    const left = Math.min(most, rows.length - at);
    const count = fitting(rows, at, dialect.keepsTexts ? roundDown(left) : left, dialect.maxStatementChars);
    const values = count === 1 ? row : Array.from({ length: count }, () => row).join(', ');
    statements.push({
      sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}${suffix}`,
      params: rows.slice(at, at + count).flat(),
    });
    at += count;
  }
  return statements;
}

/** By columns, table and suffix. Databases find what is prepared by the text: one that was looked up before need not be read again. */
const TEXTS = new WeakMap<readonly string[], Map<string, string>>();

function textOfOneRow(table: string, columns: readonly string[], suffix: string): string {
  let texts = TEXTS.get(columns);
  if (!texts) TEXTS.set(columns, (texts = new Map<string, string>()));
  const key = suffix === '' ? table : table + suffix;
  let text = texts.get(key);
  if (text === undefined) {
    text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})${suffix}`;
    texts.set(key, text);
  }
  return text;
}

/** Parts of the rows whose texts fit into one statement each. */
export function fittingParts(
  rows: readonly (readonly SqlValue[])[],
  maxChars: number,
): (readonly (readonly SqlValue[])[])[] {
  const parts: (readonly (readonly SqlValue[])[])[] = [];
  for (let at = 0; at < rows.length;) {
    const count = fitting(rows, at, rows.length - at, maxChars);
    parts.push(rows.slice(at, at + count));
    at += count;
  }
  return parts;
}

/** So many of them that their texts fit into one statement; one in any case. */
function fitting(rows: readonly (readonly SqlValue[])[], at: number, most: number, maxChars: number): number {
  let chars = 0;
  for (let count = 0; count < most; count++) {
    for (const value of rows[at + count]!) if (typeof value === 'string') chars += value.length;
    if (chars > maxChars && count > 0) return count;
  }
  return most;
}

/** A power of two, so that there are few different texts. */
function roundDown(count: number): number {
  return Math.min(MAX_PREPARED_ROWS, 2 ** Math.floor(Math.log2(count)));
}
