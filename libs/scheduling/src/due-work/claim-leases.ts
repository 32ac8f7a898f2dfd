import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { CancelTimer, WorkflowClock } from '@waymark/runtime';
import type { StoreOutages } from '@waymark/runtime/adapter';

/** How long claims hold: when they are made, and from their first renewal on. */
export interface LeaseTimes {
  readonly firstMs: number;
  readonly furtherMs: number;
}

/**
 * The claims of what this node is resuming, renewed well before they end: a burst is taken over when its node has died,
 * never because it is slow (W8).
 */
export class ClaimLeases {
  private readonly logger = new WorkflowLogger('Scheduling');
  /** Nothing runs for them yet: another node takes them soon when this one dies. */
  private readonly waiting = new Set<string>();
  /** Not renewed yet: those of this beat, and those from before, whose turn the next one is. */
  private young = new Set<string>();
  private readonly grown = new Set<string>();
  private readonly renewed = new Set<string>();
  private readonly firstBeat: Beat;
  private readonly furtherBeat: Beat;

  /** @param renew returns the ids of the claims that still are this node's */
  constructor(
    clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly times: LeaseTimes,
    private readonly renew: (ids: readonly string[], leaseMs: number) => Promise<readonly string[]>,
  ) {
    // Two fifths of the time have passed at most when a claim is renewed.
    this.firstBeat = new Beat(clock, times.firstMs / 5, () => this.grow());
    this.furtherBeat = new Beat(clock, times.furtherMs / 3, () => this.tryToRenew([...this.renewed]));
    // Before other nodes look for what was not renewed in time.
    outages.onRecovered(() => void this.tryToRenew([...this.renewed, ...this.grown, ...this.young, ...this.waiting]));
  }

  /** It is claimed, and waits for a place. */
  wait(id: string): void {
    this.waiting.add(id);
    this.firstBeat.begin();
  }

  /** Its burst begins. */
  add(id: string): void {
    this.waiting.delete(id);
    this.young.add(id);
    this.firstBeat.begin();
  }

  delete(id: string): void {
    for (const ids of [this.waiting, this.young, this.grown, this.renewed]) ids.delete(id);
    this.endIdleBeats();
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
    if (this.outages.isOut || ids.length === 0) return;
    try {
      const kept = new Set(await this.renew(ids, leaseMs));
      for (const id of ids) this.settle(id, kept.has(id));
    } catch (error) {
      // The next beat tries again, at the latest when the store is back.
      if (!this.outages.report(error))
        this.logger.warn(`Claims of due bookmarks could not be renewed: ${toErrorLike(error).message}`);
    }
  }

  private settle(id: string, isKept: boolean): void {
    // Consumed by a commit half-way, or taken over: there is nothing left to hold.
    if (!isKept) return this.delete(id);
    const isHeld = this.grown.delete(id) || this.young.delete(id);
    if (!isHeld) return;
    this.renewed.add(id);
    this.furtherBeat.begin();
    this.endIdleBeats();
  }
}

/** Calls again and again, each time so long after the call before it, from `begin` to `end`. */
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

  /** Returns the work: a clock that is moved by a test waits for it. */
  private readonly onTimer = (): unknown => {
    this.cancelTimer = undefined;
    return this.call().finally(() => {
      if (this.isGoing && !this.cancelTimer) this.arm();
    });
  };
}
