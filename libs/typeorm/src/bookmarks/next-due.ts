import type { LookAhead } from '@waymark/runtime/adapter';
import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';

/**
 * What is due next, in one read of the first rows of three indexes: idle nodes ask again and again. Claimed bookmarks are those
 * that are being resumed now, so there are few to pass over.
 */
export function nextDue(
  dialect: Dialect,
  { triggers, schedules, bookmarks }: Pick<Tables, 'triggers' | 'schedules' | 'bookmarks'>,
  { lookAheadMs, ...given }: LookAhead,
): Statement {
  const now = sqlTime(dialect, given);
  const end = shifted(dialect, now, lookAheadMs);
  const first = (table: string, condition: string) =>
    `(SELECT due_at FROM ${table} WHERE ${condition} ORDER BY due_at LIMIT 1)`;
  const free = `due_at <= ${now.sql} AND (claimed_until IS NULL OR claimed_until <= ${now.sql})`;
  const coming = `due_at > ${now.sql} AND due_at <= ${end.sql}`;
  return {
    sql:
      `SELECT ${now.sql} AS now_ms, ${first(triggers, `due_at <= ${end.sql}`)} AS trigger_at, ` +
      `${first(schedules, `due_at <= ${end.sql}`)} AS schedule_at, ` +
      `${first(bookmarks, free)} AS free_at, ${first(bookmarks, coming)} AS bookmark_at`,
    params: [now, end, end, now, now, now, end].flatMap(({ params }) => params),
  };
}
