import { type CancelTimer, SystemClock, WorkflowClock } from '@waymark/runtime';
import { fire, PATIENCE_MS, settle, settleWork } from './settle.js';

interface Timer {
  readonly dueAt: number;
  readonly callback: () => unknown;
  cancel: CancelTimer;
}

/**
 * Real time plus an offset that grows when told to: for tests that talk to a running server. Between two advances it runs
 * like any clock. It never goes back.
 */
export class ShiftedClock extends WorkflowClock {
  private readonly system = new SystemClock();
  private readonly timers = new Set<Timer>();
  private offsetMs = 0;
  private moving: Promise<void> = Promise.resolve();

  constructor(private readonly options: { readonly patienceMs?: number } = {}) {
    super();
  }

  now(): number {
    return this.system.now() + this.offsetMs;
  }

  setTimer(callback: () => unknown, delayMs: number): CancelTimer {
    const timer: Timer = { dueAt: this.now() + Math.max(0, delayMs), callback, cancel: () => {} };
    this.timers.add(timer);
    this.arm(timer);
    return () => void this.take(timer);
  }

  /**
   * Moves the time on, stopping at every timer on the way; then everything that became due has been fired, and what it
   * started has been waited for. Rejects with what a callback throws.
   */
  advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`Time can be advanced by 0 or more milliseconds, not by ${ms}.`);
    const moved = this.moving.then(() => this.move(ms));
    this.moving = moved.catch(() => {});
    return moved;
  }

  private async move(ms: number): Promise<void> {
    const target = this.offsetMs + ms;
    await settle();
    try {
      for (let timer = this.earliest(); timer && timer.dueAt <= this.system.now() + target; timer = this.earliest()) {
        this.offsetMs = Math.max(this.offsetMs, timer.dueAt - this.system.now());
        await settleWork(this.fireUntil(timer.dueAt), this.options.patienceMs ?? PATIENCE_MS);
      }
    } finally {
      this.offsetMs = target;
      for (const timer of this.timers) this.arm(timer);
    }
    await settle();
  }

  /** Timers of one moment go off together: what they start runs side by side. */
  private fireUntil(time: number): Promise<unknown> {
    const started: Promise<unknown>[] = [];
    for (const timer of [...this.timers].filter(({ dueAt }) => dueAt <= time)) {
      if (this.take(timer)) started.push(fire(timer.callback));
    }
    return Promise.all(started);
  }

  private earliest(): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.timers) if (!earliest || timer.dueAt < earliest.dueAt) earliest = timer;
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
