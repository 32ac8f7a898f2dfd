import { inOneGo, type SqlDatabase, type Work } from '../database/sql-database.js';
import type { Result, Row, Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import {
  type BuriedFilter,
  type ClaimOptions,
  type OutboxMessage,
  type OutboxStore,
  type Page,
  type PagedResult,
  requireStorableMessages,
} from '@waymark/runtime';
import { time, toNumber } from '../rows/column-values.js';
import { pageOf } from '../rows/paging.js';
import { renewing } from './renew-claims.js';
import { insertMessages, OUTBOX_COLUMNS, toMessage } from './outbox-rows.js';

const COLUMNS = [...OUTBOX_COLUMNS, 'claimed_by', 'seq'].join(', ');

export class TypeOrmOutboxStore implements OutboxStore {
  private readonly outbox: string;

  constructor(
    private readonly database: SqlDatabase,
    tables: Tables,
  ) {
    this.outbox = tables.outbox;
  }

  async add(messages: readonly OutboxMessage[]): Promise<void> {
    requireStorableMessages(messages);
    if (messages.length > 0) await this.run(...insertMessages(this.database.dialect, this.outbox, messages));
  }

  async claim(options: ClaimOptions): Promise<OutboxMessage[]> {
    const rows = await this.database.transact(() => this.claiming(options));
    return rows.map((row) => toMessage({ ...row, attempts: toNumber(row.attempts) + endedAttempts(row) }));
  }

  renew(ids: readonly string[], owner: string, leaseEnds: Date): Promise<string[]> {
    return this.database.transact(() => renewing(this.database.dialect, this.outbox, ids, owner, leaseEnds));
  }

  async release(id: string, error: string, availableAt: Date): Promise<void> {
    const available = time(availableAt);
    await this.run({
      sql:
        `UPDATE ${this.outbox} SET attempts = attempts + 1, last_error = ?, available_at = ?, ready_at = ?, ` +
        'claimed_by = NULL WHERE id = ? AND ready_at IS NOT NULL',
      params: [error, available, available, id],
    });
  }

  async postpone(id: string, availableAt: Date): Promise<void> {
    const available = time(availableAt);
    await this.run({
      sql:
        `UPDATE ${this.outbox} SET available_at = ?, ready_at = ?, claimed_by = NULL ` +
        'WHERE id = ? AND ready_at IS NOT NULL',
      params: [available, available, id],
    });
  }

  async delete(id: string): Promise<boolean> {
    const [result] = await this.run({ sql: `DELETE FROM ${this.outbox} WHERE id = ?`, params: [id] });
    return result?.affected === 1;
  }

  async bury(id: string, error: string): Promise<void> {
    await this.run({
      sql:
        `UPDATE ${this.outbox} SET attempts = attempts + 1, last_error = ?, ready_at = NULL, claimed_by = NULL ` +
        'WHERE id = ? AND ready_at IS NOT NULL',
      params: [error, id],
    });
  }

  findBuried(filter: BuriedFilter, page?: Page): Promise<PagedResult<OutboxMessage>> {
    const { where, params } = new Conditions(this.database.dialect)
      .add('ready_at IS NULL')
      .equals('id', filter.id)
      .equals('kind', filter.kind);
    return pageOf(page, {
      rows: async (window) => {
        const limit = window ? ' LIMIT ? OFFSET ?' : '';
        const rows = await this.database.read({
          sql: `SELECT ${COLUMNS} FROM ${this.outbox}${where} ORDER BY created_at DESC, id DESC${limit}`,
          params: window ? [...params, window.take, window.skip] : params,
        });
        return rows.map(toMessage);
      },
      count: async () => {
        const sql = `SELECT COUNT(*) AS matching FROM ${this.outbox}${where}`;
        const [row] = await this.database.read({ sql, params });
        return toNumber(row?.matching);
      },
    });
  }

  async revive(id: string, availableAt: Date): Promise<boolean> {
    const available = time(availableAt);
    const [result] = await this.run({
      sql: `UPDATE ${this.outbox} SET attempts = 0, available_at = ?, ready_at = ? WHERE id = ? AND ready_at IS NULL`,
      params: [available, available, id],
    });
    return result?.affected === 1;
  }

  async count(): Promise<{ waiting: number; buried: number }> {
    const sql = `SELECT COUNT(*) AS total, COUNT(ready_at) AS waiting FROM ${this.outbox}`;
    const [row] = await this.database.read({ sql, params: [] });
    const waiting = toNumber(row?.waiting);
    return { waiting, buried: toNumber(row?.total) - waiting };
  }

  /** Rows that somebody else is claiming are skipped, so claimers neither wait for each other nor meet. */
  private *claiming({ owner, limit, leaseMs, now, exceptKinds = [] }: ClaimOptions): Work<readonly Row[]> {
    const { dialect } = this.database;
    const other = exceptKinds.map(() => ' AND kind <> ?').join('');
    const [found] = yield [
      {
        sql: `SELECT ${COLUMNS} FROM ${this.outbox} WHERE ready_at <= ?${other} ORDER BY ready_at, seq LIMIT ?${dialect.skipLocked}`,
        params: [time(now), ...exceptKinds, limit],
      },
    ];
    const rows = found?.rows ?? [];
    if (rows.length === 0) return rows;
    // By the number under which the rows are locked: by id, MySQL would lock another index after them and could deadlock.
    const numbers = rows.map((row) => toNumber(row.seq));
    const { where, params } = new Conditions(dialect).oneOf('seq', numbers);
    yield [
      {
        // In this order: MySQL computes each assignment from the values that those before it have left.
        sql:
          `UPDATE ${this.outbox} SET attempts = attempts + CASE WHEN claimed_by IS NULL THEN 0 ELSE 1 END, ` +
          `claimed_by = ?, ready_at = ?${where}`,
        params: [owner, time(now) + leaseMs, ...params],
      },
    ];
    return rows;
  }

  private run(...statements: Statement[]): Promise<readonly Result[]> {
    return this.database.transact(() => inOneGo(statements));
  }
}

/** A message that is claimed although somebody had it: that attempt ended with its node. */
function endedAttempts(row: Row): number {
  return row.claimed_by === null ? 0 : 1;
}
