import type { BatchClaim, Lease } from '@waymark/runtime/adapter';
import type { Work } from '../database/sql-database.js';
import type { Row } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import { toNumber, toText } from '../rows/column-values.js';
import { BATCH } from './bulk-rows.js';

/** One that another node is claiming is skipped. */
export function* claiming(
  dialect: Dialect,
  batches: string,
  lease: Lease,
  { actions, isLost = false }: BatchClaim,
): Work<Row | undefined> {
  const now = sqlTime(dialect, lease);
  const ends = shifted(dialect, now, lease.leaseMs);
  // What this node holds without knowing it comes first: others may be left for later.
  const row = (isLost && (yield* found(new Conditions(dialect).add('claimed_by = ?', lease.owner)))) || undefined;
  const next = row ?? (yield* found(new Conditions(dialect).add(`claimed_until <= ${now.sql}`, ...now.params)));
  if (!next) return undefined;
  const counted = row ? 0 : 1;
  yield [
    {
      sql: `UPDATE ${batches} SET attempts = attempts + ?, claimed_by = ?, claimed_until = ${ends.sql} WHERE id = ?`,
      params: [counted, lease.owner, ...ends.params, toText(next.id)],
    },
  ];
  return { ...next, attempts: toNumber(next.attempts) + counted };

  function* found(conditions: Conditions): Work<Row | undefined> {
    const { where, params } = conditions.oneOf('action', actions);
    const sql = `SELECT ${BATCH.list} FROM ${batches}${where} ORDER BY claimed_until, id LIMIT 1${dialect.skipLocked}`;
    const [answer] = yield [{ sql, params }];
    return answer?.rows[0];
  }
}
