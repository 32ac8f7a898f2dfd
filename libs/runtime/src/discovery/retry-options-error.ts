import { WaymarkError } from '@waymark/core';

/** `@Activity({ retry })` says what no policy can be made of: without it, a failure would be final in silence. */
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
