import type { DataSource } from 'typeorm';
import { MysqlDatabase } from '../database/mysql-database.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import type { SqlDatabase } from '../database/sql-database.js';
import { SqliteDatabase } from '../database/sqlite-database.js';
import type { SqliteHandle } from '../database/sqlite-handle.js';
import { InvalidStoreOptionError } from '../errors.js';
import { familyOf } from './database-family.js';
import type { PersistenceSettings } from './settings.js';

export function openDatabase(dataSource: DataSource, settings: PersistenceSettings, isOwn: boolean): SqlDatabase {
  const { preparedStatements, statementTimeoutMs, connectTimeoutMs } = settings;
  const pool = { ownPool: isOwn, poolSize: poolSizeOf(dataSource), statementTimeoutMs, connectTimeoutMs };
  switch (familyOf(dataSource)) {
    case 'sqlite':
      return new SqliteDatabase(
        () => (dataSource.driver as unknown as { databaseConnection: SqliteHandle }).databaseConnection,
      );
    case 'mysql':
      return new MysqlDatabase(dataSource, pool);
    case 'postgres':
      return new PostgresDatabase(dataSource, { ...pool, preparedStatements });
  }
}

/** The most connections that a pool has: that of both drivers unless one is named. */
const DEFAULT_POOL_SIZE = 10;

/** @throws InvalidStoreOptionError (`WM7016`) with none, each statement would wait for a connection until its time is over */
function poolSizeOf({ options }: DataSource): number {
  const { poolSize, extra } = options as { poolSize?: unknown; extra?: { max?: unknown; connectionLimit?: unknown } };
  const [option, given] = [
    ['extra.max', extra?.max],
    ['extra.connectionLimit', extra?.connectionLimit],
    ['poolSize', poolSize],
  ].find(([, value]) => value !== undefined && value !== null) ?? ['poolSize', DEFAULT_POOL_SIZE];
  // Drivers take texts as well, such as that of an environment variable.
  const size = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof size === 'number' && Number.isInteger(size) && size >= 1) return size;
  throw new InvalidStoreOptionError(String(option), given, 'a whole number of connections, at least 1');
}

/** PostgreSQL: the schema that the host chose for its tables. */
export function schemaOf(dataSource: DataSource): string | undefined {
  return dataSource.options.type === 'postgres' ? dataSource.options.schema : undefined;
}
