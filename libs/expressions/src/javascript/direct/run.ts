import type { ExpressionScope } from '@waymark/core';
import { bailOut } from './bail-out.js';

/**
 * What one evaluation may handle: characters and members, read, built and answered, counted together. It is far below
 * what fits into the smallest sandbox, so a script that needs more meets the limits there.
 */
const BUDGET = 50_000;

/**
 * Calls of the host after which the time is looked at, and the milliseconds that the following ones may take. What a call costs is known to
 * the host alone: it may look through all activities of a workflow, once for each element of a list.
 */
const UNTIMED_CALLS = 4;
const HOST_MS = 10;

/** Of scripts without constants, most of all: nothing is written there. */
const NO_LOCALS: unknown[] = [];

/** One direct evaluation. */
export class Run {
  /** Values of `const` and `let`, by slot. */
  readonly locals: unknown[];
  private budget = BUDGET;
  private calls = 0;
  private timedSince = 0;

  constructor(
    readonly scope: ExpressionScope,
    hasLocals: boolean,
  ) {
    this.locals = hasLocals ? [] : NO_LOCALS;
  }

  spend(count: number): void {
    this.budget -= count;
    if (this.budget < 0) bailOut();
  }

  /** Before each call of the host: the sandbox, which has a time limit, takes over when they take long. */
  callHost(): void {
    if (++this.calls >= UNTIMED_CALLS) this.lookAtTime();
  }

  /** Apart: so the compiler puts the common way into the evaluation. */
  private lookAtTime(): void {
    const now = performance.now();
    if (this.calls === UNTIMED_CALLS) this.timedSince = now;
    else if (now - this.timedSince > HOST_MS) bailOut();
  }
}
