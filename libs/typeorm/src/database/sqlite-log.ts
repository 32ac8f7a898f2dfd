import { CommitOutcomeUnknownError } from '@waymark/runtime';
import { toErrorLike } from '@waymark/core/adapter';
import { close, closeSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { SqliteHandle, SqliteStatement } from './sqlite-handle.js';
import { syncPromptly } from './sync-promptly.js';

const closeFile = promisify(close);

/** What `PRAGMA synchronous` answers where each commit is to reach the disk. */
const FULL = 2;

/** Of a file that is open twice; see `syncPromptly`. */
type SyncOf = (file: number, spare: number) => Promise<void>;

/**
 * The write-ahead log of a database file, synced to the disk by this process instead of by SQLite. SQLite syncs within COMMIT, while
 * it holds the write lock: on busy processors the process loses its processor there, and all other writers wait for it. Here the lock is
 * released before the sync, and the event loop is not blocked by it. Invariants:
 *
 * 1. The caller of a write is answered after a sync that began after its commit.
 * 2. The log is one sequence: what another process commits on top of ours reaches the disk with ours, or not at all.
 * 3. What the application commits on the same connection is brought to the disk by SQLite, as it has been set.
 * 4. After a failed sync nothing is read or written until a checkpoint has brought all of the log into the database. The system
 *    forgets such a failure, so that the next sync would succeed without the data.
 */
export class SqliteLog {
  private isDoubtful = false;
  private isTakenOver = false;
  private isClosed = false;
  private readonly checkpoint: SqliteStatement;

  private constructor(
    private readonly handle: SqliteHandle,
    private readonly path: string,
    private readonly file: number,
    private readonly spare: number,
    private readonly syncOf: SyncOf,
  ) {
    this.checkpoint = handle.prepare('PRAGMA wal_checkpoint(FULL)');
  }

  /** Undefined where there is no such log, or commits need not reach the disk: then SQLite does what it is set to. */
  static open(
    handle: SqliteHandle,
    database: string | undefined,
    syncOf: SyncOf = syncPromptly,
  ): SqliteLog | undefined {
    if (!database) return undefined;
    const setting = (name: string): unknown => Object.values(handle.prepare(`PRAGMA ${name}`).all()[0] ?? {})[0];
    if (setting('journal_mode') !== 'wal' || setting('synchronous') !== FULL) return undefined;
    const path = `${database}-wal`;
    const file = openForSync(path);
    if (file === undefined) return undefined;
    const spare = openForSync(path);
    if (spare !== undefined) return new SqliteLog(handle, path, file, spare, syncOf);
    closeSync(file);
    return undefined;
  }

  /** Before a transaction of ours: its COMMIT leaves the log to `sync`. */
  takeOver(): void {
    this.isTakenOver = true;
    this.set('NORMAL');
  }

  /**
   * Behind it. Within a transaction, which is one that could not be ended, SQLite refuses to change it. Never throws, as what was committed
   * has to be answered: SQLite may have to read the schema for it, and the disk may fail. Then it is tried again with what follows.
   */
  giveBack(): void {
    if (!this.isTakenOver || this.handle.inTransaction) return;
    try {
      this.set('FULL');
      this.isTakenOver = false;
    } catch {
      // Until then the application's commits are as durable as with NORMAL.
    }
  }

  /** Not prepared once: SQLite sets it while it prepares, and not again when it runs. */
  private set(synchronous: 'NORMAL' | 'FULL'): void {
    this.handle.exec(`PRAGMA synchronous = ${synchronous}`);
  }

  /** What is committed by now survives a power failure afterwards. @throws CommitOutcomeUnknownError */
  async sync(): Promise<void> {
    try {
      await this.syncOf(this.file, this.spare);
    } catch (error) {
      this.isDoubtful = true;
      throw new CommitOutcomeUnknownError(
        `Failed to sync the SQLite log "${this.path}" to the disk: ${toErrorLike(error).message}`,
        { cause: error },
      );
    }
  }

  /** Before anything is read or written. @throws whatever keeps the database from being brought to the disk */
  requireDurable(): void {
    this.giveBack();
    if (!this.isDoubtful) return;
    const [answer] = this.checkpoint.all() as { busy: number }[];
    if (answer?.busy !== 0) throw new LogInUse(this.path);
    this.isDoubtful = false;
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await Promise.all([closeFile(this.file), closeFile(this.spare)]);
  }
}

/** To be written to as well: Windows syncs no other file. */
function openForSync(path: string): number | undefined {
  try {
    return openSync(path, 'r+');
  } catch {
    return undefined;
  }
}

class LogInUse extends Error {
  readonly code = 'SQLITE_BUSY';
  constructor(path: string) {
    super(`The log "${path}" could not be written to the database: other processes are using it.`);
  }
}
