import { Inject, Injectable, Logger } from '@nestjs/common';
import { BookmarkPatterns } from '../bookmarks/bookmark-patterns.js';
import { SystemClock } from '../clock/system-clock.js';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { OutboxProcessor } from '../dispatch/outbox-processor.js';
import { RuntimeGate } from '../instances/runtime-gate.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../module/runtime-options.js';
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
 * time; and, faster, the look at what other nodes change. A round that fails is logged and the next one tries again.
 */
@Injectable()
export class RuntimeMaintenance {
  private readonly logger = new Logger('WorkflowRuntime');
  private cancelTimer: CancelTimer | undefined;
  private endWatch: (() => void) | undefined;
  private stopped = true;
  private round = 0;
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
    this.arm();
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
    this.round++;
    if (this.round % ROUNDS_BETWEEN_CLOCK_SYNC === 0 || this.isClockInDoubt) await this.tryToSynchronize();
    await this.outbox.poll();
    if (this.round % ROUNDS_BETWEEN_EXPIRY === 0) await this.sweeper.expire();
    if (this.round % ROUNDS_BETWEEN_RECOVERY === 0) await this.recover();
    if (this.round % ROUNDS_BETWEEN_CLEANUP === 0) await this.retention.sweep();
    if (this.round % ROUNDS_BETWEEN_CLEANUP === 0) await this.patterns.purge();
  }

  private arm(): void {
    if (this.stopped) return;
    const round = (): Promise<void> =>
      (this.current = this.runRound()
        .catch((error: unknown) =>
          this.logger.warn(
            `A maintenance round failed, the next one tries again: ${String((error as Error)?.message ?? error)}`,
          ),
        )
        .finally(() => this.arm()));
    // oxlint-disable-next-line typescript/no-misused-promises -- a clock of tests waits for it, others need not
    this.cancelTimer = this.clock.setTimer(round, this.options.pollIntervalMs, { isPoll: true });
  }

  /** What a dead node left: bursts half-way, and stimuli that it was about to match. */
  private async recover(): Promise<void> {
    if (this.gate.closedBecause) return;
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
      this.logger.warn(
        `The store could not be asked for the time, the next round tries again: ${String((error as Error)?.message ?? error)}`,
      );
    }
  }

  private async synchronizeClock(): Promise<void> {
    if (this.clock instanceof SystemClock) await this.clock.follow(() => this.persistence.now());
  }
}
