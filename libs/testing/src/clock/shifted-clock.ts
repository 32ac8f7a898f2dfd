import { type CancelTimer, type TimerOptions, WorkflowClock } from '@waymark/runtime';
import { SystemClock } from '@waymark/runtime/adapter';
import { fire, PATIENCE_MS, settle, settleWork } from './settle.js';

interface Timer {
  readonly dueAt: number;
  readonly callback: () => unknown;
  readonly isPoll: boolean;
  cancel: CancelTimer;
}

/** What an application does besides waiting for its timers. */
export interface StoredWork {
  /** Does what polls would do now, and resolves when the application has come to rest. */
  rest(): Promise<unknown>;
  /** The next time, `until` at most, at which something stored is due. A time that is over: it is waited for with polls. */
  nextDue(until: number): Promise<number | undefined>;
}

/** For an application that was busy at the last stop, perhaps because it waits for a time to come. */
const STILL_BUSY_PATIENCE_MS = 20;

/**
 * Real time plus an offset that `advance` increases, for tests that use a running server. Between two advances it runs like any
 * clock, and never backwards.
 */
export class ShiftedClock extends WorkflowClock {
  private readonly system = new SystemClock();
  private readonly timers = new Set<Timer>();
  private offsetMs = 0;
  private moving: Promise<void> = Promise.resolve();
  private resting: Promise<unknown> | undefined;

  constructor(private readonly options: { readonly patienceMs?: number } = {}) {
    super();
  }

  /** The time, in milliseconds since 1970. */
  now(): number {
    return this.system.now() + this.offsetMs;
  }

  /** Calls back after that time, in milliseconds of this clock. */
  setTimer(callback: () => unknown, delayMs: number, { isPoll = false }: TimerOptions = {}): CancelTimer {
    const timer: Timer = { dueAt: this.now() + Math.max(0, delayMs), callback, isPoll, cancel: () => {} };
    this.timers.add(timer);
    this.arm(timer);
    return () => void this.take(timer);
  }

  /**
   * Moves the time on, stopping at every timer on the way; then everything that became due has been fired, and what it
   * started has been waited for. Rejects with what a callback throws.
   * @param work what is stored and due. Given, time jumps over polls, which fire late, once at each stop: a month costs what
   * happens in it
   */
  advance(ms: number, work?: StoredWork): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`Time can be advanced by 0 or more milliseconds, not by ${ms}.`);
    const moved = this.moving.then(() => this.move(ms, work));
    this.moving = moved.catch(() => {});
    return moved;
  }

  private async move(ms: number, work: StoredWork | undefined): Promise<void> {
    const target = this.offsetMs + ms;
    await settle();
    try {
      for (;;) {
        const stop = await this.nextStop(target, work);
        if (stop === undefined) break;
        await this.stopAt(stop);
      }
      if (work) {
        await this.stopAt(this.system.now() + target);
        await this.rest(work);
      }
    } finally {
      this.offsetMs = target;
      for (const timer of this.timers) this.arm(timer);
    }
    await settle();
  }

  private async stopAt(time: number): Promise<void> {
    this.offsetMs = Math.max(this.offsetMs, time - this.system.now());
    await settleWork(this.fireUntil(time), this.options.patienceMs ?? PATIENCE_MS);
  }

  /** `undefined`: nothing more on the way to that offset. */
  private async nextStop(target: number, work: StoredWork | undefined): Promise<number | undefined> {
    let time: number;
    if (work) {
      await this.rest(work);
      const due = await work.nextDue(this.system.now() + target);
      const areAwaited = due !== undefined && due <= this.now();
      time = Math.min(this.earliest(areAwaited), areAwaited ? Infinity : (due ?? Infinity));
    } else time = this.earliest(true);
    return time <= this.system.now() + target ? time : undefined;
  }

  private async rest(work: StoredWork): Promise<void> {
    const patienceMs = this.resting ? STILL_BUSY_PATIENCE_MS : (this.options.patienceMs ?? PATIENCE_MS);
    this.resting ??= work.rest().finally(() => (this.resting = undefined));
    await settleWork(this.resting, patienceMs);
  }

  /** Timers of one moment go off together: what they start runs side by side. */
  private fireUntil(time: number): Promise<unknown> {
    const started: Promise<unknown>[] = [];
    for (const timer of [...this.timers].filter(({ dueAt }) => dueAt <= time)) {
      if (this.take(timer)) started.push(fire(timer.callback));
    }
    return Promise.all(started);
  }

  private earliest(withPolls: boolean): number {
    let earliest = Infinity;
    for (const { dueAt, isPoll } of this.timers) if (withPolls || !isPoll) earliest = Math.min(earliest, dueAt);
    return earliest;
  }

  /** Sets the real timer, or sets it anew after the offset has changed. */
  private arm(timer: Timer): void {
    timer.cancel();
    timer.cancel = this.system.setTimer(() => {
      if (this.timers.delete(timer)) timer.callback();
    }, timer.dueAt - this.now());
  }

  /** False when it is not set any more. */
  private take(timer: Timer): boolean {
    timer.cancel();
    return this.timers.delete(timer);
  }
}
