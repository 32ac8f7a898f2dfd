import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { RuntimeGate, WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { backoffMs, StoreOutages, WorkflowLogger } from '@waymark/runtime/adapter';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { WakeUpTimer } from '../wake-up/wake-up-timer.js';
import { DueBookmarks, LEASE_MS } from './due-bookmarks.js';
import { DueSchedules } from './due-schedules.js';
import { DueTriggers } from './due-triggers.js';
import type { DueRow, DueWork } from './due-work.js';
import { DueWorkPool, type DueWorkPoolHost } from './due-work-pool.js';
import type { FailedFiring } from './retries.js';

/** A paused runtime is asked again after that time. */
const REFUSED_PAUSE_MS = 1000;
/** A store that failed is asked again after that time at the latest, or at the poll interval if that is longer. */
const LONGEST_STORE_PAUSE_MS = 2000;

/**
 * Fires what is due: rows of the store, never timers of this process (W4). It looks at the store when the earliest row it
 * knows of is due, and when it learns of an earlier one. At every poll it asks when the next one is: so it finds what other
 * nodes wrote and what a crash left behind. In between it keeps one time, however many rows are waiting.
 *
 * While the store is out it is not asked: the next look comes as soon as it is back, and the other nodes have had the time to
 * say that they live.
 *
 * Idle → looking (one look or poll at a time) → idle, armed for the next time. Stopped: nothing is looked for any more.
 */
@Injectable()
export class DueWorkRunner {
  private readonly logger = new WorkflowLogger('Scheduling');
  private readonly pools: readonly DueWorkPool[];
  private looking: Promise<void> | undefined;
  /** Earliest time asked for during a look. */
  private requested = Infinity;
  private holdUntil = -Infinity;
  private storeFailures = 0;
  /** A look failed, and may have claimed something all the same: only looks find it, for as long as the claim would hold. */
  private looksUntil = -Infinity;
  private started = false;

  constructor(
    private readonly persistence: WorkflowPersistence,
    triggers: DueTriggers,
    schedules: DueSchedules,
    bookmarks: DueBookmarks,
    private readonly timer: WakeUpTimer,
    private readonly clock: WorkflowClock,
    private readonly gate: RuntimeGate,
    private readonly outages: StoreOutages,
    @Inject(SCHEDULING_OPTIONS) private readonly options: ResolvedSchedulingOptions,
  ) {
    const host: DueWorkPoolHost = {
      isOpen: () => this.started,
      wakeAt: (time) => this.wakeAt(time),
      refused: () => this.hold(),
    };
    this.pools = [triggers, schedules, bookmarks].map(
      (work) => new DueWorkPool(work as unknown as DueWork, clock, outages, options, host),
    );
    outages.onRecovered(() => this.wakeAt(clock.now() + outages.settlesInMs));
  }

  /** Looks for what became due while no node was running, and goes on from there. */
  start(): void {
    if (!this.options.enabled || this.started) return;
    this.started = true;
    this.wakeAt(this.clock.now());
  }

  /** Fires nothing more, and resolves when what is being fired has ended, or the time for that is over. */
  async stop(): Promise<void> {
    this.started = false;
    this.timer.cancel();
    let cancelDeadline = (): void => {};
    const deadline = new Promise<boolean>((resolve) => {
      cancelDeadline = this.clock.setTimer(() => resolve(false), this.options.drainTimeoutMs);
    });
    const inTime = await Promise.race([this.idle().then(() => true), deadline]);
    cancelDeadline();
    if (!inTime) {
      this.logger.warn('Shutdown goes on although timers are still being fired; what they did not commit fires again.');
    }
  }

  /** Makes sure of a look at the store at that time; one that is due later than the next look is found by that. */
  wakeAt(time: number): void {
    if (!this.started) return;
    if (this.looking) this.requested = Math.min(this.requested, time);
    else if (time < this.timer.time) this.timer.arm(time, () => this.run());
  }

  /** Fires what is due, if the store says that anything is. */
  private async poll(): Promise<void> {
    if (!this.started) return;
    let isDue = false;
    const ask = async (): Promise<number> => {
      const time = await this.ask();
      isDue = time <= this.clock.now();
      return isDue ? this.collect() : time;
    };
    await (this.looking ??= this.look(ask));
    // What was being fired before is not its business, and may take long.
    if (isDue) await this.idle();
  }

  /** Fires what is due now. Resolves when it has been fired. */
  async run(): Promise<void> {
    if (!this.started) return;
    await (this.looking ??= this.look(() => this.collect()));
    await this.idle();
  }

  /** Why a row was not fired yet, as far as this node knows. */
  failureOf(kind: DueWork['kind'], row: DueRow): FailedFiring | undefined {
    return this.pools.find((pool) => pool.work.kind === kind)?.failureOf(row);
  }

  /** @param work returns when to go on; later than the poll: never mind */
  private async look(work: () => Promise<number>): Promise<void> {
    this.timer.cancel();
    this.requested = Infinity;
    let pollAt = this.clock.now() + this.options.pollIntervalMs;
    let next: number;
    try {
      next = await work();
      this.storeFailures = 0;
    } catch (error) {
      pollAt = next = this.storeFailed(error);
    }
    this.looking = undefined;
    if (!this.started) return;
    const time = Math.min(next, this.requested);
    if (time < pollAt) this.timer.arm(time, () => this.run());
    else this.timer.arm(pollAt, () => this.poll(), true);
  }

  /** @returns when to look */
  private async ask(): Promise<number> {
    if (this.gate.closedBecause) return Infinity;
    const asked = this.clock.now();
    if (this.outages.settlesInMs > 0) return asked + this.outages.settlesInMs;
    if (asked < this.looksUntil) return asked;
    const { pollIntervalMs: lookAheadMs } = this.options;
    const waitMs = await this.persistence.findNextDue({ lookAheadMs, now: this.clock.storeTime() });
    return asked + (waitMs ?? Infinity);
  }

  /** @returns when to look next */
  private async collect(): Promise<number> {
    const now = this.clock.now();
    if (this.outages.settlesInMs > 0) return now + this.outages.settlesInMs;
    if (now < this.holdUntil) return this.holdUntil;
    // What a node claims and may not run keeps waiting while others could run it.
    if (this.gate.closedBecause) return now + REFUSED_PAUSE_MS;
    const until = now + this.options.pollIntervalMs;
    let next = until;
    // One after the other: a pool must not be looking still when the next look begins.
    for (const pool of this.pools) next = Math.min(next, await pool.collect(now, until));
    // Every failing row is read again with each look: the more there are, the longer the pause.
    const failing = this.pools.reduce((sum, pool) => sum + pool.failing, 0);
    return Math.max(next, now + failing);
  }

  private storeFailed(error: unknown): number {
    // The store may be closed already when the application shuts down.
    if (!this.started) return Infinity;
    const now = this.clock.now();
    this.looksUntil = now + LEASE_MS;
    const { retryMinMs: firstMs, pollIntervalMs } = this.options;
    const longestMs = Math.max(pollIntervalMs, LONGEST_STORE_PAUSE_MS);
    const pause = backoffMs(this.storeFailures++, { firstMs, longestMs });
    // When the store is back, it wakes this node earlier.
    if (!this.outages.report(error))
      this.logger.error(
        `Due timers could not be read (attempt ${this.storeFailures}); tried again in ${Math.round(pause)} ms: ${toErrorLike(error).message}`,
      );
    return now + pause;
  }

  private hold(): void {
    this.holdUntil = this.clock.now() + REFUSED_PAUSE_MS;
    this.wakeAt(this.holdUntil);
  }

  private async idle(): Promise<void> {
    for (;;) {
      const pending = [...(this.looking ? [this.looking] : []), ...this.pools.flatMap((pool) => pool.pending)];
      if (pending.length === 0) return;
      await Promise.all(pending);
    }
  }
}
