import type { Constructor, ExpressionHandler } from '@waymark/core';

// A registered symbol on the class itself: two copies of this package see the same metadata.
const KEY = Symbol.for('@waymark/runtime:expression-syntax');

/**
 * Marks the handler of an expression syntax. A provider of any module with this decorator is registered when the application
 * starts; definitions, their validation and editors then know its `descriptor.type`:
 *
 *     @Injectable()
 *     @ExpressionSyntax()
 *     export class PythonExpressions implements ExpressionHandler { … }
 *
 * It replaces a standard handler of that type, and is replaced by one of the option `expressions`.
 */
export function ExpressionSyntax() {
  return (target: Constructor<ExpressionHandler>): void => void Object.defineProperty(target, KEY, { value: true });
}

export function isExpressionSyntax(type: unknown): boolean {
  return typeof type === 'function' && Object.hasOwn(type, KEY);
}
