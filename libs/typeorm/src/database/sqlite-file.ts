import { StoreFileLostError } from '@waymark/runtime';
import { type BigIntStats, statSync } from 'node:fs';
import type { SqliteHandle } from './sqlite-handle.js';

/** How long a reader may trust an earlier look. Writers look each time: what they are answered is to be durable. */
const READERS_TRUST_MS = 1000;

/** What a database file has at least; SQLite never makes it smaller. */
const HEADER_BYTES = 100n;

interface OpenFile {
  readonly path: string;
  readonly found: BigIntStats;
}

/**
 * The files of an open database: where they were opened, they must still be. The system lets a process continue with files that
 * were deleted or replaced, and SQLite does not notice: everything would be lost with the process. A database in memory or in a
 * temporary file has none.
 */
export class SqliteFile {
  /** Undefined where the database has no file. */
  readonly path: string | undefined;
  private readonly files: readonly OpenFile[];
  private trustedUntil = 0;

  constructor(handle: SqliteHandle) {
    // Reading something makes SQLite open the log, if there is to be one.
    handle.prepare('SELECT COUNT(*) FROM sqlite_master').all();
    const databases = handle.prepare('PRAGMA database_list').all() as { name: string; file: string | null }[];
    const file = databases.find(({ name }) => name === 'main')?.file;
    this.path = file || undefined;
    this.files = file ? [file, `${file}-wal`].flatMap(openFile) : [];
  }

  /** @throws StoreFileLostError */
  check(): void {
    for (const { path, found } of this.files) {
      const now = look(path);
      if (now === undefined) throw new StoreFileLostError(path, 'gone');
      if (now.ino !== found.ino || now.dev !== found.dev) throw new StoreFileLostError(path, 'replaced');
      if (now.size < HEADER_BYTES && found.size >= HEADER_BYTES && path === this.files[0]?.path)
        throw new StoreFileLostError(path, 'emptied');
    }
  }

  /** Less often. @throws StoreFileLostError */
  checkForReader(): void {
    const now = performance.now();
    if (now < this.trustedUntil) return;
    this.check();
    this.trustedUntil = now + READERS_TRUST_MS;
  }
}

/** None where the file system has no numbers by which to know a file again. */
function openFile(path: string): OpenFile[] {
  const found = look(path);
  return found === undefined || found.ino === 0n ? [] : [{ path, found }];
}

/** Undefined also where a folder on the way is gone, or may not be entered any more. */
function look(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
