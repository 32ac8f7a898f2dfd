import type { ExpressionScope } from '@waymark/core';
import { bailOut } from './bail-out.js';

/**
 * What one evaluation may handle: characters and members, read, built and answered, counted together. It is far below
 * what fits into the smallest sandbox, so a script that needs more meets the limits there.
 */
const BUDGET = 50_000;

/** One direct evaluation. */
export class Run {
  /** Values of `const` and `let`, by slot. */
  readonly locals: unknown[] = [];
  private budget = BUDGET;

  constructor(readonly scope: ExpressionScope) {}

  spend(count: number): void {
    this.budget -= count;
    if (this.budget < 0) bailOut();
  }
}
