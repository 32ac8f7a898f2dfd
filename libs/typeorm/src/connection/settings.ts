import { checkOptions, type OptionKinds, optionKinds as is } from '@waymark/core/adapter';
import {
  DEFAULT_JOURNAL_VALUE_BYTES,
  DEFAULT_MAX_JOURNAL_BYTES,
  isJournalValueBytes,
  isMaxJournalBytes,
  JOURNAL_VALUE_BYTES,
  MAX_JOURNAL_BYTES,
} from '@waymark/runtime/adapter';
import { DEFAULT_PREFIX, tableNames } from '../dialect/tables.js';
import { InvalidStoreOptionError } from '../errors.js';

/** Options of the persistence besides the connection. */
export interface TypeOrmPersistenceOptions {
  /** Prefix of the name of every table. @default 'waymark_' */
  tablePrefix?: string | undefined;
  /**
   * Whether the tables are created and migrated when the application starts; `false` if you do this beforehand. @default true
   */
  migrate?: boolean | undefined;
  /**
   * SQLite: `FULL` survives a power failure after every commit; `NORMAL` may lose the last ones, is several times faster,
   * and survives a crash of the process as well. @default 'FULL'
   */
  synchronous?: 'FULL' | 'NORMAL' | undefined;
  /**
   * PostgreSQL: let the server keep parsed statements, and on connections of our own the settings of sessions. `true` promises that
   * a connection has the same session for all of its life, also behind a pooler (PgBouncer: `pool_mode = session`).
   * @default false for the pool of the application; for one of our own true, unless a pooler is found in front of the server
   */
  preparedStatements?: boolean | undefined;
  /**
   * Servers: how long the database may take to answer, in milliseconds, from 100 to 600,000. The server gives up on a single
   * statement after that (connections of our own only); a connection that stays silent a little longer is dropped.
   * @default 10_000
   */
  statementTimeoutMs?: number | undefined;
  /**
   * Servers: how long making a connection of our own may take, in milliseconds, from 100 to 600,000. TypeORM's own option
   * (`connectTimeoutMS`, `connectTimeout`) takes precedence. @default 3_000
   */
  connectTimeoutMs?: number | undefined;
  /**
   * Servers: how long one statement of a migration may take, in milliseconds, from 1,000 to 86,400,000 (a day). A node waits
   * as long, but no longer than two minutes, for another one that migrates.
   * @default 600_000 (10 minutes)
   */
  migrationTimeoutMs?: number | undefined;
  /**
   * Maximum size of the state of an instance as text, in bytes, up to 256 MB. A larger state is refused (`ValueTooLargeError`):
   * an instance of that size costs ten times its size in memory, and half a second of this process, with every burst. MySQL and
   * MariaDB take no more than `max_allowed_packet` in any case.
   * @default 16777216 (16 MB)
   */
  maxStateBytes?: number | undefined;
  /**
   * Size in bytes above which a value of the journal is written once for each instance, in a separate table; from 1,024 to
   * 16,777,216 (16 MB). Nodes may have different limits. @default 32768 (32 kB)
   */
  journalValueBytes?: number | undefined;
  /**
   * Bytes of such values that the journal of one instance keeps in all. In place of each further one it has a note of its kind, its size and
   * its beginning (`OmittedJournalValue`); 0: none is kept. The state is not affected. Nodes may have different limits.
   * @default 67108864 (64 MB)
   */
  maxJournalBytes?: number | undefined;
}

export interface PersistenceSettings {
  readonly prefix: string;
  readonly migrate: boolean;
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly preparedStatements: boolean | undefined;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly migrationTimeoutMs: number;
  readonly maxStateBytes: number;
  readonly journalValueBytes: number;
  readonly maxJournalBytes: number;
}

const DEFAULT_MAX_STATE_BYTES = 16 * 1024 * 1024;
// JavaScript has no texts beyond 512 MB, and messages and journal hold the same values once more.
/** Less leaves no room for an incident. */
const LEAST_STATE_BYTES = 64 * 1024;
const MOST_STATE_BYTES = 256 * 1024 * 1024;

/** What the options take; the ranges of numbers are checked one by one. */
const KINDS: OptionKinds<TypeOrmPersistenceOptions> = {
  tablePrefix: is.text,
  migrate: is.flag,
  synchronous: is.oneOf('FULL', 'NORMAL'),
  preparedStatements: is.flag,
  statementTimeoutMs: is.aNumber,
  connectTimeoutMs: is.aNumber,
  migrationTimeoutMs: is.aNumber,
  maxStateBytes: is.aNumber,
  journalValueBytes: is.aNumber,
  maxJournalBytes: is.aNumber,
};

const refuse = (option: string, requirement: string, given: string) =>
  new InvalidStoreOptionError(option, given, requirement);

/** @throws InvalidTablePrefixError (`WM7010`), InvalidStoreOptionError (`WM7016`), UnknownOptionError (`WM1091`) */
export function resolveSettings(given: TypeOrmPersistenceOptions = {}): PersistenceSettings {
  const options = checkOptions({ name: 'TypeOrmPersistence', refuse }, given, KINDS);
  const { tablePrefix: prefix = DEFAULT_PREFIX, migrate = true, synchronous = 'FULL', preparedStatements } = options;
  const { statementTimeoutMs = 10_000, connectTimeoutMs = 3_000, maxStateBytes = DEFAULT_MAX_STATE_BYTES } = options;
  const { migrationTimeoutMs = 600_000, journalValueBytes = DEFAULT_JOURNAL_VALUE_BYTES } = options;
  const { maxJournalBytes = DEFAULT_MAX_JOURNAL_BYTES } = options;
  tableNames(prefix);
  requireMilliseconds('statementTimeoutMs', statementTimeoutMs);
  requireMilliseconds('connectTimeoutMs', connectTimeoutMs);
  if (!(Number.isInteger(migrationTimeoutMs) && migrationTimeoutMs >= 1000 && migrationTimeoutMs <= 86_400_000))
    throw new InvalidStoreOptionError(
      'migrationTimeoutMs',
      migrationTimeoutMs,
      'a whole number of milliseconds from 1,000 to 86,400,000',
    );
  if (!(Number.isInteger(maxStateBytes) && maxStateBytes >= LEAST_STATE_BYTES && maxStateBytes <= MOST_STATE_BYTES))
    throw new InvalidStoreOptionError(
      'maxStateBytes',
      maxStateBytes,
      'a whole number of bytes from 65,536 (64 KB) to 268,435,456 (256 MB)',
    );
  if (!isJournalValueBytes(journalValueBytes))
    throw new InvalidStoreOptionError('journalValueBytes', journalValueBytes, JOURNAL_VALUE_BYTES);
  if (!isMaxJournalBytes(maxJournalBytes))
    throw new InvalidStoreOptionError('maxJournalBytes', maxJournalBytes, MAX_JOURNAL_BYTES);
  const timeouts = { statementTimeoutMs, connectTimeoutMs, migrationTimeoutMs };
  return {
    prefix,
    migrate,
    synchronous,
    preparedStatements,
    ...timeouts,
    maxStateBytes,
    journalValueBytes,
    maxJournalBytes,
  };
}

function requireMilliseconds(option: string, value: number): void {
  const isValid = Number.isInteger(value) && value >= 100 && value <= 600_000;
  if (!isValid) throw new InvalidStoreOptionError(option, value, 'a whole number of milliseconds from 100 to 600,000');
}
