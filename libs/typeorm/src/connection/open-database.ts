import type { DataSource } from 'typeorm';
import { MysqlDatabase } from '../database/mysql-database.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import type { SqlDatabase } from '../database/sql-database.js';
import { SqliteDatabase } from '../database/sqlite-database.js';
import type { SqliteHandle } from '../database/sqlite-handle.js';
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

function poolSizeOf({ options }: DataSource): number {
  const { poolSize, extra } = options as { poolSize?: number; extra?: { max?: number; connectionLimit?: number } };
  return extra?.max ?? extra?.connectionLimit ?? poolSize ?? DEFAULT_POOL_SIZE;
}

/** PostgreSQL: the schema that the host chose for its tables. */
export function schemaOf(dataSource: DataSource): string | undefined {
  return dataSource.options.type === 'postgres' ? dataSource.options.schema : undefined;
}
