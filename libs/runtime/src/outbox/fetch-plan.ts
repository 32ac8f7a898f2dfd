import { setImmediate } from 'node:timers';
import type { DeliveryPool } from './delivery-pool.js';
import type { FetchPace } from './fetch-pace.js';
import type { LongWorkPool } from './long-work-pool.js';
import type { WaitingMessages } from './waiting-messages.js';

/** Places to be filled by one look at the store. */
export interface PlannedFetch {
  readonly short: number;
  readonly fillsLong: boolean;
  /** Whether messages may wait that need no place of their definition. */
  readonly othersWait: boolean;
}

interface FetchPlanParts {
  readonly pool: DeliveryPool;
  readonly longPool: LongWorkPool;
  readonly waiting: WaitingMessages;
  readonly pace: FetchPace;
}

/**
 * When the store is asked for more: while it is known to have more, and there are places for it. At the end of a turn of the event
 * loop: the commits of a group end together, and a look for the first of them alone would cost as much as one for all.
 */
export class FetchPlan {
  /** The store had as many as there were places for, or has got what found no place here. */
  hasMore = false;
  /** A look for the short pool is under way. */
  private isFilling = false;
  private isAtEndOfTurn = false;

  /**
   * @param fetch looks at the store, unless the node takes no work just now
   * @param onPlanned nothing is planned any more; a look may have begun, or not: there may have been nothing to fetch after all
   */
  constructor(
    private readonly parts: FetchPlanParts,
    private readonly fetch: (planned: PlannedFetch) => void,
    private readonly onPlanned: () => void,
  ) {}

  /** What is planned is as good as under way. */
  get isIdle(): boolean {
    return !this.isAtEndOfTurn;
  }

  /** Fills places that have become free. */
  fill(): void {
    if (this.isAtEndOfTurn || (this.short === 0 && !this.fillsLong)) return;
    this.isAtEndOfTurn = true;
    setImmediate(() => {
      this.isAtEndOfTurn = false;
      const planned = this.take();
      if (planned) this.fetch(planned);
      this.onPlanned();
    });
  }

  /** A look begins that fills places of the short pool. Those that end meanwhile wait for the next one. @returns what is called at its end */
  begin(): () => void {
    if (this.isFilling) return () => {};
    this.isFilling = true;
    this.parts.pace.begin();
    return () => {
      this.isFilling = false;
      this.parts.pace.answered();
    };
  }

  private take(): PlannedFetch | undefined {
    const { short, fillsLong, hasMore: othersWait } = this;
    if (short === 0 && !fillsLong) return undefined;
    if (short > 0) this.hasMore = false;
    return { short, fillsLong, othersWait };
  }

  private get short(): number {
    const { waiting, pace, pool } = this.parts;
    const isMoreWanted = this.hasMore || waiting.areWanted;
    return isMoreWanted && !this.isFilling ? pace.wanted(pool.held) : 0;
  }

  private get fillsLong(): boolean {
    const { longPool } = this.parts;
    return longPool.hasMore && longPool.free > 0;
  }
}
