import { Injectable } from '@nestjs/common';
import { BookmarkPatterns } from '../patterns/bookmark-patterns.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { StoreOutages } from '../outages/store-outages.js';
import { InterruptedInstances } from './interrupted-instances.js';
import { type Backlog, drainNow, PacedDrain } from './paced-drain.js';
import { QueueSweeper } from './queue-sweeper.js';
import { Retention } from './retention.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Work that is not urgent is begun every so many rounds. */
const ROUNDS_BETWEEN_EXPIRY = 10;
const ROUNDS_BETWEEN_RECOVERY = 5;
const ROUNDS_BETWEEN_CLEANUP = 60;
const PATTERNS_AT_ONCE = 500;

/**
 * What a node does besides the work of workflows: it recovers what dead nodes left, and removes what is over. Rounds begin
 * it; the rest is the pace of the drains, one for work that is waited for and one for the rest. Recovery needs the
 * gate open, and the store back for long enough that living nodes could say so.
 */
@Injectable()
export class Housekeeping {
  private readonly recovery: PacedDrain;
  private readonly cleanup: PacedDrain;
  private readonly patternsOver: Backlog;
  private round = 0;
  private mustRecover = false;

  constructor(
    private readonly patterns: BookmarkPatterns,
    private readonly interrupted: InterruptedInstances,
    private readonly sweeper: QueueSweeper,
    private readonly retention: Retention,
    private readonly gate: RuntimeGate,
    private readonly outages: StoreOutages,
    clock: WorkflowClock,
  ) {
    this.recovery = new PacedDrain(clock, outages, new WorkflowLogger('WorkflowRecovery'));
    this.cleanup = new PacedDrain(clock, outages, new WorkflowLogger('WorkflowRetention'));
    this.patternsOver = {
      name: 'patterns that are not used any more',
      takeBatch: async () => (await this.patterns.purge(PATTERNS_AT_ONCE)) === PATTERNS_AT_ONCE,
    };
  }

  start(): void {
    this.recovery.start();
    this.cleanup.start();
  }

  /** Resolves when the batches that are under way have ended. */
  async stop(): Promise<void> {
    await Promise.all([this.recovery.stop(), this.cleanup.stop()]);
  }

  /** Resolves when the batches that are under way have ended; others follow. */
  async batchesUnderWay(): Promise<void> {
    await Promise.all([this.recovery.batchUnderWay, this.cleanup.batchUnderWay]);
  }

  /** What waited for the store is looked for in the next round. */
  recoverSoon(): void {
    this.mustRecover = true;
  }

  /** Begins what this round is for. */
  beginRound(): void {
    const { removed, recovered } = this.dueThisRound();
    for (const backlog of removed) this.cleanup.begin(backlog);
    for (const backlog of recovered) this.recovery.begin(backlog);
  }

  /** The same, all of it and now: for tests. */
  async completeRound(): Promise<void> {
    const { removed, recovered } = this.dueThisRound();
    for (const backlog of [...recovered, ...removed]) await drainNow(backlog);
  }

  /** What the rounds of a day would do, now: for tests. */
  async completeAll(): Promise<void> {
    await drainNow(this.sweeper.expired);
    for (const backlog of this.recoverable()) await drainNow(backlog);
    await this.retention.sweep();
    await drainNow(this.patternsOver);
  }

  private dueThisRound(): { removed: readonly Backlog[]; recovered: readonly Backlog[] } {
    this.round++;
    const isEvery = (rounds: number): boolean => this.round % rounds === 0;
    return {
      removed: [
        ...(isEvery(ROUNDS_BETWEEN_EXPIRY) ? [this.sweeper.expired] : []),
        ...(isEvery(ROUNDS_BETWEEN_CLEANUP) ? [...this.retention.backlogs, this.patternsOver] : []),
      ],
      recovered: this.mustRecover || isEvery(ROUNDS_BETWEEN_RECOVERY) ? this.recoverable() : [],
    };
  }

  /** What a dead node left: bursts half-way, and stimuli that it was about to match. */
  private recoverable(): Backlog[] {
    // What is left alone now is looked for when the other nodes could say that they live.
    if (!this.mayRecover) return [];
    this.mustRecover = false;
    const mayGoOn = (): boolean => this.mayRecover;
    return [this.interrupted.untaken(mayGoOn), this.sweeper.undelivered(mayGoOn)];
  }

  private get mayRecover(): boolean {
    return !this.gate.closedBecause && this.outages.settlesInMs === 0;
  }
}
