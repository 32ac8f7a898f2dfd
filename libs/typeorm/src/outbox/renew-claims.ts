import type { Lease } from '@waymark/runtime';
import type { Work } from '../database/sql-database.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import { toText } from '../rows/column-values.js';

/** Holds messages for longer, and says which of them really are the owner's afterwards. */
export function* renewing(
  dialect: Dialect,
  outbox: string,
  ids: readonly string[],
  { owner, leaseMs, ...given }: Lease,
): Work<string[]> {
  const ends = shifted(dialect, sqlTime(dialect, given), leaseMs);
  // In one order everywhere, so that two nodes cannot wait for each other.
  const sorted = [...ids].sort();
  const free = new Conditions(dialect)
    .oneOf('id', sorted)
    .add('ready_at IS NOT NULL')
    .add('(claimed_by IS NULL OR claimed_by = ?)', owner);
  const mine = new Conditions(dialect).oneOf('id', sorted).add('ready_at IS NOT NULL').equals('claimed_by', owner);
  const [, found] = yield [
    {
      sql: `UPDATE ${outbox} SET claimed_by = ?, ready_at = ${ends.sql}${free.where}`,
      params: [owner, ...ends.params, ...free.params],
    },
    { sql: `SELECT id FROM ${outbox}${mine.where}`, params: mine.params },
  ];
  return (found?.rows ?? []).map((row) => toText(row.id));
}
