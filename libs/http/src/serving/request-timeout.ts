import { toMilliseconds } from '@waymark/core/adapter';
import type { WorkflowClock } from '@waymark/runtime';

/** Why a burst was aborted whose endpoint allows only so much time. */
class RequestTimeoutError extends Error {
  override readonly name = 'TimeoutError';
  constructor(readonly timeoutMs: number) {
    super(`The request was not served within the ${timeoutMs} ms that its endpoint allows.`);
  }
}

/** The time that an endpoint allows for a request. */
export class RequestTimeout {
  private readonly controller = new AbortController();
  private readonly cancelTimer: () => void;
  /** Resolves when the time is over. */
  readonly isOver: Promise<void>;

  private constructor(clock: WorkflowClock, timeoutMs: number) {
    this.isOver = new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }));
    this.cancelTimer = clock.setTimer(() => this.controller.abort(new RequestTimeoutError(timeoutMs)), timeoutMs);
  }

  /** Undefined when there is no limit. */
  static start(clock: WorkflowClock, timeSpan: string | undefined): RequestTimeout | undefined {
    const timeoutMs = timeSpan === undefined ? undefined : toMilliseconds(timeSpan);
    return timeoutMs === undefined || timeoutMs <= 0 ? undefined : new RequestTimeout(clock, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(): void {
    this.cancelTimer();
  }
}
