export { TypeOrmPersistence, type TypeOrmPersistenceProvider } from './typeorm-persistence.js';
export { createWaymarkDataSource, type WaymarkDataSourceOptions } from './connection/data-source.js';
export { withLimitedLocks } from './connection/limited-locks.js';
export type { TypeOrmPersistenceOptions } from './connection/settings.js';
export {
  DriverMissingError,
  InvalidStoreOptionError,
  InvalidTablePrefixError,
  PendingMigrationsError,
  SharedSqliteConnectionError,
  UnsupportedDatabaseError,
} from './errors.js';
export { waymarkMigrations } from './migrations/index.js';
