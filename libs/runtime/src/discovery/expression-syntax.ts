import type { Constructor, ExpressionHandler } from '@waymark/core';

// A registered symbol on the class itself: two copies of this package see the same metadata.
const KEY = Symbol.for('@waymark/runtime:expression-syntax');

/**
 * Marks the handler of an expression syntax. As a provider of any module it is found when the application starts, and its
 * `descriptor.type` is known to definitions, to their validation and to editors:
 *
 *     @Injectable()
 *     @ExpressionSyntax()
 *     export class PythonExpressions implements ExpressionHandler { … }
 *
 * It takes the place of a standard handler of that type, and gives way to one of the option `expressions`.
 */
export function ExpressionSyntax() {
  return (target: Constructor<ExpressionHandler>): void => void Object.defineProperty(target, KEY, { value: true });
}

export function isExpressionSyntax(type: unknown): boolean {
  return typeof type === 'function' && Object.hasOwn(type, KEY);
}
