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
   * Milliseconds since any moment: for how long something took, or may take. Unlike `now()` it is never set: a store that is moved to a
   * server whose clock is an hour behind takes `now()` back by an hour, and a pause that was to end in a second would take as long.
   * It may stand still while the machine is suspended. By default `now()`, for clocks that are not set.
   */
  monotonic(): number {
    return this.now();
  }

  /**
   * Calls back each time that `now()` was set, for times that were reckoned by what it was before. By default never.
   * @returns ends that
   */
  whenSet(_listener: () => void): () => void {
    return () => {};
  }

  /**
   * Takes note of a time that the store gave by the way. A clock that follows the store finds out by it that the store's was set.
   * By default nothing happens.
   * @param _time in milliseconds since 1970
   * @param _askedAt when it was asked for, as `monotonic()` said
   */
  heard(_time: number, _askedAt: number): void {}

  /**
   * The time by which a store is to decide what is due, and when a claim ends. Undefined: by its own, which this clock
   * follows, so that a node whose clock is wrong takes nothing too early (W3). A clock that is moved by a test says its own.
   */
  storeTime(): Date | undefined {
    return new Date(this.now());
  }
}
