import { quotedAnywhere, withValues } from '../database/mysql-text.js';
import type { SqlValue, Statement } from '../database/statement.js';
import { indexName } from './index-name.js';
import { MYSQL_ERRORS } from './mysql-errors.js';
import { POSTGRES_ERRORS } from './postgres-errors.js';
import { SQLITE_ERRORS } from './sqlite-errors.js';

export type DatabaseFamily = 'sqlite' | 'mysql' | 'postgres';

/** What the errors of a driver mean. */
export interface DialectErrors {
  /** A row with the same key exists. */
  readonly isDuplicate: (error: unknown) => boolean;
  /** The database rolled the transaction back to let another one through; the same again will work. */
  readonly isTransient: (error: unknown) => boolean;
  /** Transient, and what is in the way is a lock that another holds: it may do so for some time. */
  readonly isLocked: (error: unknown) => boolean;
  /** The connection is gone. Before COMMIT was sent, so is the transaction. */
  readonly isDisconnect: (error: unknown) => boolean;
  /**
   * The transaction is gone for certain, also when this came in answer to COMMIT: the server says so itself, or the driver had learned
   * before that the connection is lost, and sent nothing.
   */
  readonly isRolledBack: (error: unknown) => boolean;
  /** The server takes no more connections for now. */
  readonly isFull: (error: unknown) => boolean;
  /** The server ended a statement that took too long. It answers others. */
  readonly isTooSlow: (error: unknown) => boolean;
  /** A value is larger than the database takes. Most are found before: this is what has no limit that is known here. */
  readonly isTooLarge: (error: unknown) => boolean;
  /** The server takes no changes: it is a replica, or was made read-only. */
  readonly isReadOnly: (error: unknown) => boolean;
  /**
   * The fault is the store's and not that of what it was asked for. Apart from the kinds above: the server is read-only, its
   * disk or memory is full, it gave up on a statement, or it does not let us in.
   */
  readonly isOutage: (error: unknown) => boolean;
}

/** Everything in which the databases differ, so that the rest is written once. MariaDB and MySQL are one family. */
export interface Dialect extends DialectErrors {
  readonly family: DatabaseFamily;
  /** A statement as a connection takes it that is not the store's: see `enlist`. */
  readonly forAnyConnection: (statement: Statement) => { readonly sql: string; readonly params?: readonly SqlValue[] };
  /** PostgreSQL does not infer the type of a parameter in a select list, and would take it for text. */
  readonly bigintParam: string;
  /** The same of a text. */
  readonly textParam: string;
  /** One text of several, in which numbers are written out; for MySQL, `||` is OR. */
  readonly joined: (...parts: readonly string[]) => string;
  /** A text as a JSON string, with its quotes. */
  readonly asJson: (column: string) => string;
  /** A condition that holds for the members of a list. Where lists can be one parameter, the text stays the same. */
  readonly memberOf: (column: string, count: number) => string;
  /**
   * The same of an indexed column with several rows for a value; `key` is the primary key of the table. PostgreSQL takes each value
   * for a 200th of a table that it has not analysed yet, and would read all of it for a few values.
   */
  readonly memberByIndex: (table: string, key: string, column: string, count: number) => string;
  /** Whether these take the whole list as one parameter. */
  readonly listIsOneParam: boolean;
  /** Whether rows can be written from one list for each column: see `rowLists`. */
  readonly hasLists: boolean;
  /**
   * Suffix of an INSERT that leaves a row with the same key alone. Not INSERT IGNORE on MySQL: it would also turn values
   * that do not fit into shortened ones.
   */
  readonly ignoreKnown: (...key: readonly string[]) => string;
  /** The same, replacing columns. PostgreSQL and SQLite call the new row `excluded`, MySQL wants a function. */
  readonly onKnown: (key: string) => string;
  readonly newValue: (column: string) => string;
  /** Lower case of any language: SQLite knows ASCII only, so it gets a function of ours. */
  readonly lower: (expression: string) => string;
  /**
   * A condition with one value, in lower case: the column holds it. For terms that are too long for LIKE of SQLite, which runs in this
   * process; other databases have LIKE alone, and a limit of time.
   */
  readonly containsLong: ((expression: string) => string) | undefined;
  /** PostgreSQL sorts NULL as the largest value, the others as the smallest. */
  readonly orderBy: (column: string, direction: 'Ascending' | 'Descending') => string;
  /** LIKE ignores the case of letters of ASCII by itself. */
  readonly likeIgnoresAsciiCase: boolean;
  /** Rows that another transaction works on are left to it. SQLite has one writer at a time, so nothing to skip. */
  readonly skipLocked: string;
  /** Locks rows or fails at once when another transaction has one of them. */
  readonly lockNow: string;
  /** Put after the table: rows are found by their primary key, however few there are. MySQL locks what it reads. */
  readonly byPrimaryKey: string;
  /**
   * The same by the index of these columns, which has the order that is asked for. Where many rows match, MySQL would read all of
   * them and sort, with a lock on each, which takes them from all who skip locked rows.
   */
  readonly byIndex: (table: string, ...columns: readonly string[]) => string;
  /** A column in a condition by which no rows are to be found: SQLite knows nothing of how many there are of each value. */
  readonly unindexed: (column: string) => string;
  /** Statements are kept prepared by their text, so there should not be many texts. */
  readonly keepsTexts: boolean;
  /** In a transaction: its COMMIT does not wait for the disk, so a crash of the server may undo it. Only for what decides nothing. */
  readonly asyncCommit: readonly Statement[];
  /** A SELECT needs a table in MySQL before it can have WHERE. */
  readonly fromNothing: string;
  /**
   * Milliseconds since 1970, independent of the session's time zone and of its clock changes. One value per statement, or no
   * index would be used for what is compared with it.
   */
  readonly nowMs: string;
  /** Characters that the texts of one statement may have together; one that is longer has a statement of its own. */
  readonly maxStatementChars: number;
  /** What one text may take in a statement, as `sentBytes` counts. */
  readonly maxValueBytes: number;
  readonly sentBytes: (text: string) => number;
  /** How to have more than `maxValueBytes`, as a sentence. */
  readonly sizeAdvice: string;
}

/** Larger statements would save nothing more, and each is held several times on its way. */
export const MAX_STATEMENT_CHARS = 2_000_000;

/** No limit but those of the process, which come first. */
const UNLIMITED = {
  maxStatementChars: MAX_STATEMENT_CHARS,
  maxValueBytes: Infinity,
  sentBytes: (text: string): number => Buffer.byteLength(text),
  sizeAdvice: '',
};

/** Of a column that is never null, which every database sorts alike, and PostgreSQL by an index only without more words. */
export function sorted(column: string, direction: 'Ascending' | 'Descending'): string {
  return `${column} ${direction === 'Ascending' ? 'ASC' : 'DESC'}`;
}

const inJson = (column: string): string => `${column} IN (SELECT value FROM json_each(?))`;
const inList = (column: string, count: number): string =>
  `${column} IN (${Array.from({ length: count }, () => '?').join(', ')})`;

const sqlite: Dialect = {
  family: 'sqlite',
  forAnyConnection: (statement) => statement,
  bigintParam: '?',
  textParam: '?',
  joined: (...parts) => parts.join(' || '),
  asJson: (column) => `json_quote(${column})`,
  memberOf: inJson,
  memberByIndex: (_table, _key, column) => inJson(column),
  listIsOneParam: true,
  hasLists: false,
  ignoreKnown: (...key) => ` ON CONFLICT (${key.join(', ')}) DO NOTHING`,
  onKnown: (key) => ` ON CONFLICT (${key}) DO UPDATE SET`,
  newValue: (column) => `excluded.${column}`,
  lower: (expression) => `waymark_lower(${expression})`,
  containsLong: (expression) => `waymark_contains(${expression}, ?)`,
  orderBy: sorted,
  likeIgnoresAsciiCase: true,
  skipLocked: '',
  lockNow: '',
  byPrimaryKey: '',
  byIndex: () => '',
  unindexed: (column) => `+${column}`,
  keepsTexts: true,
  asyncCommit: [],
  fromNothing: '',
  nowMs: "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
  ...UNLIMITED,
  ...SQLITE_ERRORS,
};

const mysql: Dialect = {
  family: 'mysql',
  // mysql2 would write the values for a session that takes backslashes for escapes, which this one may not do.
  forAnyConnection: (statement) => ({ sql: withValues(statement, quotedAnywhere) }),
  bigintParam: '?',
  textParam: '?',
  joined: (...parts) => `CONCAT(${parts.join(', ')})`,
  asJson: (column) => `JSON_QUOTE(${column})`,
  memberOf: inList,
  memberByIndex: (_table, _key, column, count) => inList(column, count),
  listIsOneParam: false,
  hasLists: false,
  ignoreKnown: (...key) => ` ON DUPLICATE KEY UPDATE ${key.at(-1)} = ${key.at(-1)}`,
  onKnown: () => ' ON DUPLICATE KEY UPDATE',
  newValue: (column) => `VALUES(${column})`,
  lower: (expression) => `LOWER(${expression})`,
  containsLong: undefined,
  orderBy: sorted,
  likeIgnoresAsciiCase: false,
  skipLocked: ' FOR UPDATE SKIP LOCKED',
  lockNow: ' FOR UPDATE NOWAIT',
  byPrimaryKey: ' FORCE INDEX (PRIMARY)',
  byIndex: (table, ...columns) => ` FORCE INDEX (${indexName('mysql', table, columns)})`,
  unindexed: (column) => column,
  keepsTexts: false,
  asyncCommit: [],
  fromNothing: ' FROM DUAL',
  nowMs: "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000",
  // Until the server has been asked: see `packetLimits`.
  ...UNLIMITED,
  ...MYSQL_ERRORS,
};

const postgres: Dialect = {
  family: 'postgres',
  forAnyConnection: ({ sql, params }) => ({ sql: withNumbers(sql), params }),
  bigintParam: 'CAST(? AS bigint)',
  textParam: 'CAST(? AS text)',
  joined: (...parts) => parts.join(' || '),
  asJson: (column) => `CAST(to_json(${column}) AS text)`,
  memberOf: (column) => `${column} = ANY(?)`,
  // OFFSET 0 keeps it a look-up for each value, which is planned for one.
  memberByIndex: (table, key, column) =>
    `${key} = ANY(ARRAY(SELECT found.${key} FROM unnest(CAST(? AS text[])) AS wanted(value) ` +
    `CROSS JOIN LATERAL (SELECT ${key} FROM ${table} WHERE ${column} = wanted.value OFFSET 0) AS found))`,
  listIsOneParam: true,
  hasLists: true,
  ignoreKnown: (...key) => ` ON CONFLICT (${key.join(', ')}) DO NOTHING`,
  onKnown: (key) => ` ON CONFLICT (${key}) DO UPDATE SET`,
  newValue: (column) => `excluded.${column}`,
  // The columns collate "C", whose lower() knows ASCII only.
  lower: (expression) => `lower(${expression} COLLATE "und-x-icu")`,
  containsLong: undefined,
  orderBy: (column, direction) => `${column} ${direction === 'Ascending' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST'}`,
  likeIgnoresAsciiCase: false,
  skipLocked: ' FOR UPDATE SKIP LOCKED',
  lockNow: ' FOR UPDATE NOWAIT',
  byPrimaryKey: '',
  byIndex: () => '',
  unindexed: (column) => column,
  keepsTexts: true,
  asyncCommit: [{ sql: 'SET LOCAL synchronous_commit = off', params: [] }],
  fromNothing: '',
  nowMs: 'CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)',
  ...UNLIMITED,
  ...POSTGRES_ERRORS,
};

/** PostgreSQL numbers its parameters. */
export function withNumbers(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
}

export const DIALECTS: Readonly<Record<DatabaseFamily, Dialect>> = { sqlite, mysql, postgres };
