import type { WorkflowClock } from '@waymark/runtime';

/** How long an answer is kept. */
const KEPT_MS = 5000;
const MOST_KEPT = 1000;

interface Answer<T> {
  readonly value: Promise<T>;
  /** Undefined while the answer is being made. */
  until?: number;
}

/**
 * Answers that take much memory to make: made one at a time in this process, shared by all requests for the same key, and kept
 * for a few seconds. Failures are not kept.
 */
export class SharedAnswers<T> {
  private readonly answers = new Map<string, Answer<T>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clock: WorkflowClock,
    private readonly make: (key: string) => Promise<T>,
  ) {}

  of(key: string): Promise<T> {
    this.forget();
    return (this.answers.get(key) ?? this.begin(key)).value;
  }

  private begin(key: string): Answer<T> {
    const value = this.last.then(() => this.make(key));
    const answer: Answer<T> = { value };
    this.answers.set(key, answer);
    this.last = value.then(
      () => {
        answer.until = this.clock.monotonic() + KEPT_MS;
        // Moved to the end of the map, which `forget` clears from its begin.
        this.answers.delete(key);
        this.answers.set(key, answer);
      },
      () => this.answers.delete(key),
    );
    return answer;
  }

  private forget(): void {
    const now = this.clock.monotonic();
    for (const [key, { until }] of this.answers)
      if (until !== undefined && (until <= now || this.answers.size > MOST_KEPT)) this.answers.delete(key);
  }
}
