import { randomUUID } from 'node:crypto';
import { optionKinds } from '@waymark/core/adapter';
import { DataSource } from 'typeorm';
import { TypeOrmAlterationStore } from './alterations/typeorm-alteration-store.js';
import { TypeOrmAuditStore } from './audit/typeorm-audit-store.js';
import { TypeOrmBookmarkStore } from './bookmarks/typeorm-bookmark-store.js';
import { nextDue } from './bookmarks/next-due.js';
import { TypeOrmBulkPlanStore } from './bulk/typeorm-bulk-plan-store.js';
import { CommitWriter } from './commit/commit-writer.js';
import { connect } from './connection/connect.js';
import { openDatabase, schemaOf } from './connection/open-database.js';
import { requireSupportedServer } from './connection/server-version.js';
import { surviveLostConnections } from './connection/survive-lost-connections.js';
import {
  createWaymarkDataSource,
  isWaymarkDataSource,
  type WaymarkDataSourceOptions,
} from './connection/data-source.js';
import { familyOf } from './connection/database-family.js';
import { type PersistenceSettings, resolveSettings, type TypeOrmPersistenceOptions } from './connection/settings.js';
import { inOneGo, type SqlDatabase } from './database/sql-database.js';
import { TypeOrmDefinitionStore } from './definitions/typeorm-definition-store.js';
import { tableNames, type Tables } from './dialect/tables.js';
import { InvalidStoreOptionError, PendingMigrationsError, SharedSqliteConnectionError } from './errors.js';
import { RecentStates } from './instances/recent-states.js';
import { TypeOrmInstanceStore } from './instances/typeorm-instance-store.js';
import { TypeOrmJournalStore } from './journal/typeorm-journal-store.js';
import { insertMessages } from './outbox/outbox-rows.js';
import { TypeOrmNodeStore } from './nodes/typeorm-node-store.js';
import { TypeOrmOutboxStore } from './outbox/typeorm-outbox-store.js';
import { migrate, pendingMigrations } from './migrations/migrate.js';
import { MigrationWaits } from './migrations/migration-waits.js';
import { TypeOrmBookmarkPatternStore } from './patterns/typeorm-pattern-store.js';
import { WorkflowPersistence } from '@waymark/runtime';
import { type BurstCommit, type EnlistedOutbox, type LookAhead, type OutboxMessage } from '@waymark/runtime/adapter';
import { TypeOrmBookmarkQueueStore } from './queue/typeorm-queue-store.js';
import { toNumber } from './rows/column-values.js';
import { enlist } from './transactions/enlist.js';
import { TypeOrmScheduleStore } from './schedules/typeorm-schedule-store.js';
import { TypeOrmStatisticsStore } from './statistics/typeorm-statistics-store.js';
import { TypeOrmTriggerStore } from './triggers/typeorm-trigger-store.js';
import { TypeOrmUserTaskStore } from './user-tasks/typeorm-user-task-store.js';

/** A persistence on the application's own data source, for Nest to create. */
export interface TypeOrmPersistenceProvider {
  /** The data source of the application. */
  readonly inject: [typeof DataSource];
  /** What to do where there is none. */
  readonly hint: string;
  /** Makes the persistence on it. */
  readonly useFactory: (dataSource: DataSource) => TypeOrmPersistence;
}

const WITHOUT_DATA_SOURCE =
  'Import TypeOrmModule.forRoot(…) in the root module, or name the database here: TypeOrmPersistence.fromUrl(…).';

const A_DATA_SOURCE =
  'a DataSource of TypeORM. Options of a connection belong to TypeOrmPersistence.fromOptions(), and a URL to TypeOrmPersistence.fromUrl()';

/** Not by class: TypeORM may be there twice. */
const isDataSource = (given: unknown): given is DataSource =>
  typeof (given as Partial<DataSource> | null | undefined)?.options?.type === 'string';

/** Not those of a connection, which have a `type`, nor the promise of a data source. Of the others, unknown names are refused. */
const mayBeOptions = (given: unknown): given is TypeOrmPersistenceOptions | undefined =>
  given == null || (typeof given === 'object' && !('type' in given) && !('then' in given));

/**
 * Stores workflows in SQLite, MySQL, MariaDB or PostgreSQL. It has no entities: the tables belong to Waymark, and rows are
 * written and read with plain SQL through TypeORM's connections.
 *
 * ```ts
 * TypeOrmPersistence.fromOptions({ type: 'better-sqlite3', database: 'data/waymark.db' })
 * TypeOrmPersistence.fromUrl('postgres://user:password@host/database')
 * TypeOrmPersistence.fromDataSource()              // the application's TypeOrmModule.forRoot(…)
 * ```
 */
export class TypeOrmPersistence extends WorkflowPersistence {
  readonly definitions: TypeOrmDefinitionStore;
  readonly instances: TypeOrmInstanceStore;
  readonly bookmarks: TypeOrmBookmarkStore;
  readonly patterns: TypeOrmBookmarkPatternStore;
  readonly triggers: TypeOrmTriggerStore;
  readonly schedules: TypeOrmScheduleStore;
  readonly journal: TypeOrmJournalStore;
  readonly outbox: TypeOrmOutboxStore;
  readonly queue: TypeOrmBookmarkQueueStore;
  readonly alterations: TypeOrmAlterationStore;
  readonly bulkPlans: TypeOrmBulkPlanStore;
  readonly userTasks: TypeOrmUserTaskStore;
  readonly audit: TypeOrmAuditStore;
  readonly statistics: TypeOrmStatisticsStore;
  readonly nodes: TypeOrmNodeStore;
  private readonly writer: CommitWriter;
  private readonly tables: Tables;
  private readonly database: SqlDatabase;
  private started: Promise<void> | undefined;

  /** @param isOwn whether the data source is ours: connected by `initialize` and ended by `close` */
  private constructor(
    private readonly dataSource: DataSource,
    private readonly settings: PersistenceSettings,
    private readonly isOwn: boolean,
  ) {
    super();
    const database = openDatabase(dataSource, settings, isOwn);
    const tables = tableNames(settings.prefix, schemaOf(dataSource));
    const recent = new RecentStates();
    this.database = database;
    this.definitions = new TypeOrmDefinitionStore(database, tables);
    this.instances = new TypeOrmInstanceStore(database, tables, recent);
    this.bookmarks = new TypeOrmBookmarkStore(database, tables);
    this.patterns = new TypeOrmBookmarkPatternStore(database, tables);
    this.triggers = new TypeOrmTriggerStore(database, tables);
    this.schedules = new TypeOrmScheduleStore(database, tables);
    this.journal = new TypeOrmJournalStore(database, tables, settings.journalValueBytes, settings.maxJournalBytes);
    this.outbox = new TypeOrmOutboxStore(database, tables);
    this.queue = new TypeOrmBookmarkQueueStore(database, tables);
    this.alterations = new TypeOrmAlterationStore(database, tables);
    this.bulkPlans = new TypeOrmBulkPlanStore(database, tables);
    this.userTasks = new TypeOrmUserTaskStore(database, tables);
    this.audit = new TypeOrmAuditStore(database, tables);
    this.statistics = new TypeOrmStatisticsStore(database, tables);
    this.nodes = new TypeOrmNodeStore(database, tables);
    this.writer = new CommitWriter(database, tables, settings, recent, this.largeStates);
    this.tables = tables;
  }

  /**
   * Opens its own connections, with TypeORM's options.
   * @param options options of the tables and time limits
   * @throws UnsupportedDatabaseError (`WM7012`), InvalidStoreOptionError (`WM7016`), InvalidTablePrefixError (`WM7010`),
   *   UnknownOptionError (`WM1091`), DriverMissingError (`WM1058`) when the package of the database is not installed
   */
  static fromOptions(
    connection: WaymarkDataSourceOptions,
    options: TypeOrmPersistenceOptions = {},
  ): TypeOrmPersistence {
    return new TypeOrmPersistence(createWaymarkDataSource(connection, options), resolveSettings(options), true);
  }

  /**
   * Opens its own connections, described by a URL.
   * @param url `sqlite:path`, `mysql://…`, `mariadb://…` or `postgres://…`, with the name of a database that exists
   * @param options as for `fromOptions`
   * @throws as `fromOptions`
   */
  static fromUrl(url: string, options: TypeOrmPersistenceOptions = {}): TypeOrmPersistence {
    return new TypeOrmPersistence(createWaymarkDataSource(url, options), resolveSettings(options), true);
  }

  /**
   * Uses the connections of the application. Without a data source, Nest injects that of `TypeOrmModule.forRoot`.
   *
   * @example
   * TypeOrmPersistence.fromDataSource()
   * TypeOrmPersistence.fromDataSource({ tablePrefix: 'workflows_' })
   * TypeOrmPersistence.fromDataSource(dataSource, { migrate: false })
   * @param options as for `fromOptions`
   * @throws InvalidStoreOptionError (`WM7016`) for anything but a data source; SharedSqliteConnectionError (`WM7011`) for
   *   SQLite, unless it was made by `createWaymarkDataSource`; InvalidTablePrefixError (`WM7010`), UnknownOptionError
   *   (`WM1091`)
   */
  static fromDataSource(options?: TypeOrmPersistenceOptions): TypeOrmPersistenceProvider;
  static fromDataSource(dataSource: DataSource, options?: TypeOrmPersistenceOptions): TypeOrmPersistence;
  /** @deprecated `fromDataSource(options)` does the same. */
  static fromDataSource(dataSource: undefined, options: TypeOrmPersistenceOptions): TypeOrmPersistenceProvider;
  static fromDataSource(
    given?: DataSource | TypeOrmPersistenceOptions,
    options?: TypeOrmPersistenceOptions,
  ): TypeOrmPersistence | TypeOrmPersistenceProvider {
    if (isDataSource(given)) {
      if (familyOf(given) === 'sqlite' && !isWaymarkDataSource(given)) throw new SharedSqliteConnectionError();
      return new TypeOrmPersistence(given, resolveSettings(options), false);
    }
    if (!mayBeOptions(given))
      throw new InvalidStoreOptionError('dataSource', optionKinds.described(given), A_DATA_SOURCE);
    const settings = given ?? options;
    // Here, where the stack still leads to the mistake.
    resolveSettings(settings);
    const useFactory = (injected: DataSource) => {
      if (!isDataSource(injected))
        throw new InvalidStoreOptionError('dataSource', optionKinds.described(injected), A_DATA_SOURCE);
      return TypeOrmPersistence.fromDataSource(injected, settings);
    };
    return { inject: [DataSource], hint: WITHOUT_DATA_SOURCE, useFactory };
  }

  commit(burst: BurstCommit): Promise<void> {
    return this.writer.commit(burst);
  }

  override enlist(transaction: object): EnlistedOutbox {
    return enlist(transaction, this.dataSource, this.database.dialect, this.tables);
  }

  async findNextDue(options: LookAhead): Promise<number | undefined> {
    const [row] = await this.database.read(nextDue(this.database.dialect, this.tables, options));
    if (row) options.heard?.(toNumber(row.now_ms));
    const times = [row?.trigger_at, row?.schedule_at, row?.free_at, row?.bookmark_at].filter((at) => at != null);
    return times.length === 0 ? undefined : Math.max(0, Math.min(...times.map(toNumber)) - toNumber(row?.now_ms));
  }

  async now(): Promise<number> {
    const [row] = await this.database.read({ sql: `SELECT ${this.database.dialect.nowMs} AS now_ms`, params: [] });
    return toNumber(row?.now_ms);
  }

  /** Writes a row of the outbox and deletes it in one transaction. */
  override async checkWritable(): Promise<void> {
    const at = new Date(0);
    const id = `probe/${randomUUID()}`;
    const probe: OutboxMessage = { id, kind: 'probe', payload: null, createdAt: at, availableAt: at, attempts: 0 };
    await this.database.transact(() =>
      inOneGo([
        ...insertMessages(this.database.dialect, this.tables.outbox, [probe]),
        { sql: `DELETE FROM ${this.tables.outbox} WHERE id = ?`, params: [id] },
      ]),
    );
  }

  async initialize(): Promise<void> {
    this.started ??= this.start();
    try {
      await this.started;
    } catch (error) {
      // The next call tries again: the server may be up by then.
      this.started = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.database.close(async () => {
      if (this.isOwn && this.dataSource.isInitialized) await this.dataSource.destroy();
    });
    this.started = undefined;
  }

  private async start(): Promise<void> {
    await connect(this.dataSource, this.settings.statementTimeoutMs);
    requireSupportedServer(this.dataSource);
    surviveLostConnections(this.dataSource);
    const schema = { prefix: this.settings.prefix, schema: schemaOf(this.dataSource) };
    const waits = new MigrationWaits(this.settings.statementTimeoutMs, this.settings.migrationTimeoutMs);
    if (this.settings.migrate) {
      await migrate(this.dataSource, schema, waits);
    } else {
      const pending = await pendingMigrations(this.dataSource, schema, waits);
      if (pending.length > 0) throw new PendingMigrationsError(pending);
    }
    await this.database.start();
  }
}
