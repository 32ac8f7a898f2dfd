import { AsyncResource } from 'node:async_hooks';
import type { Evaluation } from '../sandbox/evaluation.js';

/** One evaluation of one script: in the line → running in a thread ⇄ waiting there for the host → over. */
export class Job extends AsyncResource {
  /** It has its value or its error: what its script still asks for is refused. */
  isOver = false;
  private stopListening: (() => void) | undefined;

  constructor(
    readonly number: number,
    readonly source: string,
    readonly evaluation: Evaluation,
    private readonly resolve: (value: unknown) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    // Functions of the host are called from messages of a thread, but belong to what evaluates the script.
    super('WAYMARK_SCRIPT');
  }

  /** What is to be done, wherever the job is, when the burst is cancelled. */
  onAbort: (() => void) | undefined;

  listen(): void {
    const { signal } = this.evaluation.scope;
    if (!signal) return;
    const abort = (): void => {
      this.fail(signal.reason);
      this.onAbort?.();
    };
    signal.addEventListener('abort', abort);
    this.stopListening = () => signal.removeEventListener('abort', abort);
  }

  finish(makeValue: () => unknown): void {
    if (this.isOver) return;
    this.end();
    try {
      this.resolve(makeValue());
    } catch (error) {
      this.reject(error);
    }
  }

  fail(error: unknown): void {
    if (this.isOver) return;
    this.end();
    this.reject(error);
  }

  private end(): void {
    this.isOver = true;
    this.evaluation.isDone = true;
    this.stopListening?.();
  }
}
