import type { Logger } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import type { CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import type { StoreOutages } from '../outages/store-outages.js';

/** Rows that pile up until they are dealt with, a limited number at a time. */
export interface Backlog {
  /** Names it in the log. One that is being drained is not begun a second time. */
  readonly name: string;
  /** Deals with the next rows. @returns true when the batch was full: there may be more of them at once */
  takeBatch(): Promise<boolean>;
}

/** Of the time of a drain, what it works at most; for the rest the database and the event loop are free of it. */
const SHARE = 1 / 4;
/** Between two batches at least, in milliseconds: what waits for the event loop goes first. */
const SHORTEST_PAUSE_MS = 1;

/**
 * Drains backlogs, batch by batch, each in its turn. While a batch was full the next one follows, after a pause of three
 * times as long as the batch took: the rate follows the database's answers instead of being a number in this source, and
 * live work has three quarters of the time to itself.
 *
 * 1. One batch at a time, so that however many backlogs there are, they take no more than their share together.
 * 2. A batch that fails ends the drain of its backlog, also when it is the store that failed: its table may be locked, or the statement
 *    take too long, and all else be answered. The caller that begins it in rounds begins it again, so that a failure is met once
 *    per round. While the store is out the others wait, and continue when it is back.
 * 3. After `stop` no batch begins; it resolves when the one under way has ended.
 */
export class PacedDrain {
  /** In the order of their turns. */
  private readonly waiting = new Map<string, Backlog>();
  private underWay: string | undefined;
  private current: Promise<void> = Promise.resolve();
  private cancelPause: CancelTimer | undefined;
  private stopped = true;

  constructor(
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly logger: Logger,
  ) {
    outages.onRecovered(() => this.goOn());
  }

  /** Resolves when the batch that is under way has ended. */
  get batchUnderWay(): Promise<void> {
    return this.current;
  }

  start(): void {
    this.stopped = false;
  }

  stop(): Promise<void> {
    this.stopped = true;
    this.cancelPause?.();
    this.cancelPause = undefined;
    this.waiting.clear();
    return this.current;
  }

  /** Drains it, unless that is under way. */
  begin(backlog: Backlog): void {
    if (this.stopped || this.underWay === backlog.name || this.waiting.has(backlog.name)) return;
    this.waiting.set(backlog.name, backlog);
    this.goOn();
  }

  private goOn(): void {
    if (this.underWay === undefined && !this.cancelPause) void this.next();
  }

  private next(): Promise<void> {
    this.cancelPause = undefined;
    const [backlog] = this.waiting.values();
    if (backlog && !this.stopped && !this.outages.isOut) this.current = this.take(backlog);
    return this.current;
  }

  private async take(backlog: Backlog): Promise<void> {
    this.waiting.delete(backlog.name);
    this.underWay = backlog.name;
    const begunAt = this.clock.monotonic();
    // Behind the others: a large backlog must not keep a small one waiting.
    if (await this.isFull(backlog)) this.waiting.set(backlog.name, backlog);
    this.underWay = undefined;
    if (this.waiting.size > 0 && !this.stopped) this.pause(this.clock.monotonic() - begunAt);
  }

  private async isFull(backlog: Backlog): Promise<boolean> {
    try {
      return await backlog.takeBatch();
    } catch (error) {
      if (!this.outages.report(error))
        this.logger.warn(
          `A batch of ${backlog.name} failed; retrying in the next round: ${toErrorLike(error).message}`,
        );
      return false;
    }
  }

  private pause(tookMs: number): void {
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, tookMs * (1 / SHARE - 1));
    // oxlint-disable-next-line typescript/no-misused-promises -- a clock of tests waits for it, others need not
    this.cancelPause = this.clock.setTimer(() => this.next(), pauseMs, { isPoll: true });
  }
}

/** Everything of a backlog, now and without pauses: for tests, whose clock stands still. @throws what a batch throws */
export async function drainNow(backlog: Backlog): Promise<void> {
  while (await backlog.takeBatch());
}
