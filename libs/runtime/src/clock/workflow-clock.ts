import type { Clock } from '@waymark/core';

/** Cancels a timer. Has no effect if it has fired. */
export type CancelTimer = () => void;

/** How a timer of the clock behaves. */
export interface TimerOptions {
  /**
   * If true, the timer only polls for rows that were written without an announcement. A clock that is moved by a test may
   * ignore it.
   */
  readonly isPoll?: boolean;
  /**
   * If false, the timer does not keep the process from ending when nothing else does: it only limits a wait. A clock that is moved by a test
   * may ignore it. @default true
   */
  readonly holdsProcess?: boolean;
}

/**
 * The only source of time. Nothing else calls `Date.now()` or `setTimeout`, so that tests can move the time, and so that every
 * node uses the database's clock (W3).
 */
export abstract class WorkflowClock implements Clock {
  /** The time, in milliseconds since 1970. */
  abstract now(): number;
  /** Calls back once, when `delayMs` have passed. Any finite delay is allowed: long ones do not overflow. */
  abstract setTimer(callback: () => void, delayMs: number, options?: TimerOptions): CancelTimer;

  /**
   * Milliseconds since an arbitrary moment, to measure how long something took or may take. Unlike `now()` it is never set: a
   * store that is moved to a server whose clock is an hour behind takes `now()` back by an hour, and a pause that was to end in
   * a second would take as long. It may stand still while the machine is suspended. By default `now()`, for clocks that are not
   * set.
   */
  monotonic(): number {
    return this.now();
  }

  /**
   * Calls back each time that `now()` was set, so that times computed before can be corrected. By default it never calls back.
   * @returns a function that ends the callbacks
   */
  whenSet(_listener: () => void): () => void {
    return () => {};
  }

  /**
   * Receives a time that an answer of the store contained. A clock that follows the store notices by it that the clock of the
   * store was set. By default it does nothing.
   * @param _time in milliseconds since 1970
   * @param _askedAt when it was asked for, as `monotonic()` said
   */
  heard(_time: number, _askedAt: number): void {}

  /**
   * The time by which a store decides what is due and when a claim ends. Undefined if the store uses its own time, which this
   * clock follows, so that a node whose clock is wrong takes nothing too early (W3). A clock that is moved by tests returns its
   * own time.
   */
  storeTime(): Date | undefined {
    return new Date(this.now());
  }
}
