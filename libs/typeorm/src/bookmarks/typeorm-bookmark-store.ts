import { lookups } from '../database/lookups.js';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import type { Row } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import {
  type BookmarkStore,
  type ClaimedBookmarks,
  type DueClaimOptions,
  type Lease,
  requireCondition,
  type TimedWindow,
  type RenewedClaims,
} from '@waymark/runtime/adapter';
import { type BookmarkFilter, type StoredBookmark } from '@waymark/runtime';
import { time, toText } from '../rows/column-values.js';
import { claimingDue, releaseStatement, renewingClaims } from './bookmark-claims.js';
import { bookmarkConditions, OLDEST_FIRST } from './bookmark-filter.js';
import { BOOKMARK } from './bookmark-rows.js';
/** Rows that the look-up of several reads at most: when more wait, each asks for itself, and for no more than it wants. */
const READ_TOGETHER = 1000;
/** For each hash that is looked up: thousands may wait for one of them. */
const READ_OF_HASH = 50;

/** Who waits for this, of this correlation: the look-up of nearly every resume. */
interface Waiting {
  readonly hash: string;
  readonly correlationId: string;
}

export class TypeOrmBookmarkStore implements BookmarkStore {
  /** Undefined: too many wait for a common look-up. */
  private readonly findWaiting: (waiting: Waiting) => Promise<readonly Row[] | undefined>;
  /** The same of any correlation: requests to endpoints, and those to paths that lead nowhere, which strangers send by the thousand. */
  private readonly findOfHash: (hash: string) => Promise<readonly Row[] | undefined>;

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {
    this.findWaiting = lookups(database, (keys) => this.findAllWaiting(keys));
    this.findOfHash = lookups(database, (hashes) => this.findAllOfHashes(hashes));
  }

  async findMany(filter: BookmarkFilter, limit?: number): Promise<StoredBookmark[]> {
    requireCondition('bookmark', filter);
    const rows = (await this.findTogether(filter, limit)) ?? (await this.select(filter, limit));
    return rows.slice(0, limit).map(BOOKMARK.listed);
  }

  /** Undefined when each has to ask for itself. */
  private async findTogether(filter: BookmarkFilter, limit?: number): Promise<readonly Row[] | undefined> {
    const { hash, correlationId, ...others } = filter;
    if (hash === undefined || Object.values(others).some((value) => value !== undefined)) return undefined;
    if (correlationId !== undefined) return this.findWaiting({ hash, correlationId });
    // Without a limit, all are wanted, however many there are.
    return limit === undefined ? undefined : this.findOfHash(hash);
  }

  async hasName(name: string): Promise<boolean> {
    const sql = `SELECT id FROM ${this.tables.bookmarks} WHERE name = ? LIMIT 1`;
    return (await this.database.read({ sql, params: [name] })).length > 0;
  }

  async findDue(before: Date, limit: number): Promise<StoredBookmark[]> {
    const sql = `SELECT ${BOOKMARK.list} FROM ${this.tables.bookmarks} WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`;
    return (await this.database.read({ sql, params: [time(before), limit] })).map(BOOKMARK.listed);
  }

  async findTimed({ limit, before, after, workflowInstanceId, names }: TimedWindow): Promise<StoredBookmark[]> {
    const conditions = new Conditions(this.database.dialect)
      .add('due_at IS NOT NULL')
      .equals('workflow_instance_id', workflowInstanceId)
      .oneOf('name', names);
    if (before) conditions.add('due_at <= ?', time(before));
    // The first part alone is a range of the index on every database.
    if (after) {
      const at = time(after.dueAt);
      conditions.add('due_at >= ?', at).add('(due_at > ? OR id > ?)', at, after.id);
    }
    const { where, params } = conditions;
    const sql = `SELECT ${BOOKMARK.list} FROM ${this.tables.bookmarks}${where} ORDER BY due_at, id LIMIT ?`;
    return (await this.database.read({ sql, params: [...params, limit] })).map(BOOKMARK.listed);
  }

  async clearDueTimes(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { where, params } = new Conditions(this.database.dialect).oneOf('id', ids).add('due_at IS NOT NULL');
    const sql = `UPDATE ${this.tables.bookmarks} SET due_at = NULL${where}`;
    const [result] = await this.database.transact(() => inOneGo([{ sql, params }]));
    return result?.affected ?? 0;
  }

  claimDue(options: DueClaimOptions): Promise<ClaimedBookmarks> {
    const { dialect } = this.database;
    return this.database.transact(() => claimingDue(dialect, this.tables.bookmarks, options), { byIndex: true });
  }

  renewClaims(ids: readonly string[], lease: Lease): Promise<RenewedClaims> {
    const { dialect } = this.database;
    return this.database.transact(() => renewingClaims(dialect, this.tables.bookmarks, ids, lease), { byIndex: true });
  }

  async releaseClaim(id: string, owner: string, availableAt: Date): Promise<void> {
    const statement = releaseStatement(this.tables.bookmarks, id, owner, availableAt);
    await this.database.transact(() => inOneGo([statement]));
  }

  private select(filter: BookmarkFilter, limit?: number): Promise<readonly Row[]> {
    return this.query(bookmarkConditions(this.database.dialect, filter), limit);
  }

  /** One query for each hash: all of them walk one stretch of the index. */
  private async findAllWaiting(keys: readonly Waiting[]): Promise<(readonly Row[] | undefined)[]> {
    const found = new Map<string, Map<string, Row[]>>();
    for (const { hash, correlationId } of keys) {
      const byCorrelation = found.get(hash) ?? new Map<string, Row[]>();
      found.set(hash, byCorrelation.set(correlationId, []));
    }
    const queries = [...found].map(async ([hash, byCorrelation]) => {
      const conditions = new Conditions(this.database.dialect).equals('hash', hash);
      const rows = await this.query(conditions.oneOf('correlation_id', [...byCorrelation.keys()]), READ_TOGETHER);
      if (rows.length === READ_TOGETHER) found.delete(hash);
      else for (const row of rows) byCorrelation.get(toText(row.correlation_id))?.push(row);
    });
    await Promise.all(queries);
    return keys.map(({ hash, correlationId }) => found.get(hash)?.get(correlationId));
  }

  private async findAllOfHashes(hashes: readonly string[]): Promise<(readonly Row[] | undefined)[]> {
    const found = new Map<string, Row[]>(hashes.map((hash) => [hash, []]));
    const conditions = new Conditions(this.database.dialect).oneOf('hash', [...found.keys()]);
    const most = Math.min(READ_TOGETHER, READ_OF_HASH * (hashes.length + 1));
    const rows = await this.query(conditions, most);
    if (rows.length === most) return hashes.map(() => undefined);
    for (const row of rows) found.get(toText(row.hash))?.push(row);
    return hashes.map((hash) => found.get(hash));
  }

  private query({ where, params }: Conditions, limit?: number): Promise<readonly Row[]> {
    const end = limit === undefined ? '' : ' LIMIT ?';
    return this.database.read({
      sql: `SELECT ${BOOKMARK.list} FROM ${this.tables.bookmarks}${where}${OLDEST_FIRST}${end}`,
      params: limit === undefined ? params : [...params, limit],
    });
  }
}
