import { MYSQL_LOCK_LIMITS } from '../database/server-settings.js';

/** The part of a mysql2 connection that is used. */
interface NewConnection {
  query(sql: string, done: () => void): unknown;
}

/** The part of mysql2 that TypeORM calls. */
interface PoolMaker<TArguments extends never[] = never[]> {
  createPool(...args: TArguments): { on(event: 'connection', listener: (connection: NewConnection) => void): unknown };
}

/**
 * A `driver` for a TypeORM data source of an application on MySQL or MariaDB that is shared with Waymark by `fromDataSource()`. It is mysql2
 * with limits on each connection of the pool: one second for each wait for a lock and, on MariaDB, five seconds for a transaction in which
 * nothing happens. Without them, a process that stands still in a transaction may keep others waiting for minutes.
 *
 * A server that refuses the settings keeps its own; the start of Waymark logs which limits are missing.
 * @param driver the module `mysql2`
 * @example
 * ```ts
 * import mysql2 from 'mysql2';
 *
 * TypeOrmModule.forRoot({ type: 'mysql', url, driver: withLimitedLocks(mysql2) });
 * ```
 */
export function withLimitedLocks<T extends PoolMaker>(driver: T): T {
  const createPool = (...args: Parameters<T['createPool']>) => {
    const pool = driver.createPool(...args);
    // Before anything else is sent on it. With a listener for the answer: without, an error of it would end the process.
    pool.on('connection', (connection) => void connection.query(MYSQL_LOCK_LIMITS, () => undefined));
    return pool;
  };
  return { ...driver, createPool };
}
