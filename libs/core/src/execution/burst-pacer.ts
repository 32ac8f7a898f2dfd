import type { WorkflowExecutionContext } from './workflow-execution-context.js';

// Other work of the process gets a chance after so much time, or so many turns if the clock stands still.
const MILLIS_BETWEEN_YIELDS = 5;
const TURNS_BETWEEN_YIELDS = 5000;
/** A power of two. */
const TURNS_BETWEEN_CHECKS = 16;

/** How far a burst has come, and when it let others work last. */
export class BurstPacer {
  turns = 0;
  private yieldedAfter = 0;

  constructor(private yieldedAt: number) {}

  /** Counts a turn. @returns whether it is time for others */
  next(wec: WorkflowExecutionContext): boolean {
    return (++this.turns & (TURNS_BETWEEN_CHECKS - 1)) === 0 && this.isYieldDue(wec.time);
  }

  private isYieldDue(now: number): boolean {
    const millis = now - this.yieldedAt;
    // A clock may be set back.
    const isDue =
      millis >= MILLIS_BETWEEN_YIELDS || millis < 0 || this.turns - this.yieldedAfter >= TURNS_BETWEEN_YIELDS;
    if (isDue) {
      this.yieldedAfter = this.turns;
      this.yieldedAt = now;
    }
    return isDue;
  }
}
