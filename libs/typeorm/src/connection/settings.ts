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
  /**
   * The most that the state of an instance may take as text, in bytes, up to 256 MB. Beyond it a burst is refused
   * (`ValueTooLargeError`): an instance of that size costs ten times its size in memory, and half a second of this process,
   * with every burst. MySQL and MariaDB take no more than `max_allowed_packet` in any case.
   * @default 16777216 (16 MB)
   */
  maxStateBytes?: number;
}

export interface PersistenceSettings {
  readonly prefix: string;
  readonly migrate: boolean;
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly preparedStatements: boolean | undefined;
  readonly maxStateBytes: number;
}

const DEFAULT_MAX_STATE_BYTES = 16 * 1024 * 1024;
// JavaScript has no texts beyond 512 MB, and messages and journal hold the same values once more.
const MOST_STATE_BYTES = 256 * 1024 * 1024;

/** @throws InvalidTablePrefixError; RangeError naming the option */
export function resolveSettings(options: TypeOrmPersistenceOptions = {}): PersistenceSettings {
  const { tablePrefix: prefix = DEFAULT_PREFIX, migrate = true, synchronous = 'FULL', preparedStatements } = options;
  const { maxStateBytes = DEFAULT_MAX_STATE_BYTES } = options;
  tableNames(prefix);
  if (!(maxStateBytes > 0 && maxStateBytes <= MOST_STATE_BYTES))
    throw new RangeError(
      `TypeOrmPersistence option 'maxStateBytes' must be greater than 0 and at most ${MOST_STATE_BYTES}, not ${maxStateBytes}.`,
    );
  return { prefix, migrate, synchronous, preparedStatements, maxStateBytes };
}
