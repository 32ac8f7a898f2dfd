import { type ExpressionHandler, type ExpressionScope, isPromiseLike } from '@waymark/core';
import { InvalidSecretNameError, SecretNotFoundError, type SecretProvider } from './secret-provider.js';

/** Begins with a letter or digit, so that no name leads to another directory or a hidden file. */
const NAME = /^[a-z0-9][\w.-]{0,99}$/i;

/**
 * Expressions of type `Secret`: the definition holds a name, and the running burst gets the value. Inputs with such an
 * expression are sensitive, whatever their activity says.
 */
export function secretExpression(providers: readonly SecretProvider[]): ExpressionHandler {
  const find = (name: string, from: number): unknown => {
    for (let i = from; i < providers.length; i++) {
      const found = providers[i]!.find(name);
      if (isPromiseLike(found)) return found.then((value) => value ?? find(name, i + 1));
      if (found !== undefined) return found;
    }
    throw new SecretNotFoundError(name);
  };
  const noted = (scope: ExpressionScope, value: unknown): unknown => {
    scope.noteSecret?.(value);
    return value;
  };
  return {
    descriptor: { type: 'Secret', displayName: 'Secret', isSerializable: true, isBrowsable: true, properties: {} },
    isSensitive: true,
    compile: ({ value: name }) => {
      const isName = typeof name === 'string' && NAME.test(name);
      return (scope) => {
        if (!isName) throw new InvalidSecretNameError();
        const value = find(name, 0);
        return isPromiseLike(value) ? value.then((v) => noted(scope, v)) : noted(scope, value);
      };
    },
  };
}
