import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { CancelTimer, WorkflowClock } from '@waymark/runtime';
import type { StoreOutages } from '@waymark/runtime/adapter';

/**
 * The claims of what this node is resuming, renewed well before they end: a burst is taken over when its node has died,
 * never because it is slow (W8).
 */
export class ClaimLeases {
  private readonly logger = new WorkflowLogger('Scheduling');
  private readonly held = new Set<string>();
  private cancelTimer: CancelTimer | undefined;

  /** @param renew returns the ids of the claims that still are this node's */
  constructor(
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly leaseMs: number,
    private readonly renew: (ids: readonly string[]) => Promise<readonly string[]>,
  ) {
    // Before other nodes look for what was not renewed in time.
    outages.onRecovered(() => void this.tryToBeat());
  }

  add(id: string): void {
    this.held.add(id);
    this.arm();
  }

  delete(id: string): void {
    this.held.delete(id);
    if (this.held.size > 0) return;
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  private arm(): void {
    this.cancelTimer ??= this.clock.setTimer(this.onTimer, this.leaseMs / 3);
  }

  /** Returns the work: a clock that is moved by a test waits for it. */
  private readonly onTimer = (): unknown => {
    this.cancelTimer = undefined;
    return this.tryToBeat().finally(() => {
      if (this.held.size > 0) this.arm();
    });
  };

  private async tryToBeat(): Promise<void> {
    try {
      await this.beat();
    } catch (error) {
      // The next beat tries again, at the latest when the store is back.
      if (!this.outages.report(error))
        this.logger.warn(`Claims of due bookmarks could not be renewed: ${toErrorLike(error).message}`);
    }
  }

  private async beat(): Promise<void> {
    if (this.outages.isOut || this.held.size === 0) return;
    const ids = [...this.held];
    const kept = new Set(await this.renew(ids));
    // Consumed by a commit half-way, or taken over: there is nothing left to hold.
    for (const id of ids) if (!kept.has(id)) this.held.delete(id);
  }
}
