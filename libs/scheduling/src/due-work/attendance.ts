import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock } from '@waymark/runtime';
import { StoreOutages } from '@waymark/runtime/adapter';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';

/** The clock of the store was set, or this machine was suspended, if the store is ahead by so much more than it was. */
const STEP_MS = 1000;

/**
 * Since when this node has looked for what is due, without a break. What came due since then is late because there was much to do; what was
 * late before is missed. Breaks are outages of the store, pauses of the runtime, and times in which the process stood still.
 */
@Injectable()
export class Attendance {
  private since = Infinity;
  private lookedAt = -Infinity;
  /** How far the store was ahead of the clock of this node. */
  private aheadMs: number | undefined;

  constructor(
    private readonly clock: WorkflowClock,
    outages: StoreOutages,
    @Inject(SCHEDULING_OPTIONS)
    private readonly options: Pick<ResolvedSchedulingOptions, 'misfireThresholdMs' | 'pollIntervalMs'>,
  ) {
    outages.onRecovered(() => this.interrupt());
  }

  /** The store is looked at, or is not because all places are taken. */
  look(): void {
    const now = this.clock.now();
    const { misfireThresholdMs, pollIntervalMs } = this.options;
    const passedMs = now - this.lookedAt;
    if (passedMs < 0 || passedMs > misfireThresholdMs + pollIntervalMs) this.since = now;
    this.lookedAt = now;
  }

  /** The next look begins anew. */
  interrupt(): void {
    this.lookedAt = -Infinity;
  }

  /** The same time by the clock of the store. @param now of the store, as of a look that has just been made */
  sinceBy(now: number): number {
    const aheadMs = now - this.clock.now();
    const isStep = this.aheadMs !== undefined && aheadMs - this.aheadMs > STEP_MS;
    this.aheadMs = aheadMs;
    if (isStep) this.since = this.clock.now();
    return Math.min(now, this.since + aheadMs);
  }
}
