import type { ExpressionScope } from '@waymark/core';
import { Evaluation, type EvaluationLimits } from '../sandbox/evaluation.js';
import type { Packed } from '../transfer/pack.js';
import { cancelPlace } from './messages.js';
import { HostErrorNumber } from './wire-error.js';

/** Errors that were made in the thread are counted from here on: those of the main thread are counted from 1. */
const FIRST_OWN_ERROR = 2 ** 31;

/** One evaluation in a thread: its scope is on the main thread. */
export class ThreadEvaluation extends Evaluation {
  private readonly promises = new Map<number, (value: Packed) => void>();

  constructor(
    readonly job: number,
    functions: readonly string[] | undefined,
    limits: EvaluationLimits,
    private readonly control: Int32Array<SharedArrayBuffer>,
    private readonly controller = new AbortController(),
  ) {
    // Of the scope nothing else is asked for here, and functions are called on the main thread.
    const scope = { signal: controller.signal } as ExpressionScope;
    super(scope, functions && Object.fromEntries(functions.map((name) => [name, () => undefined])), limits);
  }

  override get isCancelled(): boolean {
    return Atomics.load(this.control, cancelPlace(this.job)) === this.job;
  }

  cancel(): void {
    this.controller.abort();
  }

  override keepError(error: unknown): number {
    return FIRST_OWN_ERROR + super.keepError(error);
  }

  override findError(number: number): unknown {
    return number < FIRST_OWN_ERROR ? new HostErrorNumber(number) : super.findError(number - FIRST_OWN_ERROR);
  }

  /** A promise of the host, by its number there. */
  promiseOf(number: number): Promise<Packed> {
    return new Promise((resolve) => this.promises.set(number, resolve));
  }

  settle(number: number, value: Packed): void {
    this.promises.get(number)?.(value);
    this.promises.delete(number);
  }
}
