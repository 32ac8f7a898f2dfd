import type { DialectErrors } from './dialect.js';
import { codeOf, says } from './network-errors.js';

/** A full disk, a disk that fails, a file that may not be written or opened, or is damaged, no memory. With their finer kinds. */
const OUTAGE = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL|PERM|CORRUPT|NOTADB)/;

/** Another connection, mostly of another process, holds the lock: SQLITE_BUSY, _BUSY_SNAPSHOT, _BUSY_RECOVERY, _LOCKED. */
export function isSqliteBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY') || codeOf(error).startsWith('SQLITE_LOCKED');
}

/** Another process restores a backup into the file, statement by statement. The code alone means any wrong statement. */
const isTableGone = (error: unknown): boolean => codeOf(error) === 'SQLITE_ERROR' && says(error, /^no such table:/);

export const SQLITE_ERRORS: DialectErrors = {
  isDuplicate: (error) =>
    codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE' || codeOf(error) === 'SQLITE_CONSTRAINT_PRIMARYKEY',
  isTransient: isSqliteBusy,
  isLocked: isSqliteBusy,
  isDisconnect: () => false,
  isRolledBack: () => false,
  isFull: () => false,
  isTooSlow: () => false,
  // Beyond 1 GB, unless SQLite was built with another limit.
  isTooLarge: (error) => codeOf(error) === 'SQLITE_TOOBIG',
  isReadOnly: (error) => codeOf(error).startsWith('SQLITE_READONLY'),
  isOutage: (error) => isSqliteBusy(error) || isTableGone(error) || OUTAGE.test(codeOf(error)),
};
