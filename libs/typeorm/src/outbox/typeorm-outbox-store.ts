import { inOneGo, type SqlDatabase, type Work } from '../database/sql-database.js';
import type { Result, Row, Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import { shifted, sqlTime, type SqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import {
  type BuriedFilter,
  type ClaimOptions,
  type Lease,
  type OutboxMessage,
  type OutboxStore,
  type Page,
  type PagedResult,
  requireStorableMessages,
} from '@waymark/runtime';
import { time, toNumber } from '../rows/column-values.js';
import { pageOf } from '../rows/paging.js';
import { lostClaims } from '../dialect/lost-claims.js';
import { renewing } from './renew-claims.js';
import { insertMessages, OUTBOX_COLUMNS, toMessage } from './outbox-rows.js';

const COLUMNS = [...OUTBOX_COLUMNS, 'seq'].join(', ');

/** A message that is claimed although somebody had it: that attempt ended with its node. */
const endedAttempts = (now: SqlTime): string =>
  `CASE WHEN claimed_by IS NOT NULL AND ready_at <= ${now.sql} THEN 1 ELSE 0 END`;

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
    return rows.map((row) => toMessage({ ...row, attempts: toNumber(row.attempts) + toNumber(row.ended) }));
  }

  renew(ids: readonly string[], lease: Lease): Promise<string[]> {
    return this.database.transact(() => renewing(this.database.dialect, this.outbox, ids, lease));
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
  private *claiming({ owner, limit, leaseMs, held, exceptKinds = [], ...given }: ClaimOptions): Work<readonly Row[]> {
    const { dialect } = this.database;
    const now = sqlTime(dialect, given);
    const ends = shifted(dialect, now, leaseMs);
    const conditions = new Conditions(dialect);
    if (held) {
      const lost = lostClaims(dialect, owner, held);
      // Within what the index gives: no lease ends later.
      conditions.add(`ready_at <= ${ends.sql}`, ...ends.params);
      conditions.add(`(ready_at <= ${now.sql}${lost.sql})`, ...now.params, ...lost.params);
    } else conditions.add(`ready_at <= ${now.sql}`, ...now.params);
    for (const kind of exceptKinds) conditions.add('kind <> ?', kind);
    const [found] = yield [
      {
        sql:
          `SELECT ${COLUMNS}, ${endedAttempts(now)} AS ended ` +
          `FROM ${this.outbox}${conditions.where} ORDER BY ready_at, seq LIMIT ?${dialect.skipLocked}`,
        params: [...now.params, ...conditions.params, limit],
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
          `UPDATE ${this.outbox} SET attempts = attempts + ${endedAttempts(now)}, ` +
          `claimed_by = ?, ready_at = ${ends.sql}${where}`,
        params: [...now.params, owner, ...ends.params, ...params],
      },
    ];
    return rows;
  }

  private run(...statements: Statement[]): Promise<readonly Result[]> {
    return this.database.transact(() => inOneGo(statements));
  }
}
