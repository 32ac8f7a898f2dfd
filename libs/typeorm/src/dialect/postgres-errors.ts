import type { DialectErrors } from './dialect.js';
import { codeOf, isNetworkError, says } from './network-errors.js';

const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
const TOO_MANY_CONNECTIONS = '53300';
const READ_ONLY = '25006';
/** statement_timeout, or an administrator. */
const STATEMENT_ENDED = '57014';

const TRANSIENT: ReadonlySet<string> = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  LOCK_NOT_AVAILABLE,
]);

/** The server ended a session because of its transaction: nothing happened in it, or it took too long. */
const ENDED_TRANSACTIONS: ReadonlySet<string> = new Set(['25P03', '25P04']);

const DISCONNECTED: ReadonlySet<string> = new Set([
  ...ENDED_TRANSACTIONS,
  '40003', // the server does not know what became of the statement
  '57P01', // the server shuts down
  '57P02',
  '57P03', // the server starts up
  '57P04', // the database was dropped
  '57P05', // the server ended a session in which nothing happened
]);

const OUTAGES: ReadonlySet<string> = new Set([
  // The database, its schema or a table is not there: a backup is being restored, which takes them away first.
  '3D000',
  '3F000',
  '42P01',
  '42P10', // the tables are there, and have no unique indexes yet
  '42501', // a right is missing: on a table that another account has just made, for instance
  STATEMENT_ENDED,
  '58030', // I/O error
]);

/** Classes: 53 disk, memory or another resource is full; 28 the server does not let us in. */
const OUTAGE_CLASSES: ReadonlySet<string> = new Set(['53', '28']);

const isTransient = (error: unknown): boolean => TRANSIENT.has(codeOf(error));
const isFull = (error: unknown): boolean => codeOf(error) === TOO_MANY_CONNECTIONS;
const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY;

function isDisconnect(error: unknown): boolean {
  const code = codeOf(error);
  if (DISCONNECTED.has(code) || code.startsWith('08') || isNetworkError(error)) return true;
  // pg gives no code when its socket closes or was not opened in time, nor for a query on a client that it knows to be broken.
  return says(error, /connection terminated|not queryable|connection error|timeout expired|timeout exceeded/i);
}

function isOutage(error: unknown): boolean {
  const code = codeOf(error);
  if (OUTAGES.has(code) || OUTAGE_CLASSES.has(code.slice(0, 2))) return true;
  // Its transaction numbers are used up, and it waits for VACUUM; the code alone means any limit.
  if (code === '54000' && says(error, /not accepting commands/i)) return true;
  return isTransient(error) || isDisconnect(error) || isReadOnly(error);
}

export const POSTGRES_ERRORS: DialectErrors = {
  isDuplicate: (error) => codeOf(error) === UNIQUE_VIOLATION,
  isTransient,
  isLocked: (error) => codeOf(error) === LOCK_NOT_AVAILABLE,
  isDisconnect,
  // Of pg, for a query on a client that has lost its connection: it is not sent.
  isRolledBack: (error) => ENDED_TRANSACTIONS.has(codeOf(error)) || says(error, /not queryable/i),
  isFull,
  isTooSlow: (error) => codeOf(error) === STATEMENT_ENDED,
  isTooLarge: () => false,
  isReadOnly,
  isOutage,
};
