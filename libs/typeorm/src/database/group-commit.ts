import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loopTurns } from '@waymark/runtime/adapter';
import { isSqliteBusy } from '../dialect/sqlite-errors.js';
import { LOCKED_FILE_PAUSES, retrying } from './backoff.js';
import { Patience } from './patience.js';
import type { SqliteHandle } from './sqlite-handle.js';

/** What is committed together, and what its callers are answered then. */
interface Group {
  readonly jobs: readonly Job[];
  readonly settlers: readonly (() => void)[];
  readonly isCommitted: boolean;
}

/** Makes commits durable; see `SqliteLog`. */
interface Log {
  takeOver(): void;
  giveBack(): void;
  sync(): Promise<void>;
  requireDurable(): void;
}

interface Job {
  readonly body: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

// A group keeps the event loop, and other processes from writing, for as long as it takes: that of a hundred small writes is a
// few milliseconds, and so is that of one which removes a thousand rows. The rest waits for the next round.
const LONGEST_GROUP_MS = 10;
/** COMMIT writes what is large, after the time was looked at. */
const MAX_GROUP_CHARS = 500_000;
/** So many groups have savepoints after a write that failed: writes that race for one bookmark or key come in several. */
const CAREFUL_GROUPS = 16;

/**
 * The one writer of a SQLite connection. Writes that wait at the same time share a transaction, so they share the cost of
 * making it durable, which is most of the cost of a write. Invariants:
 *
 * 1. From BEGIN to COMMIT nothing awaits, so no other user of the connection gets in between.
 * 2. Each write fails alone. Where one fails, the group is rolled back and written again with a savepoint for each write. Not from the
 *    start: for each savepoint SQLite copies all pages that are changed behind it, which took half of the time of a small write.
 * 3. No caller learns of an outcome, good or bad, before COMMIT and before it is durable: a refusal may rest on a write of the
 *    same group, which is not there until then.
 * 4. The next group begins when this one is durable, so that the writes of all who wait for it get into one group.
 */
export class GroupCommit {
  private waiting: Job[] = [];
  private running: Promise<void> | undefined;
  /** Its COMMIT and its ROLLBACK failed: it is still open, and nothing of it is to be stored. */
  private isLeftOpen = false;
  /** Groups that are still to have savepoints. */
  private careful = 0;
  private readonly patience = new Patience();
  private readonly control;

  /**
   * @param requireFile throws when what is written would be lost
   * @param charsSent how many characters statements have brought so far
   * @param log absent where SQLite itself makes commits durable, or they need not be
   * @param now monotonic, in milliseconds of real time: it is the processor that is shared
   */
  constructor(
    private readonly handle: SqliteHandle,
    private readonly requireFile: () => void,
    private readonly charsSent: () => number,
    private readonly log: Log | undefined,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.control = {
      begin: handle.prepare('BEGIN IMMEDIATE'),
      commit: handle.prepare('COMMIT'),
      rollback: handle.prepare('ROLLBACK'),
      savepoint: handle.prepare('SAVEPOINT waymark'),
      release: handle.prepare('RELEASE waymark'),
      rollbackOne: handle.prepare('ROLLBACK TO waymark'),
    };
  }

  run<T>(body: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ body, resolve: resolve as (value: unknown) => void, reject });
      this.running ??= this.drain();
    });
  }

  /** For a reader, which would see what is not to be stored, or may be lost. @throws whatever keeps it from being undone or durable */
  endLeftOpen(): void {
    if (this.isLeftOpen) {
      this.rollBack();
      this.log?.giveBack();
    }
    this.log?.requireDurable();
  }

  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private async drain(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        // Callers that were just answered can write again, and all writes of this turn get into the group.
        await nextTurn();
        // Bursts of the same turn have had their time, too: what is written counts along with them.
        const turn = loopTurns.goOn();
        if (turn) await turn;
        await this.next();
      }
    } finally {
      this.running = undefined;
    }
  }

  private async next(): Promise<void> {
    let settlers: readonly (() => void)[];
    const call = this.patience.begin();
    const since = (): number => this.patience.sinceOf(call);
    try {
      const group = await retrying(() => this.runGroup(), isSqliteBusy, { pauses: LOCKED_FILE_PAUSES, since });
      this.patience.answered();
      settlers = group.isCommitted ? await this.whenDurable(group) : group.settlers;
    } catch (error) {
      // The transaction could not begin: the file is locked for too long, gone or cannot be written.
      if (isSqliteBusy(error)) this.patience.failed(call);
      settlers = rejecting(this.waiting.splice(0), error);
    }
    for (const settle of settlers) settle();
  }

  private async whenDurable({ jobs, settlers }: Group): Promise<readonly (() => void)[]> {
    try {
      await this.log?.sync();
      return settlers;
    } catch (error) {
      return rejecting(jobs, error);
    }
  }

  /** Throws only when the transaction could not begin; then all writes are still waiting. */
  private runGroup(): Group {
    if (this.careful === 0) {
      const group = this.inTransaction(() => this.commitGroup(this.bare));
      if (group) return group;
      this.careful = CAREFUL_GROUPS;
    }
    const group = this.inTransaction(() => this.commitGroup(this.withSavepoint))!;
    this.careful--;
    return group;
  }

  private inTransaction<T>(write: () => T): T {
    this.begin();
    try {
      return write();
    } finally {
      this.log?.giveBack();
    }
  }

  /** Begins as a writer: a reader that turns writer could find that another has written, and fail. */
  private begin(): void {
    this.endLeftOpen();
    if (this.handle.inTransaction) throw new ConnectionInUse();
    this.requireFile();
    this.log?.takeOver();
    try {
      this.control.begin.run();
    } catch (error) {
      this.log?.giveBack();
      throw error;
    }
  }

  /** @returns undefined when a write has failed for which the others must be written again */
  private commitGroup(write: (job: Job) => () => void): Group | undefined {
    const jobs: Job[] = [];
    const endsAt = this.now() + LONGEST_GROUP_MS;
    const mostSent = this.charsSent() + MAX_GROUP_CHARS;
    try {
      const settlers: (() => void)[] = [];
      do {
        const job = this.waiting[jobs.length]!;
        jobs.push(job);
        settlers.push(write(job));
      } while (jobs.length < this.waiting.length && this.charsSent() < mostSent && this.now() < endsAt);
      this.control.commit.run();
      return this.ended({ jobs, settlers, isCommitted: true });
    } catch (failure) {
      let error = failure instanceof FailedAlone ? failure.cause : failure;
      try {
        this.rollBack();
        if (failure instanceof FailedAlone && this.waiting.length > 1) return undefined;
      } catch (notRolledBack) {
        // The next group tries again to end the transaction. A refusal may rest on another write of it: no caller gets it.
        if (failure instanceof FailedAlone) error = notRolledBack;
      }
      return this.ended({ jobs, settlers: rejecting(jobs, error), isCommitted: false });
    }
  }

  private ended(group: Group): Group {
    this.waiting.splice(0, group.jobs.length);
    return group;
  }

  private rollBack(): void {
    this.isLeftOpen = this.handle.inTransaction;
    if (this.isLeftOpen) this.control.rollback.run();
    this.isLeftOpen = false;
  }

  private readonly bare = ({ body, resolve }: Job): (() => void) => {
    try {
      const value = body();
      return () => resolve(value);
    } catch (error) {
      // Some errors, such as a full disk, make SQLite roll back the whole transaction: then no write of the group is stored.
      throw this.handle.inTransaction ? new FailedAlone(error) : error;
    }
  };

  private readonly withSavepoint = ({ body, resolve, reject }: Job): (() => void) => {
    this.control.savepoint.run();
    try {
      const value = body();
      this.control.release.run();
      return () => resolve(value);
    } catch (error) {
      // As above.
      if (!this.handle.inTransaction) throw error;
      this.control.rollbackOne.run();
      this.control.release.run();
      return () => reject(error);
    }
  };
}

/** A write that has no savepoint has failed, and the transaction is still there. */
class FailedAlone extends Error {
  constructor(cause: unknown) {
    super('One write of a group has failed.', { cause });
  }
}

function rejecting(jobs: readonly Job[], error: unknown): (() => void)[] {
  return jobs.map((job) => () => job.reject(error));
}

class ConnectionInUse extends Error {
  readonly code = 'SQLITE_BUSY';
  constructor() {
    super('Other code has a transaction open on this connection.');
  }
}
