import { formTexts } from '../texts/forms.js';
import { InexactJson, UnreadableJson } from './form-values.js';

/** What is wrong with what was typed as JSON; undefined: nothing. */
export function errorOfJson(value: unknown): string | undefined {
  if (value instanceof InexactJson) return formTexts.notExact;
  return value instanceof UnreadableJson ? formTexts.notJson : undefined;
}
