import { formTexts } from '../texts/forms.js';
import { InexactJson, UnreadableJson } from './form-values.js';

/** The same, of what has to be an object, or nothing. */
export function errorOfObject(value: unknown): string | undefined {
  const isObject = value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
  return errorOfJson(value) ?? (isObject ? undefined : formTexts.notObject);
}

/** What is wrong with what was typed as JSON; undefined: nothing. */
export function errorOfJson(value: unknown): string | undefined {
  if (value instanceof InexactJson) return formTexts.notExact;
  return value instanceof UnreadableJson ? formTexts.notJson : undefined;
}
