import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { CancelTimer, WorkflowClock } from '@waymark/runtime';
import type { RenewedClaims, StoreOutages } from '@waymark/runtime/adapter';

/** How long a claim holds. */
export interface LeaseTimes {
  /** From the claim until its burst has run for some seconds. */
  readonly firstMs: number;
  /** From the first renewal of a running burst on. */
  readonly furtherMs: number;
}

/**
 * The claims of the bookmarks that this node is resuming, renewed well before they end: a burst is taken over when its node has
 * died, never because it is slow (W8).
 */
export class ClaimLeases {
  private readonly logger = new WorkflowLogger('Scheduling');
  /** Claims whose burst has not begun. Renewed for the short time only, so that another node takes them soon if this one dies. */
  private readonly waiting = new Set<string>();
  /** Bursts that began since the last short beat. */
  private young = new Set<string>();
  /** Bursts that began before it: the next short beat renews their claims for the long time. */
  private readonly grown = new Set<string>();
  /** Claims that were renewed for the long time: the long beat renews them. */
  private readonly renewed = new Set<string>();
  private readonly firstBeat: Beat;
  private readonly furtherBeat: Beat;
  private hasEnded = false;

  /** @param renew as `BookmarkStore.renewClaims` */
  constructor(
    clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly times: LeaseTimes,
    private readonly renew: (ids: readonly string[], leaseMs: number) => Promise<RenewedClaims>,
  ) {
    // A claim is renewed by the second short beat at the latest, so when at most two fifths of its time have passed.
    this.firstBeat = new Beat(clock, times.firstMs / 5, () => this.grow());
    this.furtherBeat = new Beat(clock, times.furtherMs / 3, () => this.tryToRenew([...this.renewed]));
    // At once: other nodes look for claims that were not renewed in time soon after the store is back.
    outages.onRecovered(() => void this.tryToRenew([...this.renewed, ...this.grown, ...this.young, ...this.waiting]));
  }

  /** The bookmark is claimed, and its burst waits for a free place. */
  wait(id: string): void {
    this.waiting.add(id);
    this.begin(this.firstBeat);
  }

  /** The burst begins. */
  add(id: string): void {
    this.waiting.delete(id);
    this.young.add(id);
    this.begin(this.firstBeat);
  }

  delete(id: string): void {
    for (const ids of [this.waiting, this.young, this.grown, this.renewed]) ids.delete(id);
    this.endIdleBeats();
  }

  /** The node no longer waits for its bursts, and its process may live on: other nodes take them over when the claims end. */
  end(): void {
    this.hasEnded = true;
    this.firstBeat.end();
    this.furtherBeat.end();
  }

  private begin(beat: Beat): void {
    if (!this.hasEnded) beat.begin();
  }

  private endIdleBeats(): void {
    if (this.waiting.size + this.young.size + this.grown.size === 0) this.firstBeat.end();
    if (this.renewed.size === 0) this.furtherBeat.end();
  }

  private async grow(): Promise<void> {
    const ids = [...this.grown];
    for (const id of this.young) this.grown.add(id);
    this.young = new Set();
    await Promise.all([this.tryToRenew(ids), this.tryToRenew([...this.waiting], this.times.firstMs)]);
  }

  private async tryToRenew(ids: readonly string[], leaseMs = this.times.furtherMs): Promise<void> {
    if (this.hasEnded || this.outages.isOut || ids.length === 0) return;
    try {
      const answer = await this.renew(ids, leaseMs);
      const [renewed, locked] = [new Set(answer.renewed), new Set(answer.locked)];
      for (const id of ids) {
        if (locked.has(id)) this.moveToShortBeat(id);
        // Consumed by a commit in the middle of its burst, or taken over by another node: there is no claim left to renew.
        else if (!renewed.has(id)) this.delete(id);
        // Renewed for the short time only, a claim needs the short beat still, also when its burst has begun meanwhile.
        else if (leaseMs === this.times.furtherMs) this.moveToLongBeat(id);
      }
    } catch (error) {
      // The next beat tries again, or the end of the outage.
      if (!this.outages.report(error))
        this.logger.warn(`Failed to renew claims of due bookmarks: ${toErrorLike(error).message}`);
    }
  }

  /** It was not renewed: the long beat would come when it has ended. */
  private moveToShortBeat(id: string): void {
    if (!this.renewed.delete(id)) return;
    this.grown.add(id);
    this.begin(this.firstBeat);
    this.endIdleBeats();
  }

  private moveToLongBeat(id: string): void {
    const isHeld = this.grown.delete(id) || this.young.delete(id);
    if (!isHeld) return;
    this.renewed.add(id);
    this.begin(this.furtherBeat);
    this.endIdleBeats();
  }
}

/** Calls periodically between `begin` and `end`: a period after the end of the call before. */
class Beat {
  private cancelTimer: CancelTimer | undefined;
  private isGoing = false;

  constructor(
    private readonly clock: WorkflowClock,
    private readonly periodMs: number,
    private readonly call: () => Promise<void>,
  ) {}

  begin(): void {
    if (this.isGoing) return;
    this.isGoing = true;
    this.arm();
  }

  end(): void {
    this.isGoing = false;
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  private arm(): void {
    this.cancelTimer = this.clock.setTimer(this.onTimer, this.periodMs);
  }

  /** Returns the promise of the work, for which the clock of tests waits before it moves on. */
  private readonly onTimer = (): unknown => {
    this.cancelTimer = undefined;
    return this.call().finally(() => {
      if (this.isGoing && !this.cancelTimer) this.arm();
    });
  };
}
