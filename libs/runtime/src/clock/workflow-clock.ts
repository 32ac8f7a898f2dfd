import type { Clock } from '@waymark/core';

/** Cancels a timer; harmless when it has fired. */
export type CancelTimer = () => void;

export interface TimerOptions {
  /** True: it only looks whether somebody wrote something without telling. A clock that is moved by a test may leave it out. */
  readonly isPoll?: boolean;
}

/**
 * The one source of time. Nothing else calls `Date.now()` or `setTimeout`, so that tests can move the time, and so that
 * every node measures by the database's clock (W3).
 */
export abstract class WorkflowClock implements Clock {
  abstract now(): number;
  /** Calls back once, not before `delayMs` have passed. Any finite delay is fine: long ones do not overflow. */
  abstract setTimer(callback: () => void, delayMs: number, options?: TimerOptions): CancelTimer;
}
