import type { SqlDatabase } from '../database/sql-database.js';
import { Conditions } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import { type BookmarkFilter, type BookmarkStore, requireCondition, type StoredBookmark } from '@waymark/runtime';
import { time } from '../rows/column-values.js';
import { BOOKMARK_COLUMNS, toBookmark } from './bookmark-rows.js';

const COLUMNS = BOOKMARK_COLUMNS.join(', ');

export class TypeOrmBookmarkStore implements BookmarkStore {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  async findMany(filter: BookmarkFilter): Promise<StoredBookmark[]> {
    requireCondition('bookmark', filter);
    const { where, params } = new Conditions(this.database.dialect)
      .oneOf('id', filter.ids)
      .equals('hash', filter.hash)
      .oneOf('hash', filter.hashes)
      .oneOf('name', filter.names)
      .equals('workflow_instance_id', filter.workflowInstanceId)
      .oneOf('workflow_instance_id', filter.workflowInstanceIds)
      .equals('correlation_id', filter.correlationId)
      .equals('activity_instance_id', filter.activityInstanceId);
    const sql = `SELECT ${COLUMNS} FROM ${this.tables.bookmarks}${where} ORDER BY created_at, id`;
    return (await this.database.read({ sql, params })).map(toBookmark);
  }

  async findDue(before: Date, limit: number): Promise<StoredBookmark[]> {
    const sql = `SELECT ${COLUMNS} FROM ${this.tables.bookmarks} WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`;
    return (await this.database.read({ sql, params: [time(before), limit] })).map(toBookmark);
  }
}
