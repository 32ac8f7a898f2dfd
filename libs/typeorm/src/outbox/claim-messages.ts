import type { ClaimOptions } from '@waymark/runtime/adapter';
import type { Work } from '../database/sql-database.js';
import type { Row, Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { lostClaims } from '../dialect/lost-claims.js';
import { shifted, sqlTime, type SqlTime } from '../dialect/store-time.js';
import { toNumber } from '../rows/column-values.js';
import { READ_COLUMNS } from './outbox-rows.js';

/** Rows that others are claiming are skipped, so claimers neither wait for each other nor meet. */
export function* claiming(dialect: Dialect, outbox: string, options: ClaimOptions): Work<readonly Row[]> {
  const { owner, leaseMs, limit, long, waiting = [], ...given } = options;
  const now = sqlTime(dialect, given);
  const looks: Statement[] = [];
  // By constants, so that the index by turn and time gives the rows in their order, however many wait in the other lane.
  if (limit > 0) {
    const which = long ? new Conditions(dialect).add('turn = 0') : new Conditions(dialect);
    looks.push(looking(dialect, outbox, options, which, 'ready_at, seq', limit));
  }
  if (long && long.limit > 0) {
    const which = new Conditions(dialect).add('turn >= ?', Math.max(1, long.fromTurn ?? 0));
    looks.push(looking(dialect, outbox, options, which, 'turn, ready_at, seq', long.limit));
  }
  for (const { turn, limit: most } of waiting) {
    const which = new Conditions(dialect).add('turn = ?', turn);
    if (most > 0) looks.push(looking(dialect, outbox, options, which, 'ready_at, seq', most));
  }
  if (looks.length === 0) return [];
  const rows = (yield looks).flatMap((found) => found.rows);
  if (rows.length === 0) return rows;
  // By the number under which the rows are locked: by id, MySQL would lock another index after them and could deadlock.
  const numbers = rows.map((row) => toNumber(row.seq));
  const { where, params } = new Conditions(dialect).oneOf('seq', numbers);
  const ends = shifted(dialect, now, leaseMs);
  yield [
    {
      // In this order: MySQL computes each assignment from the values that those before it have left.
      sql:
        `UPDATE ${outbox} SET attempts = attempts + ${endedAttempts(now)}, ` +
        // What it failed with before says nothing about an attempt that ended with its node.
        `last_error = CASE WHEN ${endedAttempts(now)} = 1 THEN NULL ELSE last_error END, ` +
        `claimed_by = ?, ready_at = ${ends.sql}${where}`,
      params: [...now.params, ...now.params, owner, ...ends.params, ...params],
    },
  ];
  return rows;
}

/** Reads and locks what can be claimed, in that order. */
function looking(
  dialect: Dialect,
  outbox: string,
  { owner, leaseMs, held, exceptKinds = [], ...given }: ClaimOptions,
  which: Conditions,
  order: string,
  limit: number,
): Statement {
  const isOfTurns = which.where !== '';
  const now = sqlTime(dialect, given);
  if (held) {
    const lost = lostClaims(dialect, owner, held);
    const ends = shifted(dialect, now, leaseMs);
    // Within what the index gives: no lease ends later.
    which.add(`ready_at <= ${ends.sql}`, ...ends.params);
    which.add(`(ready_at <= ${now.sql}${lost.sql})`, ...now.params, ...lost.params);
  } else which.add(`ready_at <= ${now.sql}`, ...now.params);
  for (const kind of exceptKinds) which.add('kind <> ?', kind);
  const index = dialect.byIndex(outbox, ...(isOfTurns ? ['turn', 'ready_at', 'seq'] : ['ready_at']));
  return {
    sql:
      `SELECT ${READ_COLUMNS}, ${endedAttempts(now)} AS ended ` +
      `FROM ${outbox}${index}${which.where} ORDER BY ${order} LIMIT ?${dialect.skipLocked}`,
    params: [...now.params, ...which.params, limit],
  };
}

/** A message that is claimed although another node had it: that attempt ended with its node. */
function endedAttempts(now: SqlTime): string {
  return `CASE WHEN claimed_by IS NOT NULL AND ready_at <= ${now.sql} THEN 1 ELSE 0 END`;
}
