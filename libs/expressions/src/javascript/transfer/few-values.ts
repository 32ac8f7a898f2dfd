import { hasMoreJsonValues } from '@waymark/core/adapter';
import { ExpressionSizeError } from '../../errors/expression-errors.js';

/**
 * Refuses a value of the sandbox that would take the host long to read, before it does. A script makes millions of values of a few that it
 * puts into lists again and again.
 * @param packed as it crosses
 * @throws ExpressionSizeError (`WM4008`)
 */
export function requireFewValues(packed: string, most: number): void {
  const isJson = packed[0] === 'j' || packed[0] === 'm';
  if (isJson && hasMoreJsonValues(packed, most))
    throw new ExpressionSizeError('JavaScript', 'result', most + 1, most, 'maxResultValues');
}
