import { DEFAULT_PREFIX, tableNames } from '../dialect/tables.js';

/** What a host may decide besides the connection itself. */
export interface TypeOrmPersistenceOptions {
  /** Put before the name of every table. @default 'waymark_' */
  tablePrefix?: string;
  /** Create and migrate the tables when the application starts; `false` if that is done beforehand. @default true */
  migrate?: boolean;
  /**
   * SQLite: `FULL` survives a power failure after every commit; `NORMAL` may lose the last ones, is several times faster,
   * and survives a crash of the process as well. @default 'FULL'
   */
  synchronous?: 'FULL' | 'NORMAL';
  /**
   * PostgreSQL: let the server keep parsed statements. `false` behind a pooler that changes sessions between transactions.
   * @default true for a pool of our own, false for the application's
   */
  preparedStatements?: boolean;
}

export interface PersistenceSettings {
  readonly prefix: string;
  readonly migrate: boolean;
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly preparedStatements: boolean | undefined;
}

/** @throws InvalidTablePrefixError */
export function resolveSettings(options: TypeOrmPersistenceOptions = {}): PersistenceSettings {
  const { tablePrefix: prefix = DEFAULT_PREFIX, migrate = true, synchronous = 'FULL', preparedStatements } = options;
  tableNames(prefix);
  return { prefix, migrate, synchronous, preparedStatements };
}
