import type { WaitingTurn } from '@waymark/runtime/adapter';
import type { Work } from '../database/sql-database.js';
import type { Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { time, toNumber } from '../rows/column-values.js';

/** What another transaction has locked is being committed, and is not this node's any more. */
export function* lettingWait(
  dialect: Dialect,
  outbox: string,
  ids: readonly string[],
  { turn, owner, availableAt }: WaitingTurn,
): Work<void> {
  const { where, params } = new Conditions(dialect)
    .oneOf('id', ids)
    .add('ready_at IS NOT NULL')
    .add('(claimed_by IS NULL OR claimed_by = ?)', owner);
  const [found] = yield [{ sql: `SELECT seq FROM ${outbox}${where}${dialect.skipLocked}`, params }];
  const rows = found?.rows ?? [];
  if (rows.length === 0) return;
  // By the number under which the rows are locked, as when messages are claimed.
  const numbers = rows.map((row) => toNumber(row.seq));
  const chosen = new Conditions(dialect).oneOf('seq', numbers);
  const available = time(availableAt);
  const sql = `UPDATE ${outbox} SET turn = ?, available_at = ?, ready_at = ?, claimed_by = NULL, written_by = NULL${chosen.where}`;
  yield [{ sql, params: [turn, available, available, ...chosen.params] }];
}

/** What another transaction has locked is being claimed, and is served in any case. */
export function* endingWait(
  dialect: Dialect,
  outbox: string,
  of: { readonly workflowInstanceId: string; readonly turn: number; readonly availableAt: Date },
): Work<number> {
  const which = new Conditions(dialect).add('turn = ?', of.turn).add('ready_at IS NOT NULL');
  return yield* makingAvailable(dialect, outbox, which, 'turn = 0, ', of);
}

/** The same of messages that were put off. The head start of a new one is its writer's, which serves it without a claim. */
export function* endingPauses(
  dialect: Dialect,
  outbox: string,
  of: { readonly workflowInstanceId: string; readonly kinds: readonly string[]; readonly availableAt: Date },
): Work<number> {
  const which = new Conditions(dialect)
    .oneOf('kind', of.kinds)
    .add('ready_at > ?', time(of.availableAt))
    .add('written_by IS NULL');
  return yield* makingAvailable(dialect, outbox, which, '', of);
}

/** Found by the index of instances. */
function* makingAvailable(
  dialect: Dialect,
  outbox: string,
  which: Conditions,
  more: string,
  { workflowInstanceId, availableAt }: { readonly workflowInstanceId: string; readonly availableAt: Date },
): Work<number> {
  const { where, params } = which.add('instance_id = ?', workflowInstanceId).add('claimed_by IS NULL');
  const [found] = yield [{ sql: `SELECT seq FROM ${outbox}${where}${dialect.skipLocked}`, params }];
  const rows = found?.rows ?? [];
  if (rows.length === 0) return 0;
  const numbers = rows.map((row) => toNumber(row.seq));
  const chosen = new Conditions(dialect).oneOf('seq', numbers);
  const available = time(availableAt);
  const sql = `UPDATE ${outbox} SET ${more}available_at = ?, ready_at = ?${chosen.where}`;
  yield [{ sql, params: [available, available, ...chosen.params] }];
  return rows.length;
}

/** From turn to turn by the index: what is read does not depend on how many messages wait at each. */
export function waitingTurns(outbox: string, limit: number, after: number): Statement {
  const next = (begin: string): string =>
    `SELECT o.turn FROM ${outbox} o WHERE o.turn > ${begin} AND o.turn < 0 AND o.ready_at IS NOT NULL ` +
    'ORDER BY o.turn, o.ready_at, o.seq LIMIT 1';
  return {
    sql:
      `WITH RECURSIVE turns (turn, n) AS (SELECT (${next('?')}), 1 UNION ALL ` +
      `SELECT (${next('t.turn')}), t.n + 1 FROM turns t WHERE t.turn IS NOT NULL AND t.n < ?) ` +
      'SELECT turn FROM turns WHERE turn IS NOT NULL ORDER BY turn',
    params: [after, limit],
  };
}
