import type { Deadline, Deadlines } from './deadlines.js';

/**
 * What a place is wanted for: a read; a transaction of several, which does not wait for locks; any other transaction; one
 * more try of a transaction that met a lock.
 */
export type Errand = 'read' | 'shared' | 'write' | 'locked';

const ERRANDS: readonly Errand[] = ['read', 'shared', 'write', 'locked'];

interface Waiting {
  readonly order: number;
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/** A smaller number of places is tried to be raised that often, by one. */
const GROW_AFTER_MS = 500;

/**
 * Places in front of a connection pool: who has one finds a connection free, or room for one. Callers wait here and
 * not in the driver, whose time limit is for connecting. Three things that the queue of a driver cannot do:
 *
 * 1. A place is for reads only, and two are for reads and shared transactions only. Others wait for locks and these do not,
 *    so a read and what does not concern the locked rows get through.
 * 2. Transactions that met a lock are tried again in a few places, so that those of one locked instance never fill the pool.
 * 3. When the server takes no more connections, there are as many places as connections, and one more from time to time.
 */
export class Places {
  private limit: number;
  private changedAt = 0;
  private growing: Deadline | undefined;
  private order = 0;
  private readonly taken = { read: 0, shared: 0, write: 0, locked: 0 };
  private readonly waiting: Record<Errand, Waiting[]> = { read: [], shared: [], write: [], locked: [] };

  /** @param size of the pool */
  constructor(
    private readonly size: number,
    private readonly deadlines: Deadlines,
  ) {
    this.limit = size;
  }

  get total(): number {
    const { read, shared, write, locked } = this.taken;
    return read + shared + write + locked;
  }

  /**
   * Takes a place, at once (undefined) or later.
   * @param patienceMs how long at most, asked for only when it has to wait
   * @param late the error after that
   */
  enter(errand: Errand, patienceMs: () => number, late: () => Error): Promise<void> | undefined {
    if (this.grow()) this.admit();
    if (this.waiting[errand].length === 0 && this.has(errand)) {
      this.taken[errand]++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.growLater();
      const deadline = this.deadlines.start(patienceMs(), () => {
        const queue = this.waiting[errand];
        queue.splice(queue.indexOf(waiting), 1);
        reject(late());
      });
      const settled = (settle: () => void) => () => {
        this.deadlines.end(deadline);
        settle();
      };
      const refuse = (error: Error) => settled(() => reject(error))();
      const waiting: Waiting = { order: this.order++, enter: settled(resolve), refuse };
      this.waiting[errand].push(waiting);
    });
  }

  leave(errand: Errand): void {
    this.taken[errand]--;
    this.grow();
    this.admit();
  }

  /** The server takes no more. @param connections how many there are */
  shrink(connections: number): void {
    this.limit = Math.min(this.limit, Math.max(1, connections, this.total - 1));
    this.changedAt = performance.now();
    if (this.hasWaiting) this.growLater();
  }

  /** Rejects all that are waiting. */
  refuse(error: Error): void {
    for (const errand of ERRANDS) for (const waiting of this.waiting[errand].splice(0)) waiting.refuse(error);
  }

  private get hasWaiting(): boolean {
    return ERRANDS.some((errand) => this.waiting[errand].length > 0);
  }

  private grow(): boolean {
    if (this.limit === this.size || performance.now() - this.changedAt < GROW_AFTER_MS) return false;
    this.limit++;
    this.changedAt = performance.now();
    return true;
  }

  /** While some wait there may be no other occasion to grow: those that have a place may keep it for long. */
  private growLater(): void {
    if (this.limit === this.size) return;
    this.growing ??= this.deadlines.start(GROW_AFTER_MS, () => {
      this.growing = undefined;
      if (this.grow()) this.admit();
      if (this.hasWaiting) this.growLater();
    });
  }

  private has(errand: Errand): boolean {
    const { limit, total, taken } = this;
    if (total >= limit || errand === 'read') return total < limit;
    const forAnyTransaction = limit < 4 ? limit : limit - 1;
    const waiters = taken.write + taken.locked;
    if (errand === 'shared') return taken.shared + waiters < forAnyTransaction;
    if (waiters >= Math.max(1, forAnyTransaction - 2)) return false;
    return errand === 'write' || taken.locked < Math.max(1, Math.floor(limit / 5));
  }

  /** The one that has waited for the longest, of those for whom there is a place. */
  private admit(): void {
    for (;;) {
      let first: Errand | undefined;
      for (const errand of ERRANDS) {
        const [head] = this.waiting[errand];
        if (!head || !this.has(errand)) continue;
        if (first === undefined || head.order < (this.waiting[first][0] as Waiting).order) first = errand;
      }
      if (first === undefined) return;
      this.taken[first]++;
      this.waiting[first].shift()?.enter();
    }
  }
}
