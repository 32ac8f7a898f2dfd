import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { AlterationSelections } from '../alterations/alteration-selections.js';
import { BackgroundRuns } from '../background/background-runs.js';
import { LongBursts } from '../bursts/long-bursts.js';
import { BulkPlanWorker } from '../bulk/bulk-plan-worker.js';
import { SystemClock } from '../clock/system-clock.js';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import { DeadNodes } from './dead-nodes.js';
import { Housekeeping } from './housekeeping.js';
import { StoreFollower } from './store-follower.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Work that is not urgent is done every so many rounds. */
/** The node at which a plan was submitted begins at once. */
const ROUNDS_BETWEEN_BULK_WORK = 5;
const ROUNDS_BETWEEN_CLOCK_SYNC = 60;

/**
 * The periodic work of a node: takes over messages that others left, begins the housekeeping and synchronises the clock with the database;
 * more often, it looks at what other nodes change. A round that fails is logged, and the next one tries again. There are no rounds while
 * the store is out; as soon as it is back, a round looks for what waited.
 */
@Injectable()
export class RuntimeMaintenance {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');
  private cancelTimer: CancelTimer | undefined;
  private endWatch: (() => void) | undefined;
  private stopped = true;
  private round = 0;
  private running = false;
  private current: Promise<void> = Promise.resolve();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly follower: StoreFollower,
    private readonly housekeeping: Housekeeping,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly bulk: BulkPlanWorker,
    private readonly alterations: AlterationSelections,
    private readonly longBursts: LongBursts,
    private readonly backgroundRuns: BackgroundRuns,
    private readonly deadNodes: DeadNodes,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** Synchronises the clock, notes where the store stands, and takes over from dead nodes; call before anything is scheduled. */
  async prepare(): Promise<void> {
    await this.synchronizeClock();
    await this.follower.prepare();
    await this.deadNodes.prepare();
  }

  /** Begins the rounds. */
  start(): void {
    this.stopped = false;
    this.follower.start();
    this.housekeeping.start();
    // A clock that was set, or stood still, is compared with the store's at once.
    if (this.clock instanceof SystemClock) this.endWatch = this.clock.whenInDoubt(() => void this.tryToSynchronize());
    this.arm(this.options.pollIntervalMs);
    this.outages.onRecovered(() => {
      // What answers now may be another server than before, with another time.
      void this.tryToSynchronize();
      this.housekeeping.recoverSoon();
      if (!this.running) this.arm(Math.min(this.outages.settlesInMs, this.options.pollIntervalMs));
    });
  }

  /** Resolves when the round and the batches that are under way have ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelTimer?.();
    this.endWatch?.();
    const resting = this.housekeeping.stop();
    await this.follower.stop();
    await this.current;
    await resting;
  }

  /** One round with all that it begins, now, and a look at what other nodes changed. */
  async runOnce(): Promise<void> {
    await this.follower.follow();
    if (await this.beganRound()) await this.housekeeping.completeRound();
  }

  /** All that the rounds of a day would do, now: for tests, which do not wait for their turn. */
  async runEverything(): Promise<void> {
    await this.follower.follow();
    await this.deadNodes.look();
    await this.outbox.poll();
    await this.housekeeping.completeAll();
    await this.persistence.largeStates.refresh(this.persistence.instances);
    this.wakePlans();
    await Promise.all([this.bulk.settled(), this.alterations.settled()]);
  }

  private async runRound(): Promise<void> {
    if (await this.beganRound()) this.housekeeping.beginRound();
  }

  /** False while the store is out. */
  private async beganRound(): Promise<boolean> {
    this.longBursts.look();
    this.backgroundRuns.look();
    if (this.outages.isOut) return false;
    this.round++;
    if (this.round % ROUNDS_BETWEEN_CLOCK_SYNC === 0 || this.isClockInDoubt) await this.tryToSynchronize();
    if (this.round % ROUNDS_BETWEEN_CLOCK_SYNC === 0)
      await this.persistence.largeStates.refresh(this.persistence.instances);
    await this.deadNodes.look();
    if (await this.outbox.lendPlaces()) this.longBursts.logStandstill();
    await this.outbox.poll();
    if (this.round % ROUNDS_BETWEEN_BULK_WORK === 0) this.wakePlans();
    return true;
  }

  /** Looks for plans that other nodes have left. */
  private wakePlans(): void {
    this.bulk.wake();
    this.alterations.wake();
  }

  private arm(delayMs: number): void {
    this.cancelTimer?.();
    if (this.stopped) return;
    const round = (): Promise<void> => {
      this.running = true;
      this.current = this.runRound()
        .catch((error: unknown) => {
          if (!this.outages.report(error))
            this.logger.warn(`A maintenance round failed; retrying in the next one: ${toErrorLike(error).message}`);
        })
        .finally(() => {
          this.running = false;
          this.arm(this.options.pollIntervalMs);
        });
      return this.current.then(() => this.housekeeping.batchesUnderWay());
    };
    // oxlint-disable-next-line typescript/no-misused-promises -- a clock of tests waits for it, others need not
    this.cancelTimer = this.clock.setTimer(round, delayMs, { isPoll: true });
  }

  private get isClockInDoubt(): boolean {
    return this.clock instanceof SystemClock && this.clock.isInDoubt;
  }

  /** Nothing else waits for it: until it works, the time continues as before. */
  private async tryToSynchronize(): Promise<void> {
    try {
      await this.synchronizeClock();
    } catch (error) {
      if (!this.outages.report(error))
        this.logger.warn(
          `Failed to read the time of the store; retrying in the next round: ${toErrorLike(error).message}`,
        );
    }
  }

  private async synchronizeClock(): Promise<void> {
    if (this.clock instanceof SystemClock) await this.clock.follow(() => this.persistence.now());
  }
}
