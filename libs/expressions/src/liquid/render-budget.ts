import { Deadline } from '../budget/deadline.js';
import { ExpressionMemoryError, ExpressionTimeoutError } from '../errors/expression-errors.js';
import { ValueSizes } from './value-size.js';

export interface RenderLimits {
  readonly timeoutMs: number;
  readonly memoryLimit: number;
}

/** Characters and elements after which the time is looked at: some ten microseconds of work. */
const LOOK_AFTER = 4096;
/** What a step of the engine counts as: a tag, a filter, a member that is read. */
const STEP = 128;

/**
 * What one rendering, or one parsing, may do. The engine takes it for both of its limiters: `use` is called by its filters
 * with the size of what they are about to touch, `check` before each tag. The rest is counted where the work is done:
 * the loop that drives the engine counts its steps, filters are wrapped, and what is written is measured.
 *
 * 1. Work is paid before it is done, so one that is too large never begins.
 * 2. No list is longer as text than `memoryLimit`, so nothing that turns one into text takes longer than that.
 * 3. Once the budget is used up, every further call fails with the same error.
 */
export class RenderBudget {
  /** Why the rendering had to end, whatever the engine made of it. */
  failure: Error | undefined;

  private readonly deadline: Deadline;
  private readonly sizes = new ValueSizes();
  private used = 0;
  private sinceLook = 0;

  /**
   * @param begin when the work began, as `performance.now()` tells it: a template is parsed in the turn that renders it first
   * @param secretOf gives a secret to the template; the budget is what the engine hands to every filter
   */
  constructor(
    private readonly limits: RenderLimits,
    begin?: number,
    private readonly secretOf?: (name: unknown) => string,
  ) {
    this.deadline = new Deadline(limits.timeoutMs, begin);
  }

  /** Characters of texts and elements of lists that are about to be read or built. */
  use(count: number): void {
    if (!(count > 0)) {
      // The engine counts what templates say, and templates say `(1..nil)`; or `(1..list)`, which it made texts to find out.
      if (Number.isNaN(count)) this.check();
      return;
    }
    this.used += Number(count);
    if (this.failure || this.used > this.limits.memoryLimit) this.fail(new ExpressionMemoryError('Liquid', 'memory'));
    this.work(Number(count));
  }

  check(): void {
    this.work(LOOK_AFTER);
  }

  step(): void {
    this.work(STEP);
  }

  /** A value that is read as a whole. */
  useValue(value: unknown): void {
    this.use(this.sizeOf(value));
  }

  /**
   * A value that the template hands on. What takes a list may make it a text, in places that the engine does not count: after a
   * long one the time is looked at, so only a few of those fit between two looks.
   */
  admit(value: unknown): void {
    if (!Array.isArray(value)) return;
    const size = this.sizeOf(value);
    if (size > this.limits.memoryLimit) this.fail(new ExpressionMemoryError('Liquid', 'memory'));
    this.work(size);
  }

  sizeOf(value: unknown): number {
    try {
      return this.sizes.of(value);
    } catch (error) {
      return this.fail(error as Error);
    }
  }

  /** A secret; one that cannot be had ends the rendering with the reason, which the engine would make an error of its own. */
  secret(name: unknown): string | undefined {
    try {
      return this.secretOf?.(name);
    } catch (error) {
      return this.fail(error as Error);
    }
  }

  private work(units: number): void {
    this.sinceLook += units;
    if (this.sinceLook < LOOK_AFTER) return;
    this.sinceLook = 0;
    if (this.failure || this.deadline.isOver()) this.fail(new ExpressionTimeoutError('Liquid', this.limits.timeoutMs));
  }

  private fail(error: Error): never {
    this.failure ??= error;
    throw this.failure;
  }
}
