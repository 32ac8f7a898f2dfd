import type { ClaimedBookmarks, DueClaimOptions } from '@waymark/runtime';
import type { Work } from '../database/sql-database.js';
import type { Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { time, toNumber, toText } from '../rows/column-values.js';
import { BOOKMARK_COLUMNS, toBookmark } from './bookmark-rows.js';

// `claimed_until` is the end of a lease while `claimed_by` says whose, else the time before which nobody is to try again.
// It is in no index: claims are few, and every claim would pay for it.

/**
 * Rows that somebody else is claiming or consuming are skipped: nobody waits here while holding a row, so claims and commits
 * cannot lock each other out.
 */
export function* claimingDue(
  dialect: Dialect,
  bookmarks: string,
  { owner, limit, leaseMs, now, until }: DueClaimOptions,
): Work<ClaimedBookmarks> {
  const at = time(now);
  const [found] = yield [
    {
      sql:
        `SELECT ${BOOKMARK_COLUMNS.join(', ')} FROM ${bookmarks} ` +
        'WHERE due_at <= ? AND (claimed_until IS NULL OR claimed_until <= ?) ' +
        `ORDER BY due_at, id LIMIT ?${dialect.skipLocked}`,
      params: [at, at, limit],
    },
  ];
  const rows = found?.rows ?? [];
  const ids = rows.map((row) => toText(row.id));
  const ahead = rows.length < limit ? nextStatements(bookmarks, at, time(until)) : [];
  const results = yield [...ahead, ...claimStatements(dialect, bookmarks, ids, owner, at + leaseMs)];
  const times = results.slice(0, ahead.length).flatMap(({ rows: [row] }) => row?.next_at ?? []);
  const nextAt = times.length === 0 ? undefined : new Date(Math.min(...times.map(toNumber)));
  return { bookmarks: rows.map(toBookmark), nextAt };
}

/** Each reads one row, or those that are being resumed now; before the claim, which is nothing to wake for. */
function nextStatements(bookmarks: string, now: number, until: number): Statement[] {
  return [
    {
      sql: `SELECT due_at AS next_at FROM ${bookmarks} WHERE due_at > ? AND due_at <= ? ORDER BY due_at LIMIT 1`,
      params: [now, until],
    },
    {
      sql: `SELECT MIN(claimed_until) AS next_at FROM ${bookmarks} WHERE due_at <= ? AND claimed_until > ? AND claimed_until <= ?`,
      params: [now, now, until],
    },
  ];
}

function claimStatements(
  dialect: Dialect,
  bookmarks: string,
  ids: readonly string[],
  owner: string,
  leaseEnds: number,
): Statement[] {
  if (ids.length === 0) return [];
  const { where, params } = new Conditions(dialect).oneOf('id', ids);
  return [
    { sql: `UPDATE ${bookmarks} SET claimed_by = ?, claimed_until = ?${where}`, params: [owner, leaseEnds, ...params] },
  ];
}

export function* renewingClaims(
  dialect: Dialect,
  bookmarks: string,
  ids: readonly string[],
  owner: string,
  leaseEnds: Date,
): Work<string[]> {
  // In one order everywhere, so that two nodes cannot wait for each other.
  const mine = new Conditions(dialect).oneOf('id', [...ids].sort()).equals('claimed_by', owner);
  const [, found] = yield [
    { sql: `UPDATE ${bookmarks} SET claimed_until = ?${mine.where}`, params: [time(leaseEnds), ...mine.params] },
    { sql: `SELECT id FROM ${bookmarks}${mine.where}`, params: mine.params },
  ];
  return (found?.rows ?? []).map((row) => toText(row.id));
}

export function releaseStatement(bookmarks: string, id: string, owner: string, availableAt: Date): Statement {
  return {
    sql: `UPDATE ${bookmarks} SET claimed_by = NULL, claimed_until = ? WHERE id = ? AND claimed_by = ?`,
    params: [time(availableAt), id, owner],
  };
}
