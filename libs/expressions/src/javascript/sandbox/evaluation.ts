import type { ExpressionScope } from '@waymark/core';
import type { ScriptFunctions } from '../globals/javascript-global.js';
import { type Contents, KeptContents } from '../transfer/kept-contents.js';
import { Deadline } from '../../budget/deadline.js';
import type { Compartment } from './compartment.js';

const MAX_ERRORS = 20;

export interface EvaluationLimits {
  /** From start to result, in milliseconds. */
  readonly timeoutMs: number;
  /** Of one turn, in milliseconds. */
  readonly blockingMs: number;
}

/**
 * One evaluation of one script: running → done, or running → waiting for promises of the host ⇄ running → done.
 */
export class Evaluation {
  /** It has a result or has failed: later results are ignored. */
  isDone = false;
  /** What the promise that the script returned came to, packed. */
  settled: string | undefined;
  /** Why it cannot continue. */
  failure: Error | undefined;
  /** Its own compartment, if it needed one. */
  compartment: Compartment | undefined;
  /** Numbers of the promises of the host that have not come to anything yet. */
  readonly waitingFor = new Set<number>();
  /** Called after each step that followed a promise of the host. */
  onStep: (() => void) | undefined;
  /** Something found no room on its way in or out; what the script got instead is wrong. */
  ranOutOfMemory = false;

  /** Its time was over when it asked the host for something. */
  isLate = false;
  /** Characters that the script handed to the host so far. */
  transferred = 0;
  /** When it has to have its result, as `performance.now()` tells it. */
  deadline: number;
  /** How long the turn may hold the thread in which it runs now. */
  turn: Deadline;
  private kept: KeptContents | undefined;
  private readonly hostErrors = new Map<number, unknown>();
  private errors = 0;
  /** Milliseconds that may still be left out: a script that does nothing but call must come to an end too. */
  private patience: number;

  /** Begins now. */
  constructor(
    readonly scope: ExpressionScope,
    readonly functions: ScriptFunctions | undefined,
    { timeoutMs, blockingMs }: EvaluationLimits,
  ) {
    const begin = performance.now();
    this.deadline = begin + timeoutMs;
    this.turn = new Deadline(blockingMs, begin);
    this.patience = 3 * timeoutMs;
  }

  /** Nothing waits for it any more: it is to end as soon as it can. */
  get isCancelled(): boolean {
    return false;
  }

  /** What of its values stays outside of the sandbox until it is read. */
  get contents(): Contents {
    return (this.kept ??= new KeptContents());
  }

  /** Time that the host needed before it got to a call does not count, up to three times the limit. */
  leaveOut(ms: number): void {
    const left = Math.min(ms, this.patience);
    this.patience -= left;
    this.deadline += left;
    this.turn.leaveOut(left);
  }

  /** Remembers an error of the host of which the script is shown name and message; answers its number. */
  keepError(error: unknown): number {
    this.hostErrors.set(++this.errors, error);
    // A script may cause and catch any number of them.
    this.hostErrors.delete(this.errors - MAX_ERRORS);
    return this.errors;
  }

  /** The error with that number, unless it was long ago. */
  findError(number: number): unknown {
    return this.hostErrors.get(number);
  }
}
