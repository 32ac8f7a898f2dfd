import { WaymarkError } from '@waymark/core';
import type { CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';

/**
 * How long the body of a request may take to arrive.
 * @internal
 */
export interface BodyDeadline {
  /** Measures the time. */
  readonly clock: WorkflowClock;
  /** Longest time without data, in milliseconds. */
  readonly idleMs: number;
  /** Longest time for the whole body, in milliseconds. */
  readonly totalMs: number;
  /** Calls back when the host shuts down, at once if it does so already: see `RuntimeGate`. Then a body has a second to arrive. */
  readonly whenDraining?: (listener: (refusal: WaymarkError) => void) => () => void;
}

/**
 * How long a body may still arrive while the host shuts down. What would be done with it is refused by then, and a client that is slow, or
 * pretends to be, would hold the shutdown until its end.
 */
const DRAINING_MS = 1000;

/** Thrown when the body of a request does not arrive in time. */
export class BodyTimeoutError extends WaymarkError {
  readonly code = 'WM5064';
  constructor(limitMs: number, isIdle: boolean) {
    super(
      isIdle
        ? `No data of the body arrived for ${limitMs} ms. Nothing was started or resumed: send it again without pauses.`
        : `The body did not arrive within ${limitMs} ms. Nothing was started or resumed: send less, or over a faster connection.`,
    );
  }
}

/**
 * Ends the reading of a body that takes too long. Uses one timer for all chunks.
 * @internal
 */
export class DeadlineTimer {
  private readonly startedAt: number;
  private touchedAt: number;
  private isHeld = false;
  private cancel: CancelTimer | undefined;
  private cancelDraining: CancelTimer | undefined;
  private readonly stopListening: (() => void) | undefined;

  constructor(
    private readonly deadline: BodyDeadline,
    private readonly onOver: (error: WaymarkError) => void,
  ) {
    this.startedAt = this.touchedAt = deadline.clock.monotonic();
    this.arm(this.startedAt);
    this.stopListening = deadline.whenDraining?.((refusal) => {
      this.cancelDraining = deadline.clock.setTimer(() => onOver(refusal), DRAINING_MS);
    });
  }

  /** Data has arrived. */
  touch(): void {
    this.isHeld = false;
    this.touchedAt = this.deadline.clock.monotonic();
  }

  /** The source is paused: until the next `touch` no time without data counts. */
  hold(): void {
    this.isHeld = true;
  }

  stop(): void {
    this.cancel?.();
    this.cancelDraining?.();
    this.stopListening?.();
  }

  private look(): void {
    const { clock, idleMs, totalMs } = this.deadline;
    const now = clock.monotonic();
    if (this.isHeld) this.touchedAt = now;
    if (now - this.startedAt >= totalMs) this.onOver(new BodyTimeoutError(totalMs, false));
    else if (now - this.touchedAt >= idleMs) this.onOver(new BodyTimeoutError(idleMs, true));
    else this.arm(now);
  }

  private arm(now: number): void {
    const { clock, idleMs, totalMs } = this.deadline;
    const next = Math.min(this.touchedAt + idleMs, this.startedAt + totalMs);
    this.cancel = clock.setTimer(() => this.look(), Math.max(1, next - now));
  }
}
