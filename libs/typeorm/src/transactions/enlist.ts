import { type EnlistedOutbox, NoOpenTransactionError, OtherDatabaseError, type OutboxMessage } from '@waymark/runtime';
import path from 'node:path';
import type { DataSource, QueryRunner } from 'typeorm';
import { familyOf } from '../connection/database-family.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertMessages } from '../outbox/outbox-rows.js';

/** The part of TypeORM's EntityManager that is used. By shape: a process may hold two copies of TypeORM. */
interface TransactionManager {
  readonly queryRunner?: QueryRunner;
  /** TypeORM 1. */
  readonly dataSource?: DataSource;
  /** TypeORM 0.3. */
  readonly connection?: DataSource;
}

/**
 * Writes messages over the connection of a transaction of the application.
 * @throws NoOpenTransactionError, OtherDatabaseError
 */
export function enlist(transaction: object, own: DataSource, dialect: Dialect, outbox: string): EnlistedOutbox {
  const manager = transaction as TransactionManager;
  const dataSource = manager.dataSource ?? manager.connection;
  if (!dataSource?.options) throw new NoOpenTransactionError('What was given is not an EntityManager of TypeORM.');
  requireOpen(manager.queryRunner);
  requireSameDatabase(dataSource, own);
  return {
    async add(messages: readonly OutboxMessage[]): Promise<void> {
      const runner = requireOpen(manager.queryRunner);
      for (const statement of insertMessages(dialect, outbox, messages)) {
        const { sql, params } = dialect.forAnyConnection(statement);
        await runner.query(sql, params && [...params]);
      }
    },
  };
}

function requireOpen(runner: QueryRunner | undefined): QueryRunner {
  if (!runner) throw new NoOpenTransactionError('The EntityManager is not that of a transaction.');
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
