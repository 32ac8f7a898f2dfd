import { type Constructor, type ValueType } from '@waymark/core';
import { findUnstorable } from '@waymark/core/adapter';
import { isDecoratedClass, messagesOf, validate } from './input-validator.js';

/**
 * What is wrong with instances of registered classes: rules of class-validator that they break, and what cannot be stored,
 * such as a date that was made of other text. Values of other types cost one look at their type.
 */
export function instanceProblems(value: unknown, type: ValueType): readonly string[] {
  if (type.element && Array.isArray(value)) {
    const { element } = type;
    if (!holdsInstances(element)) return [];
    return value.flatMap((item: unknown, index) => instanceProblems(item, element).map((each) => `${index}: ${each}`));
  }
  if (!type.storable || typeof value !== 'object' || value === null) return [];
  return [...brokenRules(value), ...unstorable(value)];
}

const holdsInstances = ({ storable, element }: ValueType): boolean =>
  storable !== undefined || (element !== undefined && holdsInstances(element));

function brokenRules(value: object): string[] {
  if (!isDecoratedClass(value.constructor as Constructor)) return [];
  return validate()(value, { forbidUnknownValues: false }).flatMap((error) => messagesOf(error));
}

function unstorable(value: object): string[] {
  const found = findUnstorable(value, '');
  return found ? [found.path === '' ? found.reason : `${found.path}: ${found.reason}`] : [];
}
