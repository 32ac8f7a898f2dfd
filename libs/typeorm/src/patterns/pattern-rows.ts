import { deserialize } from '@waymark/core';
import type { BookmarkPattern } from '@waymark/runtime';
import type { Row, Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { time, toDate, toText } from '../rows/column-values.js';
import { serialize } from '../rows/stored-text.js';

export const PATTERN_COLUMNS = ['hash', 'name', 'data', 'announced_at'] as const;

/** Inserts patterns, or says that they are still in use. In the order of their keys: two commits cannot wait for each other. */
export function announcePatterns(dialect: Dialect, tables: Tables, patterns: readonly BookmarkPattern[]): Statement[] {
  const rows = patterns
    .toSorted((left, right) => (left.hash < right.hash ? -1 : 1))
    .map(({ hash, name, payload, announcedAt }) => [
      hash,
      name,
      serialize({ payload }, `pattern of "${name}"`),
      time(announcedAt),
    ]);
  const suffix = `${dialect.onKnown('hash')} announced_at = ${dialect.newValue('announced_at')}`;
  return insertRows(dialect, tables.patterns, PATTERN_COLUMNS, rows, suffix);
}

export function toPattern(row: Row): BookmarkPattern {
  const { payload } = deserialize<Pick<BookmarkPattern, 'payload'>>(toText(row.data));
  return { hash: toText(row.hash), name: toText(row.name), payload, announcedAt: toDate(row.announced_at) };
}
