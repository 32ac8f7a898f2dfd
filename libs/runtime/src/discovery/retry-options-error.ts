import { WaymarkError } from '@waymark/core';

/** Thrown when `retry` or `timeout` of `@Activity` is invalid. */
export class RetryOptionsError extends WaymarkError {
  readonly code = 'WM1040';
  constructor(
    /** Name of the class. */
    readonly className: string,
    problem: string,
    /** The option. */
    readonly option: 'retry' | 'timeout' = 'retry',
  ) {
    super(`Option '${option}' of @Activity() on class ${className}: ${problem}`);
  }
}
