interface MysqlError {
  readonly errno?: number;
  readonly code?: string;
  readonly fatal?: boolean;
}

const DUPLICATE_ENTRY = 1062;
/** The limit may have been lowered since the server was asked for it. */
const PACKET_TOO_LARGE = 1153;

const TRANSIENT: ReadonlySet<number> = new Set([
  1205, // lock wait timeout
  1213, // deadlock
  1020, // record has changed since last read (MariaDB with innodb_snapshot_isolation)
]);

const DISCONNECTED: ReadonlySet<string> = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
]);

const DISCONNECTING: ReadonlySet<number> = new Set([
  1053, // server shutdown in progress
  1927, // connection was killed (MariaDB)
  4031, // disconnected because of inactivity (MySQL)
]);

export function isMysqlDuplicate(error: unknown): boolean {
  return (error as MysqlError | null)?.errno === DUPLICATE_ENTRY;
}

export function isMysqlTooLarge(error: unknown): boolean {
  return (error as MysqlError | null)?.errno === PACKET_TOO_LARGE;
}

export function isMysqlTransient(error: unknown): boolean {
  return TRANSIENT.has((error as MysqlError | null)?.errno ?? 0);
}

export function isMysqlDisconnect(error: unknown): boolean {
  const { code, errno, fatal } = (error ?? {}) as MysqlError;
  return fatal === true || DISCONNECTED.has(code ?? '') || DISCONNECTING.has(errno ?? 0) || saysClosed(error);
}

/** mysql2 gives no code when a command is sent to a connection that it knows to be closed. */
function saysClosed(error: unknown): boolean {
  return /connection is in closed state/i.test(String((error as Error | null)?.message));
}
