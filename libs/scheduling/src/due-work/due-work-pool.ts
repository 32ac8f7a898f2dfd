import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { isUnreadableHere, WorkflowLogger } from '@waymark/runtime/adapter';
import type { WorkflowClock } from '@waymark/runtime';
import type { StoreOutages } from '@waymark/runtime/adapter';
import { type DueRow, type DueWork, OccurrenceWaits } from './due-work.js';
import { PlacesOfGroups } from './places-of-groups.js';
import { type FailedFiring, Retries } from './retries.js';
import { UnreadableGroups } from './unreadable-groups.js';

/** Error code of a runtime that is paused or shutting down. */
const NOT_ACCEPTING_WORK = 'WM3005';

/** With so many rows of a group being fired here, looks leave further ones of it to others. */
const FULL_GROUP = 1000;

/**
 * Most rows that wait here for each place, and how long they should wait at most, as estimated from the last firings. Looks begin when half
 * of the rows are through: with one for each place, none waited any more by then, and the places were empty while the node looked.
 */
const WAITING_PER_PLACE = 2;
const LONGEST_WAIT_MS = 250;

/** Pause before the next look, in which due rows accumulate: a look costs as much as firing several rows. */
const GATHERING_MS = 5;

export interface LaneOptions {
  /** Rows fired at the same time; groups of rows, where there are any. */
  readonly concurrency: number;
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
}

/** What a pool tells its runner. */
export interface DueWorkPoolHost {
  /** Returns false if nothing more may be fired. */
  isOpen(): boolean;
  /** Look again at that time. */
  wakeAt(time: number): void;
  /** The runtime takes no work at the moment. */
  refused(): void;
}

interface Fired {
  readonly dueAt: number;
  readonly round: number;
}

/**
 * Fires the due rows of one kind, a limited number at a time.
 *
 * 1. A row that is being fired here is not fired here again.
 * 2. A row that was fired is not fired again because an older look at the store still shows it.
 * 3. A row that failed, or is still due although it was fired, waits: it cannot keep the node busy, nor hold others up.
 * 4. A fault of the store is not a failure of a row: it is looked for again when the store is back.
 *
 * Rows that can be claimed are fired by one node at a time. Others may be fired by two nodes at once: in both cases it is
 * the commit that decides what counts (W2, W4), not the pool.
 */
export class DueWorkPool<Row extends DueRow = DueRow> {
  private readonly logger = new WorkflowLogger('Scheduling');
  private readonly running = new Map<string, Promise<void>>();
  /** How many of each group are being fired here. */
  private readonly groups = new Map<string, number>();
  private readonly unreadable = new UnreadableGroups();
  private readonly places: PlacesOfGroups;
  private readonly retries: Retries;
  /** How many groups may be fired here or wait for it, as of the latest look. */
  private capacity: number;
  /**
   * Moving average of how long a firing takes, in milliseconds. Where that is short, more rows may wait: looks take longer than
   * firing.
   */
  private usualMs = LONGEST_WAIT_MS;
  private readonly fired = new Map<string, Fired>();
  /** Number of the current (or latest) look at the store. */
  private round = 0;
  /** Due rows were left in the store, because there was no free place. */
  private hasMore = false;

  constructor(
    readonly work: DueWork<Row>,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly options: LaneOptions,
    private readonly host: DueWorkPoolHost,
  ) {
    this.places = new PlacesOfGroups(options.concurrency, () => clock.monotonic());
    this.capacity = options.concurrency;
    this.retries = new Retries({ firstMs: options.retryMinMs, longestMs: options.retryMaxMs });
  }

  get pending(): readonly Promise<void>[] {
    return [...this.running.values()];
  }

  get failing(): number {
    return this.retries.size;
  }

  failureOf(row: DueRow): FailedFiring | undefined {
    const found = this.retries.find(row);
    return found && found.attempts > 0 ? found : undefined;
  }

  /** The clock was set: what failed is tried with the next look. */
  endPauses(): void {
    this.retries.endPauses();
    this.unreadable.clear();
  }

  /**
   * Fires what is due.
   * @returns when the next row is, at the latest `until`
   */
  async collect(now: number, until: number): Promise<number> {
    this.round++;
    this.places.lendLong();
    this.capacity = this.usualCapacity();
    const free = this.capacity - this.taken;
    // `refill` looks again when half of the places are free.
    this.hasMore = free <= 0;
    if (this.hasMore) return until;
    const running = [...this.running.keys()];
    const held = running.length + this.retries.size;
    const fullGroups = [...this.groups].flatMap(([group, count]) => (count >= FULL_GROUP ? [group] : []));
    this.unreadable.endPauses(now);
    const leftGroups = [...fullGroups, ...this.unreadable.names];
    const look = {
      now: new Date(now),
      until: new Date(until),
      free,
      held,
      running,
      failed: this.retries.failed,
      fullGroups: leftGroups,
    };
    const askedAt = this.clock.monotonic();
    const found = await this.work.find(look);
    const { rows, hasMore, nextAt, decidedAt = look.now } = found;
    // Not where it is only the time of this node again.
    if (decidedAt.getTime() !== now) this.clock.heard(decidedAt.getTime(), askedAt);
    if (!this.host.isOpen()) {
      await Promise.all(rows.map((row) => this.giveBack(row, now)));
      return until;
    }
    this.hasMore = hasMore;
    // The store decides what is due; this node's clock, which may be some milliseconds off, measures how long to wait.
    const at = decidedAt.getTime();
    const wakeTime = (time: number): number => now + (time - at);
    let next = Math.min(until, nextAt ? wakeTime(nextAt.getTime()) : until, this.unreadable.firstAt);
    let launched = 0;
    for (const row of rows) {
      const readyAt = this.readyAt(row, at);
      if (readyAt > at) {
        next = Math.min(next, wakeTime(readyAt));
        // Such a row was given back for other nodes while this look was under way.
        await this.giveBack(row, this.unreadable.has(this.groupOf(row)) ? at : Math.min(readyAt, until));
      } else if (this.running.has(row.id)) this.hasMore = true;
      else if (!this.hasPlaceFor(row)) {
        this.hasMore = true;
        await this.giveBack(row, at);
      } else {
        this.launch(row);
        launched++;
      }
    }
    this.forget(rows, now);
    // Rows of one group share a place, so some places may still be free.
    const isWorthwhile = this.running.size === 0 || (launched > free && this.taken < this.capacity);
    if (this.hasMore && isWorthwhile) return now;
    return launched > 0 && this.work.mayWait ? Math.max(next, now + GATHERING_MS) : next;
  }

  /** Groups that have a place, or wait for one. */
  private get taken(): number {
    return this.groups.size - this.places.lent;
  }

  private groupOf(row: Row): string {
    return this.work.groupOf?.(row) ?? row.id;
  }

  private usualCapacity(): number {
    const { concurrency } = this.options;
    if (!this.work.mayWait) return concurrency;
    // Without a step: a busy database makes firings longer, and with fewer at a time they share fewer transactions, which makes it busier.
    const waiting = Math.min(WAITING_PER_PLACE, LONGEST_WAIT_MS / this.usualMs);
    return concurrency + Math.floor(concurrency * waiting);
  }

  private hasPlaceFor(row: Row): boolean {
    return this.taken < this.capacity || this.groups.has(this.groupOf(row));
  }

  /** Infinity for a row that this node has just fired. */
  private readyAt(row: Row, now: number): number {
    const dueAt = row.dueAt.getTime();
    const fired = this.fired.get(row.id);
    if (fired?.dueAt === dueAt) {
      if (fired.round === this.round) return Infinity;
      this.fired.delete(row.id);
      this.fail(row, now, new Error('It is still due although it was fired.'));
    }
    return Math.max(dueAt, this.retries.find(row)?.notBefore ?? dueAt);
  }

  private launch(row: Row): void {
    const group = this.groupOf(row);
    this.groups.set(group, (this.groups.get(group) ?? 0) + 1);
    const firing = this.inPlace(group, row).finally(() => {
      this.running.delete(row.id);
      const left = this.groups.get(group)! - 1;
      if (left > 0) this.groups.set(group, left);
      else this.groups.delete(group);
      this.refill();
    });
    this.running.set(row.id, firing);
  }

  private async inPlace(group: string, row: Row): Promise<void> {
    const place = this.places.enter(group);
    if (place) await place;
    const begin = performance.now();
    try {
      // The runner was stopped in the meantime.
      if (place && !this.host.isOpen()) await this.giveBack(row, this.clock.now());
      else await this.fire(row);
    } finally {
      this.places.leave(group);
      this.usualMs += (performance.now() - begin - this.usualMs) / 8;
    }
  }

  private async fire(row: Row): Promise<void> {
    try {
      const nextDueAt = await this.work.fire(row);
      // Its failures are forgotten when it is seen not to be due any more: if it still is, the pauses must go on growing.
      this.fired.set(row.id, { dueAt: row.dueAt.getTime(), round: this.round });
      if (nextDueAt) this.host.wakeAt(nextDueAt.getTime());
    } catch (error) {
      // Not given back: the store cannot be reached. The next look finds the claim.
      if (this.outages.report(error))
        return this.host.wakeAt(this.retries.interrupt(row, this.clock.now(), error).notBefore);
      if (error instanceof OccurrenceWaits)
        return this.host.wakeAt(this.retries.interrupt(row, this.clock.now(), error).notBefore);
      const isRefused = isWaymarkError(error, NOT_ACCEPTING_WORK);
      const again = isRefused ? this.clock.now() : this.fail(row, this.clock.now(), error);
      await this.giveBack(row, this.leaves(row, error, again) ? this.clock.now() : again);
      if (isRefused) this.host.refused();
      else this.host.wakeAt(again);
    }
  }

  /**
   * What this node cannot read, another one may: of a newer build, or with the key. Only this one is to wait, since a claim that is given back
   * for later keeps it from all.
   * @returns false where looks cannot leave it out
   */
  private leaves(row: Row, error: unknown, notBefore: number): boolean {
    const group = this.work.groupOf?.(row);
    return group !== undefined && isUnreadableHere(error) && this.unreadable.leave(group, notBefore);
  }

  private async giveBack(row: Row, availableAt: number): Promise<void> {
    try {
      await this.work.giveBack?.(row, new Date(availableAt));
    } catch (error) {
      // It is found again by the first look after an outage, else when its claim ends.
      if (!this.outages.report(error))
        this.logger.warn(`${this.work.describe(row)} could not be released: ${toErrorLike(error).message}`);
    }
  }

  /** @returns when it may be tried again */
  private fail(row: Row, now: number, error: unknown): number {
    const { attempts, notBefore, log } = this.retries.add(row, now, error);
    // Left to nodes that have the code; `MissingCode` logs it, once.
    if (log === undefined || isWaymarkError(error, 'WM2040')) return notBefore;
    const { message, stack = message } = toErrorLike(error);
    this.logger.warn(
      `Firing ${this.work.describe(row)}, due ${row.dueAt.toISOString()}, failed (attempt ${attempts}); ` +
        `retrying at ${new Date(notBefore).toISOString()}: ${log === 'whole' ? stack : message}`,
    );
    return notBefore;
  }

  /** Half of the places free: worth another look at the store. */
  private refill(): void {
    if (!this.hasMore || this.taken > this.capacity / 2) return;
    this.hasMore = false;
    this.host.wakeAt(this.clock.now());
  }

  private forget(rows: readonly Row[], now: number): void {
    // What is not among them may be one of those for which there was no place.
    if (!this.hasMore) this.retries.keepOnly(new Set(rows.map((row) => row.id)), now);
    for (const [id, { round }] of this.fired) if (round < this.round) this.fired.delete(id);
  }
}
