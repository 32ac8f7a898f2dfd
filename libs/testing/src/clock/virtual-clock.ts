import { type CancelTimer, type TimerOptions, WorkflowClock } from '@waymark/runtime';
import { fire, PATIENCE_MS, settle, settleWork } from './settle.js';

interface Timer {
  readonly dueAt: number;
  /** Decides between equal times: first set, first fired. */
  readonly order: number;
  readonly callback: () => unknown;
  readonly isPoll: boolean;
}

/** Options of a virtual clock. */
export interface VirtualClockOptions {
  /** Real milliseconds to wait for work that a timer started, before time moves on. @default 1000 */
  readonly patienceMs?: number;
}

/**
 * A clock that stands still until it is moved, so that tests need not sleep:
 *
 * ```ts
 * const clock = new VirtualClock('2026-03-29T00:00:00Z');
 * await clock.advance(60_000); // fires the timers of that minute, one after the other, each at its own time
 * ```
 *
 * A timer's callback may return a promise: time waits for it. Work that a callback starts without returning it gets a
 * few turns of the event loop. A timer that a callback sets for this very moment goes off next.
 */
export class VirtualClock extends WorkflowClock {
  private time: number;
  private timers: Timer[] = [];
  private setCount = 0;
  private moving: Promise<void> = Promise.resolve();
  private readonly patienceMs: number;

  /** @param start @default 2026-01-01T00:00:00Z */
  constructor(start: Date | string | number = '2026-01-01T00:00:00Z', options: VirtualClockOptions = {}) {
    super();
    this.time = toTime(start);
    this.patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  /** The time, in milliseconds since 1970. */
  now(): number {
    return this.time;
  }

  /** Times of the timers that are set, earliest first. */
  get pending(): readonly Date[] {
    return this.timers.map((timer) => new Date(timer.dueAt));
  }

  /** Time of the next timer that does more than look whether something was written; undefined when there is none. */
  get nextWork(): number | undefined {
    return this.timers.find(({ isPoll }) => !isPoll)?.dueAt;
  }

  /** Calls back once the clock was advanced by that time, in milliseconds. */
  setTimer(callback: () => unknown, delayMs: number, { isPoll = false }: TimerOptions = {}): CancelTimer {
    const timer: Timer = { dueAt: this.time + Math.max(0, delayMs), order: this.setCount++, callback, isPoll };
    const index = this.timers.findLastIndex((other) => other.dueAt <= timer.dueAt);
    this.timers.splice(index + 1, 0, timer);
    return () => void this.take(timer);
  }

  /** Moves the time on, stopping at every timer on the way. Rejects with what a callback throws. */
  advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`Time can be advanced by 0 or more milliseconds, not by ${ms}; see setTime.`);
    return this.move(async () => {
      const target = this.time + ms;
      await this.fireUntil(target, (timer) => Math.max(this.time, timer.dueAt));
      this.time = target;
    });
  }

  /**
   * Jumps there, forwards or backwards, like a machine that was suspended: the timers that are over by then fire late, at
   * the new time.
   */
  setTime(time: Date | string | number): Promise<void> {
    return this.move(async () => {
      this.time = toTime(time);
      await this.fireUntil(this.time, () => this.time);
    });
  }

  private move(task: () => Promise<void>): Promise<void> {
    const moved = this.moving.then(async () => {
      await settle();
      await task();
      await settle();
    });
    this.moving = moved.catch(() => {});
    return moved;
  }

  private async fireUntil(target: number, timeOf: (timer: Timer) => number): Promise<void> {
    for (let [timer] = this.timers; timer && timer.dueAt <= target; [timer] = this.timers) {
      this.time = timeOf(timer);
      await settleWork(this.fireDue(), this.patienceMs);
    }
  }

  /** Timers of one moment go off together: what they start runs side by side, as it would in real time. */
  private fireDue(): Promise<unknown> {
    const started: Promise<unknown>[] = [];
    for (const timer of this.timers.filter(({ dueAt }) => dueAt <= this.time)) {
      if (this.take(timer)) started.push(fire(timer.callback));
    }
    return Promise.all(started);
  }

  /** False when it is not set any more. */
  private take(timer: Timer): boolean {
    const index = this.timers.indexOf(timer);
    if (index >= 0) this.timers.splice(index, 1);
    return index >= 0;
  }
}

function toTime(value: Date | string | number): number {
  const time = new Date(value).getTime();
  if (Number.isNaN(time)) throw new RangeError(`'${String(value)}' is not a time.`);
  return time;
}
