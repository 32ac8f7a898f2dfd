function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

export function isSqliteDuplicate(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE' || codeOf(error) === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/** Beyond 1 GB, unless SQLite was built with another limit. */
export function isSqliteTooLarge(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_TOOBIG';
}

const UNAVAILABLE = ['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PROTOCOL'];

/** The disk is full or fails, or the file may only be read: nothing is written until somebody has seen to it. */
export function isSqliteUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return UNAVAILABLE.some((kind) => code.startsWith(kind));
}

/** Another connection, mostly of another process, holds the lock: SQLITE_BUSY, _BUSY_SNAPSHOT, _BUSY_RECOVERY, _LOCKED. */
export function isSqliteBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY') || codeOf(error).startsWith('SQLITE_LOCKED');
}
