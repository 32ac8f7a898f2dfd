import { deserialize } from '@waymark/core/adapter';
import type { BookmarkPattern } from '@waymark/runtime';
import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { columnMap } from '../rows/column-map.js';
import { toText } from '../rows/column-values.js';
import { date, text } from '../rows/member-columns.js';
import { serialize } from '../rows/stored-text.js';

export const PATTERN = columnMap<Omit<BookmarkPattern, 'unreadable'>>()({
  hash: text('hash'),
  name: text('name'),
  data: {
    members: ['payload'],
    write: ({ name, payload }) => serialize({ payload }, `pattern of "${name}"`),
    read: (value, pattern) => {
      pattern.payload = deserialize<Pick<BookmarkPattern, 'payload'>>(toText(value)).payload;
    },
  },
  announced_at: date('announcedAt'),
});

/** Inserts patterns, or says that they are still in use. In the order of their keys: two commits cannot wait for each other. */
export function announcePatterns(dialect: Dialect, tables: Tables, patterns: readonly BookmarkPattern[]): Statement[] {
  const rows = patterns.toSorted((left, right) => (left.hash < right.hash ? -1 : 1)).map(PATTERN.values);
  const suffix = `${dialect.onKnown('hash')} announced_at = ${dialect.newValue('announced_at')}`;
  return insertRows(dialect, tables.patterns, PATTERN.names, rows, suffix);
}
