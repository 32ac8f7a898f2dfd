import { ExpressionTimeoutError } from '../../errors/expression-errors.js';

/** What a script gets that asks the host for something when nothing waits for it any more. */
export const TOO_LATE = `x${JSON.stringify({ name: 'Error', message: 'The time of the script is over.' })}`;

/**
 * For scripts that waited where another one had to be stopped by force.
 * @param cause how the module crashed, if it did
 */
export function lostTogether(timeoutMs: number, cause?: unknown): ExpressionTimeoutError {
  const what = 'was stopped together with another one, which could not be stopped alone. Evaluate it again.';
  return new ExpressionTimeoutError('JavaScript', timeoutMs, 'timeoutMs', what, { cause });
}
