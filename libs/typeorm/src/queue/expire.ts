import type { ExpiredRows, QueueExpiry } from '@waymark/runtime/adapter';
import type { Work } from '../database/sql-database.js';
import type { Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import { toNumber, toText } from '../rows/column-values.js';
import { toDeadLetters } from './dead-letters.js';

/** Nodes that do this at the same time take different rows. Each look goes along an index by time, and ends at the limit. */
export function* expiring(
  dialect: Dialect,
  tables: Tables,
  { keepDeadLettersMs, limit, ...given }: QueueExpiry,
): Work<ExpiredRows> {
  const now = sqlTime(dialect, given);
  const kept = shifted(dialect, now, -keepDeadLettersMs);
  const { queue, queue_keys, dead_letters } = tables;
  const [expired, old, over] = yield [
    {
      sql: `SELECT seq, id FROM ${queue} WHERE expires_at <= ${now.sql} ORDER BY expires_at, seq LIMIT ?${dialect.skipLocked}`,
      params: [...now.params, limit],
    },
    {
      sql: `SELECT id FROM ${dead_letters} WHERE dead_lettered_at < ${kept.sql} ORDER BY dead_lettered_at LIMIT ?${dialect.skipLocked}`,
      params: [...kept.params, limit],
    },
    {
      sql: `SELECT idempotency_key FROM ${queue_keys} WHERE expires_at <= ${now.sql} ORDER BY expires_at LIMIT ?${dialect.skipLocked}`,
      params: [...now.params, limit],
    },
  ];
  const purged = (old?.rows ?? []).map((row) => toText(row.id));
  const forgotten = (over?.rows ?? []).map((row) => toText(row.idempotency_key));
  const statements = [
    ...deleteRows(dialect, dead_letters, 'id', purged),
    ...deleteRows(dialect, queue_keys, 'idempotency_key', forgotten),
  ];
  // By the number under which the rows are locked: by id, MySQL would lock another index after them and could deadlock.
  const moved = expired?.rows ?? [];
  if (moved.length > 0) {
    const numbers = moved.map((row) => toNumber(row.seq));
    const ids = moved.map((row) => toText(row.id));
    const selection = { selected: condition(dialect, 'seq', numbers), earlier: condition(dialect, 'id', ids) };
    statements.push(...toDeadLetters(tables, selection, 'Expired', now));
  }
  if (statements.length > 0) yield statements;
  return { expired: moved.length, purged: purged.length, forgotten: forgotten.length };
}

function condition(dialect: Dialect, column: string, values: readonly (string | number)[]): Statement {
  const { where, params } = new Conditions(dialect).oneOf(column, values);
  return { sql: where.replace(' WHERE ', ''), params };
}
