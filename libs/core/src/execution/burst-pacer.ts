import type { WorkflowExecutionContext } from './workflow-execution-context.js';

// Other work of the process gets a chance after so much time, or so many turns if the clock stands still.
const MILLIS_BETWEEN_YIELDS = 5;
const TURNS_BETWEEN_YIELDS = 5000;
/** Activities that were quick so far are followed by so many before the clock is read again: reading it costs half a step. */
const QUICK_TURNS = 4;
/** An activity that takes longer is not quick. */
const QUICK_MILLIS = 0.25;

/** How far a burst has come, and when it let others work last. */
export class BurstPacer {
  turns = 0;
  private yieldedAfter = 0;
  private looksAfter = 1;
  private lookedAt: number;

  constructor(private yieldedAt: number) {
    this.lookedAt = yieldedAt;
  }

  /** Counts a turn. @returns whether it is time for others */
  next(wec: WorkflowExecutionContext): boolean {
    return ++this.turns >= this.looksAfter || wec.hasTakenTime ? this.look(wec) : false;
  }

  private look(wec: WorkflowExecutionContext): boolean {
    wec.hasTakenTime = false;
    const now = wec.time;
    // Soon again, as one script may take longer than all else: fifteen of them would keep others waiting for seconds.
    this.looksAfter = this.turns + (now - this.lookedAt < QUICK_MILLIS ? QUICK_TURNS : 1);
    this.lookedAt = now;
    return this.isYieldDue(now);
  }

  /** After what was waited for. @returns whether it is time for others */
  hasWaited(now: number): boolean {
    this.lookedAt = now;
    return this.isYieldDue(now);
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
