import { commitChecked } from '../database/checked.js';
import { lookups } from '../database/lookups.js';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { RefusedStatement, type Result, type Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import { sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import type { PagedResult } from '@waymark/runtime';
import type {
  BookmarkQueueDeadLetter,
  BookmarkQueueItem,
  BookmarkQueueStore,
  DeadLetterFilter,
  EnqueueOptions,
  IdPage,
  DeliverableItems,
  DeliverableOptions,
  ExpiredRows,
  Page,
  QueueExpiry,
  QueueMatch,
} from '@waymark/runtime/adapter';
import { consumedError, consuming } from '../outbox/consumed-message.js';
import { time, toText } from '../rows/column-values.js';
import { countRows, pageOf } from '../rows/paging.js';
import { deadLetterConditions, toDeadLetters } from './dead-letters.js';
import { expiring } from './expire.js';
import { findDeliverable, toDeliverable } from './find-deliverable.js';
import { DEAD_LETTER, enqueueStatements, forgetting, insertItem, ITEM, requireMatchable } from './queue-rows.js';

export class TypeOrmBookmarkQueueStore implements BookmarkQueueStore {
  private readonly mayHold: (hash: string) => Promise<boolean>;

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {
    this.mayHold = lookups(database, (hashes) => this.mayHoldAny(hashes));
  }

  async enqueue(
    item: BookmarkQueueItem,
    consumedMessageId?: string,
    { renewsKey }: EnqueueOptions = {},
  ): Promise<string> {
    requireMatchable(item);
    const { idempotencyKey } = item;
    const statements = [
      ...consuming(this.tables, consumedMessageId),
      ...(renewsKey && idempotencyKey !== undefined ? [forgetting(this.tables, idempotencyKey)] : []),
      ...enqueueStatements(this.database.dialect, this.tables, item),
    ];
    if (idempotencyKey !== undefined)
      statements.push({
        sql: `SELECT queue_item_id FROM ${this.tables.queue_keys} WHERE idempotency_key = ?`,
        params: [idempotencyKey],
      });
    const isConsumed = () => consumedError(this.database, this.tables, consumedMessageId);
    const results = await commitChecked(this.database, statements, isConsumed);
    return idempotencyKey === undefined ? item.id : toText(results.at(-1)?.rows[0]?.queue_item_id);
  }

  async findDeliverable(options: DeliverableOptions): Promise<DeliverableItems> {
    const rows = await this.database.read(findDeliverable(this.database.dialect, this.tables, options));
    return toDeliverable(rows, options.limit);
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
      sql: `SELECT ${ITEM.list} FROM ${this.tables.queue}${conditions.where} ORDER BY created_at, id LIMIT ?`,
      params: [...conditions.params, limit],
    });
    return rows.map(ITEM.listed);
  }

  async find(id: string): Promise<BookmarkQueueItem | undefined> {
    const [row] = await this.database.read({
      sql: `SELECT ${ITEM.list} FROM ${this.tables.queue} WHERE id = ?`,
      params: [id],
    });
    return row && ITEM.listed(row);
  }

  async fail(id: string, error: string, maxAttempts: number, now: Date): Promise<void> {
    const { dialect } = this.database;
    const selected = { sql: 'id = ? AND attempts >= ?', params: [id, maxAttempts] };
    const earlier = {
      sql: `id = ? AND EXISTS (SELECT 1 FROM ${this.tables.queue} WHERE ${selected.sql})`,
      params: [id, ...selected.params],
    };
    await this.run([
      {
        sql: `UPDATE ${this.tables.queue} SET attempts = attempts + 1, last_error = ? WHERE id = ?`,
        params: [error, id],
      },
      ...toDeadLetters(this.tables, { selected, earlier }, 'Failed', sqlTime(dialect, { now })),
    ]);
  }

  async expire(expiry: QueueExpiry): Promise<ExpiredRows> {
    return this.database.transact(() => expiring(this.database.dialect, this.tables, expiry));
  }

  async findDeadLetters(filter: DeadLetterFilter, page?: Page): Promise<PagedResult<BookmarkQueueDeadLetter>> {
    const { dead_letters } = this.tables;
    const { dialect } = this.database;
    const { where, params } = deadLetterConditions(dialect, filter);
    return pageOf(page, {
      rows: async (window) => {
        const limit = window ? ' LIMIT ? OFFSET ?' : '';
        // MySQL would rather read and sort all of them.
        const from = `${dead_letters}${window && where === '' ? dialect.byIndex(dead_letters, 'dead_lettered_at') : ''}`;
        const rows = await this.database.read({
          sql: `SELECT ${DEAD_LETTER.list} FROM ${from}${where} ORDER BY dead_lettered_at DESC, id DESC${limit}`,
          params: window ? [...params, window.take, window.skip] : params,
        });
        return rows.map(DEAD_LETTER.listed);
      },
      count: (atMost) => countRows(this.database, `${dead_letters}${where}`, params, atMost),
    });
  }

  async findDeadLetter(id: string): Promise<BookmarkQueueDeadLetter | undefined> {
    const sql = `SELECT ${DEAD_LETTER.list} FROM ${this.tables.dead_letters} WHERE id = ?`;
    const [row] = await this.database.read({ sql, params: [id] });
    return row && DEAD_LETTER.listed(row);
  }

  async findDeadLettersAfter(filter: DeadLetterFilter, { after, limit }: IdPage): Promise<BookmarkQueueDeadLetter[]> {
    const conditions = deadLetterConditions(this.database.dialect, filter);
    if (after !== undefined) conditions.add('id > ?', after);
    const rows = await this.database.read({
      sql: `SELECT ${DEAD_LETTER.list} FROM ${this.tables.dead_letters}${conditions.where} ORDER BY id LIMIT ?`,
      params: [...conditions.params, limit],
    });
    return rows.map(DEAD_LETTER.listed);
  }

  async deleteDeadLetters(ids: readonly string[]): Promise<number> {
    const statements = deleteRows(this.database.dialect, this.tables.dead_letters, 'id', ids);
    const [result] = statements.length > 0 ? await this.run(statements) : [];
    return result?.affected ?? 0;
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
   * each look for itself. It must be asked after the bookmark is committed, not along with it. A caller that enqueues commits
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

  private run(statements: readonly Statement[]): Promise<readonly Result[]> {
    return this.database.transact(() => inOneGo(statements));
  }
}
