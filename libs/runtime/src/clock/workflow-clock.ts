import type { Clock } from '@waymark/core';

/** Cancels a timer; harmless when it has fired. */
export type CancelTimer = () => void;

/** How a timer of the clock behaves. */
export interface TimerOptions {
  /** True: it only looks whether something was written without an announcement. A clock that is moved by a test may leave it out. */
  readonly isPoll?: boolean;
}

/**
 * The one source of time. Nothing else calls `Date.now()` or `setTimeout`, so that tests can move the time, and so that
 * every node measures by the database's clock (W3).
 */
export abstract class WorkflowClock implements Clock {
  /** The time, in milliseconds since 1970. */
  abstract now(): number;
  /** Calls back once, not before `delayMs` have passed. Any finite delay is fine: long ones do not overflow. */
  abstract setTimer(callback: () => void, delayMs: number, options?: TimerOptions): CancelTimer;

  /**
   * The time by which a store is to decide what is due, and when a claim ends. Undefined: by its own, which this clock
   * follows, so that a node whose clock is wrong takes nothing too early (W3). A clock that is moved by a test says its own.
   */
  storeTime(): Date | undefined {
    return new Date(this.now());
  }
}
