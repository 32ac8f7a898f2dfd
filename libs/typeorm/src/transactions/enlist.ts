import { NoOpenTransactionError, OtherDatabaseError } from '@waymark/runtime';
import {
  type EnlistedOutbox,
  type OutboxMessage,
  requireStorableSchedule,
  type StoredSchedule,
} from '@waymark/runtime/adapter';
import path from 'node:path';
import type { DataSource, QueryRunner } from 'typeorm';
import { familyOf } from '../connection/database-family.js';
import { TypeOrmBookmarkStore } from '../bookmarks/typeorm-bookmark-store.js';
import type { SqlDatabase } from '../database/sql-database.js';
import type { Row, Statement } from '../database/statement.js';
import { TypeOrmDefinitionStore } from '../definitions/typeorm-definition-store.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { insertMessages } from '../outbox/outbox-rows.js';
import { putStatements } from '../schedules/schedule-rows.js';
import { TypeOrmScheduleStore } from '../schedules/typeorm-schedule-store.js';

/** The part of TypeORM's EntityManager that is used. By shape: a process may hold two copies of TypeORM. */
interface TransactionManager {
  readonly queryRunner?: QueryRunner;
  /** TypeORM 1. */
  readonly dataSource?: DataSource;
  /** TypeORM 0.3. */
  readonly connection?: DataSource;
}

/**
 * Writes messages and schedules over the connection of a transaction of the application.
 * @throws NoOpenTransactionError, OtherDatabaseError
 */
export function enlist(transaction: object, own: DataSource, dialect: Dialect, tables: Tables): EnlistedOutbox {
  const { outbox, schedules } = tables;
  const manager = transaction as TransactionManager;
  const dataSource = manager.dataSource ?? manager.connection;
  if (!dataSource?.options) throw new NoOpenTransactionError('The argument is not an EntityManager of TypeORM.');
  requireOpen(manager.queryRunner);
  requireSameDatabase(dataSource, own);
  const run = async (statements: readonly Statement[]): Promise<unknown> => {
    const runner = requireOpen(manager.queryRunner);
    let last: unknown;
    for (const statement of statements) {
      const { sql, params } = dialect.forAnyConnection(statement);
      last = await runner.query(sql, params && [...params]);
    }
    return last;
  };
  const database = readingBy(dialect, async (statement) => (await run([statement])) as Row[]);
  return {
    definitions: new TypeOrmDefinitionStore(database, tables),
    bookmarks: new TypeOrmBookmarkStore(database, tables),
    async add(messages: readonly OutboxMessage[]): Promise<void> {
      await run(insertMessages(dialect, outbox, messages));
    },
    schedules: {
      findMany: (ids) => new TypeOrmScheduleStore(database, tables).findMany(ids),
      async put(schedule: StoredSchedule): Promise<void> {
        requireStorableSchedule(schedule);
        await run(putStatements(dialect, schedules, schedule));
      },
      async delete(id: string): Promise<boolean> {
        const params = [id];
        // How many rows a DELETE has changed, each driver says in a way of its own.
        const found = await run([{ sql: `SELECT id FROM ${schedules} WHERE id = ?`, params }]);
        await run([{ sql: `DELETE FROM ${schedules} WHERE id = ?`, params }]);
        return (found as unknown[]).length > 0;
      },
    },
  };
}

/** What the stores need to read. */
function readingBy(dialect: Dialect, read: SqlDatabase['read']): SqlDatabase {
  return { dialect, read, isRemote: false } as SqlDatabase;
}

function requireOpen(runner: QueryRunner | undefined): QueryRunner {
  if (!runner) throw new NoOpenTransactionError('The EntityManager does not belong to a transaction.');
  if (!runner.isTransactionActive || runner.isReleased)
    throw new NoOpenTransactionError('The transaction of the EntityManager has ended.');
  return runner;
}

function requireSameDatabase(theirs: DataSource, own: DataSource): void {
  if (theirs === own) return;
  const [their, our] = [nameOf(theirs), nameOf(own)];
  if (their !== our) throw new OtherDatabaseError(their, our);
}

/** Which database it is, without user and password. */
function nameOf(dataSource: DataSource): string {
  const family = familyOf(dataSource);
  const options = dataSource.options as {
    readonly url?: string;
    readonly host?: string;
    readonly port?: number;
    readonly database?: string;
  };
  // Every connection to ':memory:' is a database of its own.
  if (family === 'sqlite')
    return options.database === ':memory:' ? 'SQLite in memory' : `SQLite file ${path.resolve(options.database ?? '')}`;
  const url = options.url === undefined ? undefined : new URL(options.url);
  const port = url?.port || options.port || (family === 'mysql' ? 3306 : 5432);
  const host = (url?.hostname ?? options.host ?? 'localhost').replace(/^(127\.0\.0\.1|\[?::1\]?)$/, 'localhost');
  const database = url ? decodeURIComponent(url.pathname.slice(1)) : options.database;
  return `${family} ${host}:${port}/${database ?? ''}`;
}
