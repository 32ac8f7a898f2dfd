import { Inject, Injectable, Logger } from '@nestjs/common';
import { toErrorLike } from '@waymark/core';
import { BookmarkPatterns } from '../bookmarks/bookmark-patterns.js';
import { SystemClock } from '../clock/system-clock.js';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { OutboxProcessor } from '../dispatch/outbox-processor.js';
import { RuntimeGate } from '../instances/runtime-gate.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../module/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import { InterruptedInstances } from './interrupted-instances.js';
import { QueueSweeper } from './queue-sweeper.js';
import { Retention } from './retention.js';
import { StoreFollower } from './store-follower.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Work that is not urgent is done every so many rounds. */
const ROUNDS_BETWEEN_EXPIRY = 10;
const ROUNDS_BETWEEN_RECOVERY = 5;
const ROUNDS_BETWEEN_CLOCK_SYNC = 60;
const ROUNDS_BETWEEN_CLEANUP = 60;

/**
 * The steady pulse of a node: takes over left-over messages, expires stimuli, cleans up, keeps the clock on the database's
 * time; and, faster, the look at what other nodes change. A round that fails is logged and the next one tries again. While the
 * store is out there are none; what waited for it is looked for as soon as it is back.
 */
@Injectable()
export class RuntimeMaintenance {
  private readonly logger = new Logger('WorkflowRuntime');
  private cancelTimer: CancelTimer | undefined;
  private endWatch: (() => void) | undefined;
  private stopped = true;
  private round = 0;
  private mustRecover = false;
  private running = false;
  private current: Promise<void> = Promise.resolve();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly follower: StoreFollower,
    private readonly patterns: BookmarkPatterns,
    private readonly clock: WorkflowClock,
    private readonly retention: Retention,
    private readonly recovery: InterruptedInstances,
    private readonly sweeper: QueueSweeper,
    private readonly gate: RuntimeGate,
    private readonly outages: StoreOutages,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** Synchronises the clock and notes where the store stands; call before anything is scheduled. */
  async prepare(): Promise<void> {
    await this.synchronizeClock();
    await this.follower.prepare();
  }

  start(): void {
    this.stopped = false;
    this.follower.start();
    // A clock that was set, or stood still, is compared with the store's at once.
    if (this.clock instanceof SystemClock) this.endWatch = this.clock.whenInDoubt(() => void this.tryToSynchronize());
    this.arm(this.options.pollIntervalMs);
    this.outages.onRecovered(() => {
      this.mustRecover = true;
      if (!this.running) this.arm(Math.min(this.outages.settlesInMs, this.options.pollIntervalMs));
    });
  }

  /** Resolves when the round that is under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelTimer?.();
    this.endWatch?.();
    await this.follower.stop();
    await this.current;
  }

  /** One round, now, and a look at what other nodes changed. */
  async runOnce(): Promise<void> {
    await this.follower.follow();
    await this.runRound();
  }

  /** All that the rounds of a day would do, now: for tests, which do not wait for their turn. */
  async runEverything(): Promise<void> {
    await this.follower.follow();
    await this.outbox.poll();
    await this.sweeper.expire();
    await this.recover();
    await this.retention.sweep();
    await this.patterns.purge();
  }

  private async runRound(): Promise<void> {
    if (this.outages.isOut) return;
    this.round++;
    if (this.round % ROUNDS_BETWEEN_CLOCK_SYNC === 0 || this.isClockInDoubt) await this.tryToSynchronize();
    await this.outbox.poll();
    if (this.round % ROUNDS_BETWEEN_EXPIRY === 0) await this.sweeper.expire();
    if (this.mustRecover || this.round % ROUNDS_BETWEEN_RECOVERY === 0) await this.recover();
    if (this.round % ROUNDS_BETWEEN_CLEANUP === 0) await this.retention.sweep();
    if (this.round % ROUNDS_BETWEEN_CLEANUP === 0) await this.patterns.purge();
  }

  private arm(delayMs: number): void {
    this.cancelTimer?.();
    if (this.stopped) return;
    const round = (): Promise<void> => {
      this.running = true;
      this.current = this.runRound()
        .catch((error: unknown) => {
          if (!this.outages.report(error))
            this.logger.warn(`A maintenance round failed, the next one tries again: ${toErrorLike(error).message}`);
        })
        .finally(() => {
          this.running = false;
          this.arm(this.options.pollIntervalMs);
        });
      return this.current;
    };
    // oxlint-disable-next-line typescript/no-misused-promises -- a clock of tests waits for it, others need not
    this.cancelTimer = this.clock.setTimer(round, delayMs, { isPoll: true });
  }

  /** What a dead node left: bursts half-way, and stimuli that it was about to match. */
  private async recover(): Promise<void> {
    // What is left alone now is looked for when the other nodes could say that they live.
    if (this.gate.closedBecause || this.outages.settlesInMs > 0) return;
    this.mustRecover = false;
    await this.recovery.takeOver();
    await this.sweeper.sweep();
  }

  private get isClockInDoubt(): boolean {
    return this.clock instanceof SystemClock && this.clock.isInDoubt;
  }

  /** Nothing else waits for it: until it works, the time goes on as before. */
  private async tryToSynchronize(): Promise<void> {
    try {
      await this.synchronizeClock();
    } catch (error) {
      if (!this.outages.report(error))
        this.logger.warn(
          `The store could not be asked for the time, the next round tries again: ${toErrorLike(error).message}`,
        );
    }
  }

  private async synchronizeClock(): Promise<void> {
    if (this.clock instanceof SystemClock) await this.clock.follow(() => this.persistence.now());
  }
}
