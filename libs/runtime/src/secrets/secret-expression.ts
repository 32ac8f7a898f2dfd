import { type ExpressionHandler, type SecretLookup } from '@waymark/core';

/**
 * Expressions of type `Secret`: the definition holds a name, and the running burst gets the value. Inputs with such an
 * expression are sensitive, whatever their activity says.
 */
export function secretExpression(secrets: SecretLookup): ExpressionHandler {
  return {
    descriptor: { type: 'Secret', displayName: 'Secret', isSerializable: true, isBrowsable: true, properties: {} },
    isSensitive: true,
    // What is no text is no valid name either: the lookup says so.
    compile:
      ({ value: name }) =>
      (scope) =>
        secrets.find(typeof name === 'string' ? name : '', scope),
  };
}
