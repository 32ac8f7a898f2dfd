import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { RuntimeGate, WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { backoffMs, StoreOutages, WorkflowLogger } from '@waymark/runtime/adapter';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { WakeUpTimer } from '../wake-up/wake-up-timer.js';
import { Attendance } from './attendance.js';
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

/** Rows of one kind, and when to look for them. */
interface Lane {
  readonly pool: DueWorkPool;
  /** When to look next, as asked for by the last look or since. Infinity: not before the poll. */
  nextAt: number;
  /** The same, as asked for while a look is under way. */
  askedAt: number;
  /** When to poll at the latest: rows that the last look has not read may be due from then on. */
  pollAt: number;
}

/**
 * Fires what is due: rows of the store, never timers of this process (W4). It looks at the store when the earliest row it
 * knows of is due, and when it learns of an earlier one. At every poll it asks when the next one is: so it finds what other
 * nodes wrote and what a crash left behind. In between it keeps one time for each kind, however many rows are waiting: where
 * thousands are due each second, only rows of their kind are looked for again and again.
 *
 * While the store is out it is not asked: the next look comes as soon as it is back, and the other nodes have had the time to
 * say that they live.
 *
 * Idle → looking (one look or poll at a time) → idle, armed for the next time. Stopped: nothing is looked for any more.
 */
@Injectable()
export class DueWorkRunner {
  private readonly logger = new WorkflowLogger('Scheduling');
  /** In the order in which they are looked at. */
  private lanes: readonly Lane[];
  private looking: Promise<void> | undefined;
  private idling: Promise<void> | undefined;
  private endWatch: (() => void) | undefined;
  /** As the clock's `monotonic()` says. */
  private holdUntil = -Infinity;
  private storeFailures = 0;
  /** A look failed, and may have claimed something all the same: only looks find it, for as long as the claim would hold. Monotonic. */
  private looksUntil = -Infinity;
  private started = false;

  constructor(
    private readonly persistence: WorkflowPersistence,
    triggers: DueTriggers,
    schedules: DueSchedules,
    private readonly bookmarks: DueBookmarks,
    private readonly timer: WakeUpTimer,
    private readonly clock: WorkflowClock,
    private readonly gate: RuntimeGate,
    private readonly outages: StoreOutages,
    private readonly attendance: Attendance,
    @Inject(SCHEDULING_OPTIONS) private readonly options: ResolvedSchedulingOptions,
  ) {
    this.lanes = [triggers, schedules, bookmarks].map((work) => {
      const host: DueWorkPoolHost = {
        isOpen: () => this.started,
        wakeAt: (time) => this.wake([lane], time),
        refused: () => this.hold(),
      };
      const pool = new DueWorkPool(work as unknown as DueWork, clock, outages, options, host);
      const lane: Lane = { pool, nextAt: Infinity, askedAt: Infinity, pollAt: -Infinity };
      return lane;
    });
    outages.onRecovered(() => this.wakeAt(clock.now() + outages.settlesInMs));
  }

  /** Looks for what became due while no node was running, and continues from there. */
  start(): void {
    if (!this.options.enabled || this.started) return;
    this.started = true;
    this.endWatch = this.clock.whenSet(() => this.lookAnew());
    this.wakeAt(this.clock.now());
  }

  /** Fires nothing more, and resolves when what is being fired has ended, or the time for that is over. */
  async stop(): Promise<void> {
    this.started = false;
    this.endWatch?.();
    this.timer.cancel();
    let cancelDeadline = (): void => {};
    const deadline = new Promise<boolean>((resolve) => {
      cancelDeadline = this.clock.setTimer(() => resolve(false), this.options.drainTimeoutMs);
    });
    const inTime = await Promise.race([this.idle().then(() => true), deadline]);
    cancelDeadline();
    if (!inTime) {
      this.bookmarks.giveUp();
      this.logger.warn('Shutdown continues while timers are still firing; those that were not committed fire again.');
    }
  }

  /** Ensures a look at the store at that time, unless the next look is earlier: that one finds what is due later. */
  wakeAt(time: number): void {
    this.wake(this.lanes, time);
  }

  /** The clock was set: the times at which it was to be looked, and to be tried again, were reckoned by what it was before. */
  private lookAnew(): void {
    this.attendance.interrupt();
    for (const { pool } of this.lanes) pool.endPauses();
    this.timer.cancel();
    this.wakeAt(this.clock.now());
  }

  private wake(lanes: readonly Lane[], time: number): void {
    if (!this.started) return;
    const asked = this.looking ? 'askedAt' : 'nextAt';
    for (const lane of lanes) lane[asked] = Math.min(lane[asked], time);
    if (!this.looking && time < this.timer.time) this.timer.arm(time, () => this.fireDue());
  }

  /** Fires what is due, if the store says that anything is. */
  private async poll(): Promise<void> {
    if (!this.started) return;
    let isDue = false;
    const ask = async (): Promise<void> => {
      const pollAt = this.clock.now() + this.options.pollIntervalMs;
      const nextAt = await this.ask();
      isDue = nextAt <= this.clock.now();
      for (const lane of this.lanes) Object.assign(lane, { nextAt, pollAt });
      if (isDue) await this.collect();
    };
    await (this.looking ??= this.look(ask));
    // Not for rows that were being fired before, which may take long.
    if (isDue) await this.idle();
  }

  /** Fires what is due now. Resolves when it has been fired. */
  async run(): Promise<void> {
    this.wake(this.lanes, this.clock.now());
    await this.fireDue();
  }

  private async fireDue(): Promise<void> {
    if (!this.started) return;
    await (this.looking ??= this.look(() => this.collect()));
    await this.idle();
  }

  /** Returns why a row was not fired yet, as far as this node knows. */
  failureOf(kind: DueWork['kind'], row: DueRow): FailedFiring | undefined {
    return this.lanes.find(({ pool }) => pool.work.kind === kind)?.pool.failureOf(row);
  }

  private async look(work: () => Promise<void>): Promise<void> {
    this.timer.cancel();
    try {
      await work();
      this.storeFailures = 0;
    } catch (error) {
      const pollAt = this.storeFailed(error);
      for (const lane of this.lanes) Object.assign(lane, { nextAt: Infinity, pollAt });
    }
    this.looking = undefined;
    if (!this.started) return;
    for (const lane of this.lanes)
      Object.assign(lane, { nextAt: Math.min(lane.nextAt, lane.askedAt), askedAt: Infinity });
    const nextAt = Math.min(...this.lanes.map((lane) => lane.nextAt));
    const pollAt = Math.min(...this.lanes.map((lane) => lane.pollAt));
    if (nextAt < pollAt) this.timer.arm(nextAt, () => this.fireDue());
    else this.timer.arm(pollAt, () => this.poll(), true);
  }

  /** @returns when to look */
  private async ask(): Promise<number> {
    if (this.gate.closedBecause) {
      this.attendance.interrupt();
      return Infinity;
    }
    const asked = this.clock.now();
    if (this.outages.settlesInMs > 0) {
      this.attendance.interrupt();
      return asked + this.outages.settlesInMs;
    }
    this.attendance.look();
    if (this.clock.monotonic() < this.looksUntil) return asked;
    const { pollIntervalMs: lookAheadMs } = this.options;
    const askedAt = this.clock.monotonic();
    // While a node is idle, nothing else tells it that the clock of the store was set.
    const heard = (time: number): void => this.clock.heard(time, askedAt);
    const waitMs = await this.persistence.findNextDue({ lookAheadMs, now: this.clock.storeTime(), heard });
    return asked + (waitMs ?? Infinity);
  }

  private async collect(): Promise<void> {
    const now = this.clock.now();
    const pollAt = now + this.options.pollIntervalMs;
    const due = this.lanes.filter(({ nextAt }) => nextAt <= now);
    const pausedUntil = this.pausedUntil(now);
    if (pausedUntil === undefined) this.attendance.look();
    else this.attendance.interrupt();
    // One after the other: a pool must not be looking still when the next look begins.
    for (const lane of due) {
      const next = pausedUntil ?? (await this.collectOf(lane, now, pollAt));
      Object.assign(lane, { nextAt: next < pollAt ? next : Infinity, pollAt });
    }
  }

  private pausedUntil(now: number): number | undefined {
    if (this.outages.settlesInMs > 0) return now + this.outages.settlesInMs;
    const heldMs = this.holdUntil - this.clock.monotonic();
    if (heldMs > 0) return now + heldMs;
    // What a node claims and may not run keeps waiting while others could run it.
    return this.gate.closedBecause ? now + REFUSED_PAUSE_MS : undefined;
  }

  /** Every failing row is read again with each look: the more there are, the longer the pause. */
  private async collectOf(lane: Lane, now: number, until: number): Promise<number> {
    try {
      const next = await lane.pool.collect(now, until);
      return Math.max(next, now + lane.pool.failing);
    } catch (error) {
      // Its table may be locked, and the others not: the next look comes to it last.
      this.lanes = [...this.lanes.filter((other) => other !== lane), lane];
      throw error;
    }
  }

  private storeFailed(error: unknown): number {
    // The store may be closed already when the application shuts down.
    if (!this.started) return Infinity;
    this.attendance.interrupt();
    const now = this.clock.now();
    this.looksUntil = this.clock.monotonic() + LEASE_MS;
    const { retryMinMs: firstMs, pollIntervalMs } = this.options;
    const longestMs = Math.max(pollIntervalMs, LONGEST_STORE_PAUSE_MS);
    const pause = backoffMs(this.storeFailures++, { firstMs, longestMs });
    // When the store is back, it wakes this node earlier.
    if (!this.outages.report(error))
      this.logger.error(
        `Failed to read due timers (attempt ${this.storeFailures}); retrying in ${Math.round(pause)} ms: ${toErrorLike(error).message}`,
        toErrorLike(error).stack,
      );
    return now + pause;
  }

  private hold(): void {
    this.holdUntil = this.clock.monotonic() + REFUSED_PAUSE_MS;
    this.wakeAt(this.clock.now() + REFUSED_PAUSE_MS);
  }

  /** One wait for all callers: each look waits for that, and a node that is never idle looks a hundred times a second. */
  private idle(): Promise<void> {
    if (this.pending.length === 0) return Promise.resolve();
    return (this.idling ??= this.untilIdle());
  }

  private async untilIdle(): Promise<void> {
    try {
      for (let { pending } = this; pending.length > 0; pending = this.pending) await Promise.all(pending);
    } finally {
      this.idling = undefined;
    }
  }

  private get pending(): readonly Promise<void>[] {
    return [...(this.looking ? [this.looking] : []), ...this.lanes.flatMap(({ pool }) => pool.pending)];
  }
}
