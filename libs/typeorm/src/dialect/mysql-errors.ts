import type { DialectErrors } from './dialect.js';
import { codeOf, isNetworkError, says } from './network-errors.js';

const DUPLICATE_ENTRY = 1062;
const LOCK_WAIT_TIMEOUT = 1205;
/** The limit may have been lowered since the server was asked for it. */
const PACKET_TOO_LARGE = 1153;

const TRANSIENT: ReadonlySet<number> = new Set([
  LOCK_WAIT_TIMEOUT,
  1213, // deadlock
  1020, // record has changed since last read (MariaDB with innodb_snapshot_isolation)
  3101, // rolled back by the plugin of group replication
]);

const DISCONNECTING: ReadonlySet<number> = new Set([
  1047, // the node of a Galera cluster is not ready
  1053, // server shutdown in progress
  1152, // the server aborted the connection
  1158, // the server could not read from or write to the connection
  1159,
  1160,
  1161,
  1184,
  1927, // connection was killed (MariaDB)
  // Of a proxy, about the server behind it.
  2003,
  2006,
  2013,
  3168, // the server is not available
  3169, // the session was killed
  4031, // disconnected because of inactivity (MySQL)
  9001, // no server in time (ProxySQL)
]);

const FULL: ReadonlySet<number> = new Set([
  1040, // too many connections
  1203, // too many connections of this account
  1226, // the account has a limit of its own
]);

const READ_ONLY: ReadonlySet<number> = new Set([
  1290, // --read-only
  1792, // read-only transaction
  1836, // read-only mode
  1874, // InnoDB is in read-only mode
]);

/** The server ended a statement. */
const TOO_SLOW: ReadonlySet<number> = new Set([
  1317, // it was killed
  1969, // max_statement_time (MariaDB)
  3024, // max_execution_time (MySQL)
]);

const OUTAGES: ReadonlySet<number> = new Set([
  ...TOO_SLOW,
  1021, // disk full
  1026, // error when writing a file
  1030, // error of the storage engine
  1037, // out of memory
  1038,
  1041,
  1044, // access denied
  1045,
  1049, // no such database: a backup is being restored, which takes it away first
  1114, // no room in the tablespace
  1135, // no thread for the connection
  1142, // a right on a table is missing: of a table that another account has just made, for instance
  1143,
  1146, // no such table: as 1049
  1180, // COMMIT failed and was undone
  1227, // another right is missing
  3100, // group replication did not take the commit
]);

function errnoOf(error: unknown): number {
  return (error as { errno?: number } | null)?.errno ?? 0;
}

const isTransient = (error: unknown): boolean => TRANSIENT.has(errnoOf(error));
const isFull = (error: unknown): boolean => FULL.has(errnoOf(error));
const isReadOnly = (error: unknown): boolean => READ_ONLY.has(errnoOf(error));

function isDisconnect(error: unknown): boolean {
  if ((error as { fatal?: boolean } | null)?.fatal === true || DISCONNECTING.has(errnoOf(error))) return true;
  if (codeOf(error) === 'PROTOCOL_CONNECTION_LOST' || isNetworkError(error)) return true;
  // mysql2 gives no code when a command is sent to a connection that it knows to be closed.
  return isNotSent(error);
}

const isNotSent = (error: unknown): boolean => says(error, /connection is in closed state/i);

export const MYSQL_ERRORS: DialectErrors = {
  isDuplicate: (error) => errnoOf(error) === DUPLICATE_ENTRY,
  isTransient,
  isLocked: (error) => errnoOf(error) === LOCK_WAIT_TIMEOUT,
  isDisconnect,
  isRolledBack: isNotSent,
  isFull,
  isTooSlow: (error) => TOO_SLOW.has(errnoOf(error)),
  isTooLarge: (error) => errnoOf(error) === PACKET_TOO_LARGE,
  isReadOnly,
  isOutage: (error) =>
    OUTAGES.has(errnoOf(error)) || isTransient(error) || isDisconnect(error) || isFull(error) || isReadOnly(error),
};
