import { Logger } from '@nestjs/common';
import { toErrorLike } from '@waymark/core';
import type { CancelTimer, WorkflowClock } from '@waymark/runtime';

/**
 * The claims of what this node is resuming, renewed well before they end: a burst is taken over when its node has died,
 * never because it is slow (W8).
 */
export class ClaimLeases {
  private readonly logger = new Logger('Scheduling');
  private readonly held = new Set<string>();
  private cancelTimer: CancelTimer | undefined;

  /** @param renew returns the ids of the claims that still are this node's */
  constructor(
    private readonly clock: WorkflowClock,
    private readonly leaseMs: number,
    private readonly renew: (ids: readonly string[]) => Promise<readonly string[]>,
  ) {}

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
    return this.beat()
      .catch((error: unknown) =>
        // The store is out of reach: the next beat tries again, and until the lease ends nothing is lost.
        this.logger.warn(`Claims of due bookmarks could not be renewed: ${toErrorLike(error).message}`),
      )
      .finally(() => {
        if (this.held.size > 0) this.arm();
      });
  };

  private async beat(): Promise<void> {
    const ids = [...this.held];
    const kept = new Set(await this.renew(ids));
    // Consumed by a commit half-way, or taken over: there is nothing left to hold.
    for (const id of ids) if (!kept.has(id)) this.held.delete(id);
  }
}
