import { WaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';

/** Language of an expression, as errors name it. */
export type ExpressionLanguage = 'JavaScript' | 'Liquid';

/** Thrown when an expression exceeds its time limit, or waits for something that can no longer happen. */
export class ExpressionTimeoutError extends WaymarkError {
  readonly code = 'WM4001';

  constructor(
    /** Language of the expression. */
    readonly language: ExpressionLanguage,
    /** The limit that it did not keep. */
    readonly timeoutMs: number,
    /** The option that sets the limit. */
    readonly option: 'timeoutMs' | 'blockingMs' = 'timeoutMs',
    what = `did not finish within ${timeoutMs} ms and was stopped. Do less in it, or raise the time limit (option "${option}").`,
    options?: { cause?: unknown },
  ) {
    super(`The ${language} expression ${what}`, options);
  }
}

/** Thrown when an expression needs more memory or a deeper call stack than its limits allow. */
export class ExpressionMemoryError extends WaymarkError {
  readonly code = 'WM4002';

  constructor(
    /** Language of the expression. */
    readonly language: ExpressionLanguage,
    /** Which limit was met: memory or call stack. */
    readonly limit: 'memory' | 'stack',
    options?: { cause?: unknown },
  ) {
    const option = language === 'Liquid' ? 'memoryLimit' : 'memoryMb';
    super(
      limit === 'memory'
        ? `The ${language} expression ran out of memory. Handle less data at once, or raise the limit (option "${option}").`
        : `The ${language} expression called or nested too deeply. Replace deep recursion with a loop.`,
      options,
    );
  }
}

/**
 * Thrown when an expression, or a function of the host that it called, throws an error; in the latter case `cause` is that
 * error.
 */
export class ExpressionFailedError extends WaymarkError {
  readonly code = 'WM4003';

  constructor(
    /** Language of the expression. */
    readonly language: ExpressionLanguage,
    /** Name of the error as the script saw it, e.g. `TypeError`. */
    readonly errorName: string,
    /** What the expression says went wrong. */
    readonly errorMessage: string,
    /** Line of the script, from 1, where known. */
    readonly line: number | undefined,
    options?: { cause?: unknown },
  ) {
    super(`${errorName}: ${errorMessage}${at(line)}`, options);
  }
}

/** Thrown when the text of an expression is not valid in its language. */
export class ExpressionSyntaxError extends WaymarkError {
  readonly code = 'WM4004';

  constructor(
    /** Language of the expression. */
    readonly language: ExpressionLanguage,
    /** What is wrong with the text. */
    readonly errorMessage: string,
    /** Line of the text, from 1; undefined: unknown. */
    readonly line: number | undefined,
    /** Column in that line, from 1. @default unknown */
    readonly column?: number,
  ) {
    super(`The ${language} expression is not valid: ${errorMessage}${at(line, column)}. Correct its text.`);
  }
}

/** Thrown when a value cannot be passed between sandbox and workflow, e.g. a function or a circular object. */
export class ExpressionTransferError extends WaymarkError {
  readonly code = 'WM4005';

  constructor(reason: string, options?: { cause?: unknown }) {
    super(`${reason} Only plain data can pass between a script and its workflow.`, options);
  }
}

/** Thrown when the text or the result of an expression is longer than the limits allow. */
export class ExpressionSizeError extends WaymarkError {
  readonly code = 'WM4008';

  constructor(
    /** Language of the expression. */
    readonly language: ExpressionLanguage,
    /** Whether the text or the result is too long. */
    readonly what: 'text' | 'result',
    /** Its length, in characters; of too many values, where their count ended. */
    readonly size: number,
    /** The limit, in characters or values. */
    readonly limit: number,
    /** The option that sets the limit. */
    readonly option: string,
  ) {
    super(
      what === 'text'
        ? `The ${language} expression has ${size} characters, but at most ${limit} are allowed. Keep data out of its text, or raise the limit (option "${option}").`
        : option === 'maxResultValues'
          ? `The ${language} expression returned, or passed to a function of the host, more than ${limit} values. Return less, or raise the limit (option "${option}").`
          : `The ${language} expression returned a value of ${size} characters, but at most ${limit} are allowed. Return less, or raise the limit (option "${option}").`,
    );
  }
}

/** Thrown when the JavaScript sandbox could not be started, so that scripts that need it cannot be evaluated. */
export class ExpressionSandboxError extends WaymarkError {
  readonly code = 'WM4007';

  constructor(cause: unknown) {
    super(
      `The JavaScript sandbox could not be loaded (${toErrorLike(cause).message}). Install the package "quickjs-emscripten" again.`,
      { cause },
    );
  }
}

/** Thrown when a script was not evaluated, because too many others wait for a thread or the application is shutting down. */
export class ExpressionUnavailableError extends WaymarkError {
  readonly code = 'WM4011';
  /** Language of the expression. */
  readonly language: ExpressionLanguage = 'JavaScript';

  constructor(
    /** Whether all threads are busy, or the application ends. */
    readonly reason: 'busy' | 'closed',
    /** Scripts that may wait. */
    readonly limit?: number,
  ) {
    super(
      reason === 'busy'
        ? `The JavaScript expression was not evaluated: ${limit} other evaluations are already waiting for a thread. Start fewer at once, or raise the limit (option "maxWaiting") or the number of threads (option "workers").`
        : 'The JavaScript expression was not completed: the application is shutting down. Run it again on another node, or after the next start.',
    );
  }
}

/** Thrown for an invalid value of an option of this library. */
export class ExpressionOptionError extends WaymarkError {
  readonly code = 'WM4006';

  constructor(
    /** Name of the option. */
    readonly option: string,
    requirement: string,
    /** The value that cannot work. */
    readonly value: unknown,
  ) {
    super(`Option "${option}" of the expressions library must be ${requirement}, not ${String(value)}.`);
  }
}

function at(line: number | undefined, column?: number): string {
  if (line === undefined) return '';
  return column === undefined ? ` (line ${line})` : ` (line ${line}, column ${column})`;
}
