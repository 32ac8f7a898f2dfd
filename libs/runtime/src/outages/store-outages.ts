import { Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import { backoffMs } from './backoff.js';
import { StoreHealth } from './store-health.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Between two looks whether the store is back: all that waits continues within half a second. */
const PROBING = { firstMs: 50, longestMs: 500 };
/** Before what failed is tried again although the store seemed to be back. */
const REPEATING = { firstMs: 50, longestMs: 1000 };
/** A shorter outage ends no claim: they are renewed earlier than that before their end. */
const SHORT_MS = 2000;
/** Every node sees by then that the store is back, and has renewed what it holds. */
const SETTLING_MS = 1000;
/**
 * Between two calls of the listeners. Where one table cannot be read and all else can, what they do at once fails at once, and the probe
 * succeeds: they would ask again and again without a pause. Shorter than the time in which claims are renewed.
 */
const BETWEEN_NOTICES_MS = 500;
/** Of what is to be finished while the runtime shuts down. */
const LAST_TRIES = 3;
/**
 * An outage is over when nothing failed for that long: one that comes and goes is reported once. Longer than a call is tried again before it
 * fails: where a table is locked, faults are that far apart.
 */
const QUIET_MS = 20_000;

interface Episode {
  readonly since: number;
  /** Latest fault, or latest time at which it was found that there are no more. */
  lastAt: number;
}

/**
 * What this node knows about faults of its store. While it is out of reach, or refuses writes, one probe looks for it and
 * all else waits: however many messages and timers there are, the store is asked a few times in a second, and the log has
 * one line when an outage begins and one when it is over.
 */
@Injectable()
export class StoreOutages {
  private readonly logger = new WorkflowLogger('WorkflowStore');
  private readonly listeners: (() => void)[] = [];
  private readonly pauses = new Set<() => void>();
  /** Set while the store is out; true: it is back, false: the runtime shuts down. */
  private probing: Promise<boolean> | undefined;
  private giveUp = (): void => {};
  private outSince = 0;
  private settledAt = -Infinity;
  /** What the log says. */
  private episode: Episode | undefined;
  private cancelQuiet: CancelTimer | undefined;
  private noticedAt = -Infinity;
  private cancelNotice: CancelTimer | undefined;
  private stopped = false;

  constructor(
    private readonly health: StoreHealth,
    private readonly clock: WorkflowClock,
  ) {}

  /** The store failed, and no probe has succeeded since. */
  get isOut(): boolean {
    return this.probing !== undefined;
  }

  /**
   * Work of this node meets faults of the store, and did so within the last seconds: also where the store answers everything else, such as
   * a probe, because one table is locked or larger writes find no room.
   */
  get isFailing(): boolean {
    return this.episode !== undefined;
  }

  /** How long to leave alone what looks abandoned, in milliseconds: its node may be about to say that it lives. */
  get settlesInMs(): number {
    return this.isOut ? Infinity : Math.max(0, this.settledAt - this.clock.monotonic());
  }

  /** Called each time the store is back. */
  onRecovered(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Notes an error of work that used the store. @returns whether it is the store's fault, which is in the log then and needs no line of its own */
  report(error: unknown): boolean {
    if (!isStoreOutage(error)) return false;
    this.note(error);
    this.probing ??= this.startProbing();
    return true;
  }

  /**
   * Repeats a task for as long as it is the store that fails: without limit, each time when the store is back.
   * @param task gets the number of faults so far
   * @throws what the task throws otherwise; a fault of the store only when the runtime shuts down
   */
  async through<T>(task: (faults: number) => Promise<T>): Promise<T> {
    // To wait is to have met a fault: what was known before may not hold any more.
    for (let faults = (await this.probing) === undefined ? 0 : 1; ; faults++) {
      try {
        return await task(faults);
      } catch (error) {
        const isOver = this.report(error) && (await (this.probing ?? true));
        if (!isOver || (this.stopped && faults >= LAST_TRIES)) throw error;
        if (faults > 0) await this.pause(backoffMs(faults - 1, REPEATING));
      }
    }
  }

  /** Ends all waits, because the runtime shuts down. */
  stop(): void {
    this.stopped = true;
    this.cancelQuiet?.();
    this.cancelNotice?.();
    for (const end of this.pauses) end();
    this.giveUp();
  }

  private startProbing(): Promise<boolean> {
    this.outSince = this.clock.monotonic();
    // A store that is silent answers no probe: a shutdown does not wait for it.
    const givenUp = new Promise<boolean>((resolve) => (this.giveUp = () => resolve(false)));
    return Promise.race([this.probe(), givenUp]).then((isBack) => {
      this.probing = undefined;
      if (isBack) this.recovered();
      return isBack;
    });
  }

  private async probe(): Promise<boolean> {
    for (let faults = 0; ; faults++) {
      try {
        await this.health.probe();
        return true;
      } catch {
        // Not in the log: it says the same as the fault that it follows.
      }
      if (!this.stopped) await this.pause(backoffMs(faults, PROBING));
      if (this.stopped) return false;
    }
  }

  private recovered(): void {
    const now = this.clock.monotonic();
    this.settledAt = now - this.outSince < SHORT_MS ? now : now + SETTLING_MS;
    if (this.episode) this.episode.lastAt = now;
    this.notify(now);
    this.awaitQuiet(QUIET_MS);
  }

  private notify(now: number): void {
    const waitMs = this.noticedAt + BETWEEN_NOTICES_MS - now;
    if (waitMs > 0 && !this.stopped) this.cancelNotice ??= this.clock.setTimer(() => this.notifyLate(), waitMs);
    if (waitMs > 0) return;
    this.noticedAt = now;
    for (const listener of this.listeners) listener();
  }

  private notifyLate(): void {
    this.cancelNotice = undefined;
    // Out again: they are notified when that is over.
    if (!this.isOut && !this.stopped) this.notify(this.clock.monotonic());
  }

  private note(error: unknown): void {
    const now = this.clock.monotonic();
    if (this.episode) return void (this.episode.lastAt = now);
    this.episode = { since: now, lastAt: now };
    this.logger.warn(
      `The store failed. Affected work is repeated once the store answers, and is not counted as failed: ${toErrorLike(error).message}`,
    );
  }

  private awaitQuiet(ms: number): void {
    if (!this.stopped) this.cancelQuiet ??= this.clock.setTimer(() => this.onQuiet(), ms, { isPoll: true });
  }

  private onQuiet(): void {
    this.cancelQuiet = undefined;
    if (!this.episode || this.isOut) return;
    const { since, lastAt } = this.episode;
    const left = lastAt + QUIET_MS - this.clock.monotonic();
    if (left > 0) return this.awaitQuiet(left);
    this.episode = undefined;
    this.logger.warn(`The store answers again. It failed for ${Math.ceil((lastAt - since) / 1000)} seconds.`);
  }

  private pause(ms: number): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.pauses.delete(end);
        resolve();
      };
      const cancel = this.clock.setTimer(end, ms);
      this.pauses.add(end);
    });
  }
}
