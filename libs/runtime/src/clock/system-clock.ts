import { WorkflowClock, type CancelTimer } from './workflow-clock.js';

/** Node's timers overflow past 2^31-1 ms and then fire at once; longer delays are waited for in steps. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The process's clock, corrected by an offset to the time of the store. */
export class SystemClock extends WorkflowClock {
  private offsetMs = 0;

  now(): number {
    return Date.now() + this.offsetMs;
  }

  /**
   * Makes `now()` show the time of another clock, such as the database's. Half of the round trip is taken off: on a slow
   * connection the answer is old when it arrives.
   * @param read its time in milliseconds; undefined: it has none, and the system's time stays
   */
  async follow(read: () => Promise<number | undefined>): Promise<void> {
    const asked = Date.now();
    const reference = await read();
    const answered = Date.now();
    if (reference !== undefined) this.offsetMs = reference - (asked + answered) / 2;
  }

  setTimer(callback: () => void, delayMs: number): CancelTimer {
    let remaining = Math.max(0, delayMs);
    let handle: NodeJS.Timeout;
    const arm = () => {
      const step = Math.min(remaining, LONGEST_TIMER_MS);
      remaining -= step;
      handle = setTimeout(() => (remaining > 0 ? arm() : callback()), step);
    };
    arm();
    return () => clearTimeout(handle);
  }
}
