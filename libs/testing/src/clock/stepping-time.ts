import type { TimeSources } from '@waymark/runtime/adapter';

/**
 * The clocks of a machine whose wall clock is set while it runs (NTP, a resumed virtual machine), as `SystemClock` reads
 * them. Real time continues by itself.
 *
 * ```ts
 * const time = new SteppingTime();
 * WorkflowModule.forRoot({ clock: new SystemClock(time), … });
 * time.stepWall(11 * 60_000); // from now on, this process's wall clock is 11 minutes ahead
 * ```
 */
export class SteppingTime implements TimeSources {
  private wallAheadMs = 0;

  /** Wall clock, in milliseconds since 1970. */
  wall(): number {
    return Date.now() + this.wallAheadMs;
  }

  /** Monotonic clock, in milliseconds. */
  monotonic(): number {
    return performance.now();
  }

  /** Sets the wall clock forwards by that many milliseconds, or backwards by a negative number; the steps add up. */
  stepWall(ms: number): void {
    this.wallAheadMs += ms;
  }
}
