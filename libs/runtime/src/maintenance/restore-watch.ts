import type { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** After a restore was seen, everything is read again after these times, of which each is twice the one before. */
const FIRST_REREAD_MS = 1000;
const LONGEST_REREAD_MS = 60_000;
/** So long after the database went back for the last time, its restore has ended: large ones take hours. */
const REREADING_MS = 24 * 60 * 60_000;
/** A replica that lags behind is back so soon; later, a counter that is where it was has counted new changes. */
const BACK_WITHIN_MS = 60_000;

interface Rereading {
  /** When all is read again, and when that ends, by the monotonic clock. */
  readonly at: number;
  readonly endsAt: number;
  readonly pauseMs: number;
  /** The counter of changes is where it was before. */
  readonly isBack: boolean;
}

/**
 * - `usual`: what has changed is read
 * - `doubtful`: nothing is read, and the answer is forgotten
 * - `reread`: everything is read; then call `hasReread`
 */
export type Sight = 'usual' | 'doubtful' | 'reread';

/**
 * Recognises a database that was restored from a backup, by its counter of changes, and says when a node has to read everything again: more
 * than once, since a restore fills one table after the other, for hours where they are large, and nothing says when it has ended.
 */
export class RestoreWatch {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');
  /** Where the database was, before it went back. */
  private highest = 0;
  private last = 0;
  private lowAnswer: number | undefined;
  private rereading: Rereading | undefined;

  constructor(private readonly clock: Pick<WorkflowClock, 'monotonic'>) {}

  /** @param counter of changes, as the database has it now */
  see(counter: number): Sight {
    if (counter < this.last) {
      // One answer may be that of a replica that lags behind; the next look asks again.
      const isConfirmed = this.lowAnswer !== undefined;
      this.lowAnswer = counter;
      if (!isConfirmed) return 'doubtful';
      this.begin();
    } else if (this.rereading && counter >= this.highest && this.mayBeBack(this.rereading)) {
      // Not a restore, or one that was taken back. Once more, as what was read meanwhile may be mixed of both.
      this.rereading = { ...this.rereading, isBack: true, at: this.clock.monotonic() };
    }
    this.lowAnswer = undefined;
    this.last = counter;
    if (!this.rereading) this.highest = counter;
    return this.rereading && this.clock.monotonic() >= this.rereading.at ? 'reread' : 'usual';
  }

  private mayBeBack({ isBack, endsAt }: Rereading): boolean {
    return !isBack && this.clock.monotonic() <= endsAt - REREADING_MS + BACK_WITHIN_MS;
  }

  /** Everything was read. Not to be called after a failure: then it is due again at once. */
  hasReread(): void {
    if (!this.rereading) return;
    const now = this.clock.monotonic();
    const { endsAt, pauseMs, isBack } = this.rereading;
    if (isBack || now >= endsAt) this.end(isBack);
    else
      this.rereading = {
        ...this.rereading,
        at: now + pauseMs,
        pauseMs: Math.min(2 * pauseMs, LONGEST_REREAD_MS),
      };
  }

  private begin(): void {
    if (!this.rereading)
      this.logger.warn(
        'The database has gone back to an earlier state while this node is running: a backup was restored, or a failover lost the last commits. ' +
          'All definitions are read again, now and once a minute, for 24 hours. Restart all nodes, since what they have in memory is not of that ' +
          'state, and stop them before you restore a backup.',
      );
    const now = this.clock.monotonic();
    this.rereading = { at: now, endsAt: now + REREADING_MS, pauseMs: FIRST_REREAD_MS, isBack: false };
  }

  private end(isBack: boolean): void {
    this.rereading = undefined;
    this.highest = this.last;
    this.logger.log(
      isBack
        ? 'The database counts as many changes of definitions as before it went back: definitions are read once more, and then only when they ' +
            'change. If that happens again and no definition was published meanwhile, its answers come from replicas that lag behind: connect ' +
            'Waymark to the primary.'
        : 'The database went back to an earlier state 24 hours ago. From now on, definitions are read only when they change.',
    );
  }
}
