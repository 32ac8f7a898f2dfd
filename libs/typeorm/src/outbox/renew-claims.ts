import type { Lease, RenewedClaims } from '@waymark/runtime/adapter';
import type { Work } from '../database/sql-database.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import { toNumber, toText } from '../rows/column-values.js';

/**
 * Messages belong to no node any more, and are available when their claims would have ended: the next claim counts nothing. They look
 * like new ones of which the owner has the head start, so that what ends the pauses of an instance leaves them alone while the work runs.
 * What another transaction has locked is being committed, and not waited for.
 */
export function* givingUpClaims(dialect: Dialect, outbox: string, ids: readonly string[], owner: string): Work<void> {
  const mine = new Conditions(dialect).oneOf('id', ids).add('ready_at IS NOT NULL').add('claimed_by = ?', owner);
  const [found] = yield [{ sql: `SELECT seq FROM ${outbox}${mine.where}${dialect.skipLocked}`, params: mine.params }];
  const rows = found?.rows ?? [];
  if (rows.length === 0) return;
  // By the number under which the rows are locked, as when messages are claimed.
  const numbers = rows.map((row) => toNumber(row.seq));
  const { where, params } = new Conditions(dialect).oneOf('seq', numbers);
  yield [{ sql: `UPDATE ${outbox} SET claimed_by = NULL, written_by = ?${where}`, params: [owner, ...params] }];
}

/**
 * Holds messages for longer, and says which of them really are the owner's afterwards. It waits for no row: one that another
 * transaction has locked is being committed, and waiting for it would hold up the commits of all the others. Such a row is
 * not renewed this time, and still the owner's while its claim lasts.
 */
export function* renewing(
  dialect: Dialect,
  outbox: string,
  ids: readonly string[],
  { owner, leaseMs, ...given }: Lease,
): Work<RenewedClaims> {
  const now = sqlTime(dialect, given);
  const ends = shifted(dialect, now, leaseMs);
  const mine = (some: readonly string[]) =>
    new Conditions(dialect)
      .oneOf('id', some)
      .add('ready_at IS NOT NULL')
      .add('(claimed_by IS NULL OR claimed_by = ?)', owner);
  const asked = mine(ids);
  const [found] = yield [
    { sql: `SELECT id, seq FROM ${outbox}${asked.where}${dialect.skipLocked}`, params: asked.params },
  ];
  const rows = found?.rows ?? [];
  const renewed = rows.map((row) => toText(row.id));
  const isRenewed = new Set(renewed);
  const left = ids.filter((id) => !isRenewed.has(id));
  const held = mine(left).add(`ready_at > ${now.sql}`, ...now.params);
  // By the number under which the rows are locked, as when messages are claimed.
  const chosen = new Conditions(dialect).oneOf(
    'seq',
    rows.map((row) => toNumber(row.seq)),
  );
  const update = {
    sql: `UPDATE ${outbox} SET claimed_by = ?, ready_at = ${ends.sql}${chosen.where}`,
    params: [owner, ...ends.params, ...chosen.params],
  };
  const look = { sql: `SELECT id FROM ${outbox}${held.where}`, params: held.params };
  const results = yield [...(rows.length > 0 ? [update] : []), ...(left.length > 0 ? [look] : [])];
  const kept = left.length > 0 ? (results.at(-1)?.rows ?? []) : [];
  return { renewed, locked: kept.map((row) => toText(row.id)) };
}
