import { Inject, Injectable, Logger } from '@nestjs/common';
import { toErrorLike } from '@waymark/core';
import { RuntimeGate, WorkflowClock } from '@waymark/runtime';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { WakeUpTimer } from '../wake-up/wake-up-timer.js';
import { DueBookmarks } from './due-bookmarks.js';
import { DueTriggers } from './due-triggers.js';
import type { DueRow, DueWork } from './due-work.js';
import { Lane, type LaneHost } from './lane.js';
import type { FailedFiring } from './retries.js';

/** A paused runtime is asked again after that time. */
const REFUSED_PAUSE_MS = 1000;

/**
 * Fires what is due: rows of the store, never timers of this process (W4). It looks at the store when the earliest row it
 * knows of is due, when it is told of an earlier one, and at the poll interval in any case: so it finds what other nodes
 * wrote and what a crash left behind. Between two looks it keeps one time, however many rows are waiting.
 *
 * Idle → looking (one look at a time) → idle, armed for the next time. Stopped: nothing is looked for any more.
 */
@Injectable()
export class DueWorkRunner {
  private readonly logger = new Logger('Scheduling');
  private readonly lanes: readonly Lane[];
  private looking: Promise<void> | undefined;
  /** Earliest time asked for during a look. */
  private requested = Infinity;
  private holdUntil = -Infinity;
  /** When the store is looked at although nothing is known to be due. */
  private pollAt = Infinity;
  private storeFailures = 0;
  private started = false;

  constructor(
    triggers: DueTriggers,
    bookmarks: DueBookmarks,
    private readonly timer: WakeUpTimer,
    private readonly clock: WorkflowClock,
    private readonly gate: RuntimeGate,
    @Inject(SCHEDULING_OPTIONS) private readonly options: ResolvedSchedulingOptions,
  ) {
    const host: LaneHost = {
      isOpen: () => this.started,
      wakeAt: (time) => this.wakeAt(time),
      refused: () => this.hold(),
    };
    this.lanes = [triggers, bookmarks].map((work) => new Lane(work as unknown as DueWork, clock, options, host));
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

  /** Fires what is due now. Resolves when it has been fired. */
  async run(): Promise<void> {
    if (!this.started) return;
    await (this.looking ??= this.look());
    await this.idle();
  }

  /** Why a row was not fired yet, as far as this node knows. */
  failureOf(kind: DueWork['kind'], row: DueRow): FailedFiring | undefined {
    return this.lanes.find((lane) => lane.work.kind === kind)?.failureOf(row);
  }

  private async look(): Promise<void> {
    this.timer.cancel();
    this.requested = Infinity;
    let next: number;
    try {
      next = await this.collect();
      this.storeFailures = 0;
    } catch (error) {
      next = this.storeFailed(error);
    }
    this.looking = undefined;
    const time = Math.min(next, this.requested);
    if (this.started) this.timer.arm(time, () => this.run(), time === this.pollAt);
  }

  /** @returns when to look next */
  private async collect(): Promise<number> {
    const now = this.clock.now();
    if (now < this.holdUntil) return this.holdUntil;
    // What a node claims and may not run keeps waiting while others could run it.
    if (this.gate.closedBecause) return now + REFUSED_PAUSE_MS;
    const until = (this.pollAt = now + this.options.pollIntervalMs);
    let next = until;
    // One after the other: a lane must not be looking still when the next look begins.
    for (const lane of this.lanes) next = Math.min(next, await lane.collect(now, until));
    // Every failing row is read again with each look: the more there are, the longer the pause.
    const failing = this.lanes.reduce((sum, lane) => sum + lane.failing, 0);
    return Math.max(next, now + failing);
  }

  private storeFailed(error: unknown): number {
    // The store may be closed already when the application shuts down.
    if (!this.started) return Infinity;
    const { retryMinMs, pollIntervalMs } = this.options;
    const pause = Math.min(retryMinMs * 2 ** this.storeFailures++, pollIntervalMs);
    this.logger.error(
      `Due timers could not be read (attempt ${this.storeFailures}); tried again in ${pause} ms: ${toErrorLike(error).message}`,
    );
    return this.clock.now() + pause;
  }

  private hold(): void {
    this.holdUntil = this.clock.now() + REFUSED_PAUSE_MS;
    this.wakeAt(this.holdUntil);
  }

  private async idle(): Promise<void> {
    for (;;) {
      const pending = [...(this.looking ? [this.looking] : []), ...this.lanes.flatMap((lane) => lane.pending)];
      if (pending.length === 0) return;
      await Promise.all(pending);
    }
  }
}
