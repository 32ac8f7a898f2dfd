import { lookups } from '../database/lookups.js';
import { inOneGo, type SqlDatabase, type Work } from '../database/sql-database.js';
import { RefusedStatement, type Result, type Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import type {
  BookmarkQueueDeadLetter,
  BookmarkQueueItem,
  BookmarkQueueStore,
  Page,
  PagedResult,
  QueueExpiry,
  QueueMatch,
} from '@waymark/runtime';
import { time, toNumber, toText } from '../rows/column-values.js';
import { pageOf } from '../rows/paging.js';
import { findDeliverable } from './find-deliverable.js';
import { setAside } from './dead-letters.js';
import {
  DEAD_LETTER_COLUMNS,
  enqueueStatements,
  insertItem,
  ITEM_COLUMNS,
  requireMatchable,
  toDeadLetter,
  toItem,
} from './queue-rows.js';

const ITEM = ITEM_COLUMNS.join(', ');
const DEAD_LETTER = DEAD_LETTER_COLUMNS.join(', ');

export class TypeOrmBookmarkQueueStore implements BookmarkQueueStore {
  private readonly mayHold: (hash: string) => Promise<boolean>;

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {
    this.mayHold = lookups(database, (hashes) => this.mayHoldAny(hashes));
  }

  async enqueue(item: BookmarkQueueItem): Promise<string> {
    requireMatchable(item);
    const statements = enqueueStatements(this.database.dialect, this.tables, item);
    if (item.idempotencyKey === undefined) {
      await this.run(statements);
      return item.id;
    }
    const results = await this.run([
      ...statements,
      {
        sql: `SELECT queue_item_id FROM ${this.tables.queue_keys} WHERE idempotency_key = ?`,
        params: [item.idempotencyKey],
      },
    ]);
    return toText(results.at(-1)?.rows[0]?.queue_item_id);
  }

  async findDeliverable(now: Date, limit: number): Promise<string[]> {
    const rows = await this.database.read(findDeliverable(this.tables, now, limit));
    return rows.map((row) => toText(row.id));
  }

  async findMatching(match: QueueMatch, limit: number, now?: Date): Promise<BookmarkQueueItem[]> {
    if (!(await this.mayHold(match.hash))) return [];
    const conditions = new Conditions(this.database.dialect)
      .agrees('stimulus_hash', match.hash)
      .agrees('workflow_instance_id', match.workflowInstanceId)
      .agrees('bookmark_id', match.bookmarkId)
      .agrees('activity_type_name', match.name)
      .agrees('activity_instance_id', match.activityInstanceId)
      .agrees('correlation_id', match.correlationId);
    if (now) conditions.add('expires_at > ?', time(now));
    const rows = await this.database.read({
      sql: `SELECT ${ITEM} FROM ${this.tables.queue}${conditions.where} ORDER BY created_at, id LIMIT ?`,
      params: [...conditions.params, limit],
    });
    return rows.map(toItem);
  }

  async find(id: string): Promise<BookmarkQueueItem | undefined> {
    const [row] = await this.database.read({
      sql: `SELECT ${ITEM} FROM ${this.tables.queue} WHERE id = ?`,
      params: [id],
    });
    return row && toItem(row);
  }

  async fail(id: string, error: string, maxAttempts: number, now: Date): Promise<void> {
    const usedUp = { sql: 'id = ? AND attempts >= ?', params: [id, maxAttempts] };
    await this.run([
      {
        sql: `UPDATE ${this.tables.queue} SET attempts = attempts + 1, last_error = ? WHERE id = ?`,
        params: [error, id],
      },
      ...setAside(this.tables, usedUp, 'Failed', sqlTime(this.database.dialect, { now })),
    ]);
  }

  async expire(expiry: QueueExpiry): Promise<{ expired: number; purged: number }> {
    return this.database.transact(() => this.expiring(expiry));
  }

  async findDeadLetters(
    filter: { workflowInstanceId?: string },
    page?: Page,
  ): Promise<PagedResult<BookmarkQueueDeadLetter>> {
    const { dead_letters } = this.tables;
    const { where, params } = new Conditions(this.database.dialect).equals(
      'workflow_instance_id',
      filter.workflowInstanceId,
    );
    return pageOf(page, {
      rows: async (window) => {
        const limit = window ? ' LIMIT ? OFFSET ?' : '';
        const rows = await this.database.read({
          sql: `SELECT ${DEAD_LETTER} FROM ${dead_letters}${where} ORDER BY dead_lettered_at DESC, id DESC${limit}`,
          params: window ? [...params, window.take, window.skip] : params,
        });
        return rows.map(toDeadLetter);
      },
      count: async () => {
        const sql = `SELECT COUNT(*) AS matching FROM ${dead_letters}${where}`;
        const [row] = await this.database.read({ sql, params });
        return toNumber(row?.matching);
      },
    });
  }

  async findDeadLetter(id: string): Promise<BookmarkQueueDeadLetter | undefined> {
    const sql = `SELECT ${DEAD_LETTER} FROM ${this.tables.dead_letters} WHERE id = ?`;
    const [row] = await this.database.read({ sql, params: [id] });
    return row && toDeadLetter(row);
  }

  async deleteDeadLetter(id: string): Promise<boolean> {
    const [result] = await this.run([{ sql: `DELETE FROM ${this.tables.dead_letters} WHERE id = ?`, params: [id] }]);
    return result?.affected === 1;
  }

  async replay(id: string, item: BookmarkQueueItem): Promise<boolean> {
    requireMatchable(item);
    const { dialect } = this.database;
    const mark: Statement = {
      sql: `UPDATE ${this.tables.dead_letters} SET can_replay = 0, replayed_at = ? WHERE id = ? AND can_replay = 1`,
      params: [time(item.createdAt), id],
      expect: { affected: 1 },
    };
    try {
      await this.run([mark, ...this.takeKey(item), insertItem(dialect, this.tables, item)]);
      return true;
    } catch (error) {
      if (error instanceof RefusedStatement) return false;
      throw error;
    }
  }

  /** The key belongs to the dead letter still; from now on it stands for the replayed item. */
  private takeKey({ id, idempotencyKey, expiresAt }: BookmarkQueueItem): Statement[] {
    if (idempotencyKey === undefined) return [];
    const { onKnown, newValue } = this.database.dialect;
    const taken = ['queue_item_id', 'expires_at'].map((column) => `${column} = ${newValue(column)}`).join(', ');
    return [
      {
        sql:
          `INSERT INTO ${this.tables.queue_keys} (idempotency_key, queue_item_id, expires_at) VALUES (?, ?, ?)` +
          `${onKnown('idempotency_key')} ${taken}`,
        params: [idempotencyKey, id, time(expiresAt)],
      },
    ];
  }

  /**
   * Every new bookmark asks, and most find nothing: many share this question, and only when something may be there does
   * each look for itself. It must be asked after the bookmark is committed, not along with it. Whoever enqueues commits
   * the item and then looks for bookmarks; if both looked before the other had committed, both would miss.
   */
  private async mayHoldAny(hashes: readonly string[]): Promise<boolean[]> {
    const conditions = new Conditions(this.database.dialect).oneOf('stimulus_hash', [...new Set(hashes)]);
    const rows = await this.database.read({
      sql: `SELECT 1 AS found FROM ${this.tables.queue}${conditions.where} OR stimulus_hash IS NULL LIMIT 1`,
      params: conditions.params,
    });
    return hashes.map(() => rows.length > 0);
  }

  /** Nodes that do this at the same time take different rows. */
  private *expiring({ keepDeadLettersMs, limit, ...given }: QueueExpiry): Work<{ expired: number; purged: number }> {
    const { dialect } = this.database;
    const now = sqlTime(dialect, given);
    const kept = shifted(dialect, now, -keepDeadLettersMs);
    const { queue, queue_keys, dead_letters } = this.tables;
    const [expired, old] = yield [
      {
        sql: `SELECT seq FROM ${queue} WHERE expires_at <= ${now.sql} ORDER BY expires_at, seq LIMIT ?${dialect.skipLocked}`,
        params: [...now.params, limit],
      },
      {
        sql: `SELECT id FROM ${dead_letters} WHERE dead_lettered_at < ${kept.sql} ORDER BY id LIMIT ?${dialect.skipLocked}`,
        params: [...kept.params, limit],
      },
      { sql: `DELETE FROM ${queue_keys} WHERE expires_at <= ${now.sql}`, params: now.params },
    ];
    const purged = (old?.rows ?? []).map((row) => toText(row.id));
    const statements = deleteRows(dialect, dead_letters, 'id', purged);
    // By the number under which the rows are locked: by id, MySQL would lock another index after them and could deadlock.
    const moved = (expired?.rows ?? []).map((row) => toNumber(row.seq));
    if (moved.length > 0) {
      const { where, params } = new Conditions(dialect).oneOf('seq', moved);
      const selected = { sql: where.replace(' WHERE ', ''), params };
      statements.push(...setAside(this.tables, selected, 'Expired', now));
    }
    if (statements.length > 0) yield statements;
    return { expired: moved.length, purged: purged.length };
  }

  private run(statements: readonly Statement[]): Promise<readonly Result[]> {
    return this.database.transact(() => inOneGo(statements));
  }
}
