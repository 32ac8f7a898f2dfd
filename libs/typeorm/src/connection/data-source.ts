import path from 'node:path';
import { makeFolder } from '@waymark/runtime/adapter';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrationsTableName } from '../dialect/tables.js';
import { InvalidStoreOptionError, UnsupportedDatabaseError } from '../errors.js';
import { migrationsFor } from '../migrations/index.js';
import { familyOfType } from './database-family.js';
import { driverFailure } from './missing-driver.js';
import { nodeSqliteDriver } from './node-sqlite.js';
import { withDatabase, withoutValue } from './named-database.js';
import { requireServerUrl } from './server-url.js';
import { type PersistenceSettings, resolveSettings, type TypeOrmPersistenceOptions } from './settings.js';

type SqliteOptions = Extract<DataSourceOptions, { type: 'better-sqlite3' }>;
type MysqlOptions = Extract<DataSourceOptions, { type: 'mysql' | 'mariadb' }>;
type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** TypeORM's options of the databases that Waymark can use; `entities` and the like are not needed. */
export type WaymarkDataSourceOptions = SqliteOptions | MysqlOptions | PostgresOptions;

const BRAND = Symbol.for('@waymark/typeorm data source');

/** A data source that was set up for Waymark: no other transactions run on it. */
class WaymarkDataSource extends DataSource {
  readonly [BRAND] = true;

  /** @throws of a SQLite file: the error of the system when its folder cannot be made */
  override async initialize(): Promise<this> {
    const { type, database } = this.options;
    // Before TypeORM does: it would not come to an end below a folder that takes no others.
    if (type === 'better-sqlite3' && database !== ':memory:') await makeFolder(path.dirname(database));
    return super.initialize();
  }
}

/** By a mark, not by class: a process may hold two copies of this package. */
export function isWaymarkDataSource(dataSource: DataSource): boolean {
  return BRAND in dataSource;
}

/**
 * A TypeORM data source with the migrations of Waymark's tables and the settings that its persistence relies on. For the
 * TypeORM command line, and for looking at the tables; do not run transactions of your own on a SQLite one.
 * @param connection a URL as for `TypeOrmPersistence.fromUrl`, or options of TypeORM
 * @throws UnsupportedDatabaseError (`WM7012`), InvalidStoreOptionError (`WM7016`), InvalidTablePrefixError (`WM7010`),
 *   DriverMissingError (`WM1058`)
 * @example
 * // ormconfig.ts, for `typeorm migration:run -d ormconfig.ts`
 * export default createWaymarkDataSource(process.env.DATABASE_URL!);
 */
export function createWaymarkDataSource(
  connection: WaymarkDataSourceOptions | string,
  options: TypeOrmPersistenceOptions = {},
): DataSource {
  const given = typeof connection === 'object' && connection ? withDatabase(connection) : optionsFromUrl(connection);
  const settings = resolveSettings(options);
  const schema = 'schema' in given ? given.schema : undefined;
  const whole = {
    ...withDriverSettings(given, settings),
    entities: [],
    synchronize: false,
    migrations: migrationsFor(settings.prefix, schema),
    migrationsTableName: migrationsTableName(settings.prefix),
  } as DataSourceOptions;
  try {
    // This loads the driver.
    return new WaymarkDataSource(whole);
  } catch (error) {
    throw driverFailure(familyOfType(given.type), error);
  }
}

/** @throws UnsupportedDatabaseError (`WM7012`), InvalidStoreOptionError (`WM7016`) for no URL, one that cannot be read, and SQLite without a file */
export function optionsFromUrl(url: string): WaymarkDataSourceOptions {
  // Such as the value of an environment variable that is not set.
  if (typeof url !== 'string' || url.trim() === '')
    throw new InvalidStoreOptionError('url', withoutValue(url), 'the URL of a database. A setting may be missing');
  const scheme = /^([a-z0-9]+):/i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'sqlite':
      return { type: 'better-sqlite3', database: requireFile(url.slice('sqlite:'.length).replace(/^\/\//, '')) };
    case 'mysql':
    case 'mariadb':
      return { type: scheme, url: requireServerUrl(url, scheme) };
    case 'postgres':
    case 'postgresql':
      return { type: 'postgres', url: requireServerUrl(url, 'postgres') };
    default:
      // Not the URL: it may hold a password.
      throw new UnsupportedDatabaseError(scheme ?? 'a string that is not a URL');
  }
}

/** SQLite opens a temporary database when the name is empty. */
function requireFile(name: string): string {
  if (name.trim() !== '') return name;
  throw new InvalidStoreOptionError(
    'url',
    'sqlite: without a file',
    'such as sqlite:data/waymark.db, or sqlite::memory:',
  );
}

/** An idle connection notices after that time when the other side has gone. */
const KEEP_ALIVE_MS = 10_000;

function withDriverSettings(given: WaymarkDataSourceOptions, settings: PersistenceSettings): WaymarkDataSourceOptions {
  switch (familyOfType(given.type)) {
    case 'sqlite':
      return sqliteSettings(given as SqliteOptions, settings);
    case 'mysql': {
      const { extra, charset, ...others } = given as MysqlOptions & { extra?: object };
      return {
        charset: requireUtf8(charset),
        timezone: 'Z',
        connectTimeout: settings.connectTimeoutMs,
        ...others,
        extra: { enableKeepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, ...extra },
        // Several statements in one packet: a commit takes two round trips whatever it writes.
        multipleStatements: true,
      };
    }
    case 'postgres': {
      const { extra, ...others } = given as PostgresOptions & { extra?: object };
      return {
        connectTimeoutMS: settings.connectTimeoutMs,
        ...others,
        // With pipeline, statements are sent without waiting for the answer to the one before.
        extra: { pipeline: true, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS, ...extra },
      };
    }
  }
}

/** Twice the largest state that is stored by default, for what it was and what it becomes. */
const CACHE_KIB = 32_768;

/** Texts are written into statements as UTF-8: a connection that reads other bytes would take parts of them for SQL. */
function requireUtf8(charset = 'utf8mb4'): string {
  if (/^utf8mb4(_|$)/i.test(charset)) return charset;
  throw new InvalidStoreOptionError('charset', charset, 'utf8mb4 or one of its collations');
}

function sqliteSettings(given: SqliteOptions, { synchronous }: PersistenceSettings): SqliteOptions {
  return {
    ...given,
    driver: given.driver ?? nodeSqliteDriver(),
    enableWAL: true,
    // Waiting inside the driver would block the process, and with it the code that holds the lock.
    timeout: 0,
    prepareDatabase: async (handle: { pragma(text: string): unknown }) => {
      // Under WAL the default is NORMAL, which may lose commits when the power fails.
      handle.pragma(`synchronous = ${synchronous}`);
      // In KiB. A large state is read, freed and written in one statement, which takes three times as long where that does not fit. Memory
      // is taken only as it is used.
      handle.pragma(`cache_size = -${CACHE_KIB}`);
      await given.prepareDatabase?.(handle);
    },
  };
}
