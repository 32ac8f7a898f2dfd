import { commitChecked } from '../database/checked.js';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { RefusedStatement, type Result, type Statement } from '../database/statement.js';
import { Conditions, hasErrorCode } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import { type PagedResult } from '@waymark/runtime';
import {
  type OutboxDeadLetterFilter,
  type ClaimOptions,
  type FanOut,
  type IdPage,
  type Lease,
  type OutboxMessage,
  type OutboxStore,
  type Page,
  requireStorableMessages,
  type WaitingTurn,
  type RenewedClaims,
} from '@waymark/runtime/adapter';
import { time, toDate, toNumber } from '../rows/column-values.js';
import { countRows, pageOf } from '../rows/paging.js';
import { claiming } from './claim-messages.js';
import { consumedError } from './consumed-message.js';
import { fanOutStatements } from './fan-out.js';
import { givingUpClaims, renewing } from './renew-claims.js';
import { insertMessages, insertOnce, MESSAGE, READ_COLUMNS } from './outbox-rows.js';
import { endingPauses, endingWait, lettingWait, waitingTurns } from './waiting-messages.js';

/** What an integer column holds. */
const LOWEST_TURN = -(2 ** 31);
/** Never leaves this file. */
const NONE_WAITS = new Error('No bookmark matches.');

export class TypeOrmOutboxStore implements OutboxStore {
  private readonly outbox: string;

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {
    this.outbox = tables.outbox;
  }

  async add(messages: readonly OutboxMessage[]): Promise<void> {
    requireStorableMessages(messages);
    if (messages.length > 0) await this.run(...insertMessages(this.database.dialect, this.outbox, messages));
  }

  async addOnce(message: OutboxMessage): Promise<boolean> {
    requireStorableMessages([message]);
    try {
      await this.run(insertOnce(this.database.dialect, this.outbox, message));
      return true;
    } catch (error) {
      if (error instanceof RefusedStatement) return false;
      throw error;
    }
  }

  async fanOut(fanOut: FanOut): Promise<number> {
    requireStorableMessages(fanOut.messages);
    const statements = fanOutStatements(this.database.dialect, this.tables, fanOut);
    const explain = async () => {
      const consumed = await consumedError(this.database, this.tables, fanOut.consumedMessageId);
      // Its message is there: that no bookmark matched is all that can have been refused.
      return consumed ?? (fanOut.isForSome ? NONE_WAITS : undefined);
    };
    try {
      const results = await commitChecked(this.database, statements, explain);
      return results.at(-1)!.affected;
    } catch (error) {
      if (error === NONE_WAITS) return 0;
      throw error;
    }
  }

  async hasFanOut(id: string): Promise<boolean> {
    // A range of the index: `0` is what comes behind `/`.
    const sql = `SELECT id FROM ${this.outbox} WHERE id > ? AND id < ? LIMIT 1`;
    return (await this.database.read({ sql, params: [`${id}/`, `${id}0`] })).length > 0;
  }

  async find(id: string): Promise<OutboxMessage | undefined> {
    const sql = `SELECT ${READ_COLUMNS} FROM ${this.outbox} WHERE id = ?`;
    const [row] = await this.database.read({ sql, params: [id] });
    return row && MESSAGE.record(row);
  }

  async claim(options: ClaimOptions): Promise<OutboxMessage[]> {
    const rows = await this.database.transact(() => claiming(this.database.dialect, this.outbox, options));
    return rows.map((row) =>
      toNumber(row.ended) === 0
        ? MESSAGE.record(row)
        : MESSAGE.record({ ...row, attempts: toNumber(row.attempts) + 1, last_error: null }),
    );
  }

  renew(ids: readonly string[], lease: Lease): Promise<RenewedClaims> {
    return this.database.transact(() => renewing(this.database.dialect, this.outbox, ids, lease));
  }

  async giveUpClaims(ids: readonly string[], owner: string): Promise<void> {
    if (ids.length > 0)
      await this.database.transact(() => givingUpClaims(this.database.dialect, this.outbox, ids, owner));
  }

  async release(id: string, error: string, availableAt: Date, owner?: string): Promise<void> {
    const available = time(availableAt);
    const held = heldBy(id, owner);
    await this.run({
      sql:
        `UPDATE ${this.outbox} SET attempts = attempts + 1, last_error = ?, available_at = ?, ready_at = ?, ` +
        `claimed_by = NULL, written_by = NULL${held.sql}`,
      params: [error, available, available, ...held.params],
    });
  }

  async postpone(id: string, availableAt: Date, owner?: string): Promise<void> {
    const available = time(availableAt);
    const held = heldBy(id, owner);
    await this.run({
      sql: `UPDATE ${this.outbox} SET available_at = ?, ready_at = ?, claimed_by = NULL, written_by = NULL` + held.sql,
      params: [available, available, ...held.params],
    });
  }

  async letWait(ids: readonly string[], at: WaitingTurn): Promise<void> {
    if (ids.length > 0) await this.database.transact(() => lettingWait(this.database.dialect, this.outbox, ids, at));
  }

  endWait(workflowInstanceId: string, turn: number, availableAt: Date): Promise<number> {
    return this.database.transact(() =>
      endingWait(this.database.dialect, this.outbox, { workflowInstanceId, turn, availableAt }),
    );
  }

  endPauses(workflowInstanceId: string, kinds: readonly string[], availableAt: Date): Promise<number> {
    return this.database.transact(() =>
      endingPauses(this.database.dialect, this.outbox, { workflowInstanceId, kinds, availableAt }),
    );
  }

  async findWaitingTurns(limit: number, after = LOWEST_TURN): Promise<number[]> {
    const rows = await this.database.read(waitingTurns(this.outbox, limit, after));
    return rows.map((row) => toNumber(row.turn));
  }

  async oldestAt(turn: number): Promise<Date | undefined> {
    const [row] = await this.database.read({
      sql: `SELECT created_at FROM ${this.outbox} WHERE turn = ? AND ready_at IS NOT NULL ORDER BY turn, ready_at, seq LIMIT 1`,
      params: [turn],
    });
    return row && toDate(row.created_at);
  }

  async delete(id: string): Promise<boolean> {
    const [result] = await this.run({ sql: `DELETE FROM ${this.outbox} WHERE id = ?`, params: [id] });
    return result?.affected === 1;
  }

  async moveToDeadLetters(id: string, error: string, owner?: string): Promise<void> {
    const held = heldBy(id, owner);
    await this.run({
      sql:
        `UPDATE ${this.outbox} SET attempts = attempts + 1, last_error = ?, ready_at = NULL, claimed_by = NULL` +
        held.sql,
      params: [error, ...held.params],
    });
  }

  findDeadLetters(filter: OutboxDeadLetterFilter, page?: Page): Promise<PagedResult<OutboxMessage>> {
    const { where, params } = this.deadLetters(filter);
    // MySQL might look for the latest among all messages, which is the same order.
    const isOfAll = filter.id === undefined && filter.ids === undefined;
    const from = `${this.outbox}${isOfAll ? this.database.dialect.byIndex(this.outbox, 'ready_at') : ''}${where}`;
    return pageOf(page, {
      rows: async (window) => {
        const limit = window ? ' LIMIT ? OFFSET ?' : '';
        const rows = await this.database.read({
          // By their number, which every database has in an index of the dead letters alone. It is the order of their times.
          sql: `SELECT ${READ_COLUMNS} FROM ${from} ORDER BY seq DESC${limit}`,
          params: window ? [...params, window.take, window.skip] : params,
        });
        return rows.map(MESSAGE.record);
      },
      count: (atMost) => countRows(this.database, from, params, atMost),
    });
  }

  async findDeadLettersAfter(filter: OutboxDeadLetterFilter, { after, limit }: IdPage): Promise<OutboxMessage[]> {
    const conditions = this.deadLetters(filter);
    if (after !== undefined) conditions.add('id > ?', after);
    const rows = await this.database.read({
      sql: `SELECT ${READ_COLUMNS} FROM ${this.outbox}${conditions.where} ORDER BY id LIMIT ?`,
      params: [...conditions.params, limit],
    });
    return rows.map(MESSAGE.record);
  }

  async revive(ids: readonly string[], availableAt: Date): Promise<number> {
    const available = time(availableAt);
    const { where, params } = this.deadLetters({ ids });
    const [result] = await this.run({
      sql: `UPDATE ${this.outbox} SET attempts = 0, last_error = NULL, available_at = ?, ready_at = ?${where}`,
      params: [available, available, ...params],
    });
    return result?.affected ?? 0;
  }

  async deleteDeadLetters(ids: readonly string[]): Promise<number> {
    const { where, params } = this.deadLetters({ ids });
    const [result] = await this.run({ sql: `DELETE FROM ${this.outbox}${where}`, params });
    return result?.affected ?? 0;
  }

  async purgeDeadLetters(before: Date, limit: number): Promise<number> {
    const { dialect } = this.database;
    // By their number, which every database has in an index of the dead letters alone.
    const sql =
      `SELECT seq FROM ${this.outbox}${dialect.byIndex(this.outbox, 'ready_at')} ` +
      'WHERE ready_at IS NULL AND available_at < ? ORDER BY seq LIMIT ?';
    const numbers = (await this.database.read({ sql, params: [time(before), limit] })).map((row) => toNumber(row.seq));
    if (numbers.length === 0) return 0;
    // One that was revived meanwhile is served.
    const { where, params } = new Conditions(dialect).add('ready_at IS NULL').oneOf('seq', numbers);
    const [result] = await this.run({ sql: `DELETE FROM ${this.outbox}${where}`, params });
    return result?.affected ?? 0;
  }

  async count(): Promise<{ waiting: number; deadLetters: number }> {
    const sql = `SELECT COUNT(*) AS total, COUNT(ready_at) AS waiting FROM ${this.outbox}`;
    const [row] = await this.database.read({ sql, params: [] });
    const waiting = toNumber(row?.waiting);
    return { waiting, deadLetters: toNumber(row?.total) - waiting };
  }

  private deadLetters(filter: OutboxDeadLetterFilter): Conditions {
    const conditions = new Conditions(this.database.dialect)
      .add('ready_at IS NULL')
      .equals('id', filter.id)
      .oneOf('id', filter.ids)
      .equals('kind', filter.kind)
      .between('created_at', filter.createdAfter, filter.createdBefore);
    return hasErrorCode(conditions, filter.errorCode);
  }

  private run(...statements: Statement[]): Promise<readonly Result[]> {
    return this.database.transact(() => inOneGo(statements));
  }
}

/** A message that is neither a dead letter nor another node's. */
function heldBy(id: string, owner: string | undefined): Statement {
  const sql = ' WHERE id = ? AND ready_at IS NOT NULL';
  if (owner === undefined) return { sql, params: [id] };
  return { sql: `${sql} AND (claimed_by IS NULL OR claimed_by = ?)`, params: [id, owner] };
}
