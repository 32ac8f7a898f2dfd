import type { WaymarkError } from '@waymark/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { DeadlineTimer } from './body-deadline.js';

const HOUR = 3_600_000;

/** Of a node that follows a store, whose clock is set. */
class FollowingClock extends WorkflowClock {
  passedMs = 0;
  aheadMs = 0;
  private timers: { readonly at: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.passedMs + this.aheadMs;
  }

  override monotonic(): number {
    return this.passedMs;
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    const timer = { at: this.passedMs + delayMs, callback };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((other) => other !== timer));
  }

  pass(ms: number): void {
    for (const end = this.passedMs + ms; this.passedMs < end;) {
      this.passedMs++;
      const due = this.timers.filter(({ at }) => at <= this.passedMs);
      this.timers = this.timers.filter((timer) => !due.includes(timer));
      for (const { callback } of due) callback();
    }
  }
}

it.each([HOUR, -HOUR])(
  'the time limit of a body is not affected when the clock of the store is set by %d ms',
  (byMs) => {
    const clock = new FollowingClock();
    const errors: WaymarkError[] = [];
    const timer = new DeadlineTimer({ clock, idleMs: 1000, totalMs: 5000 }, (error) => errors.push(error));
    clock.pass(500);
    clock.aheadMs = byMs;
    timer.touch();
    clock.pass(999);
    expect(errors).toEqual([]);
    clock.pass(1);
    expect(errors.map(({ code }) => code)).toEqual(['WM5064']);
  },
);
