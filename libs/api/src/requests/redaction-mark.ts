import { REDACTED } from '@waymark/core/adapter';
import { InvalidRequestError } from '../answers/api-errors.js';

const MARKED = `The value contains ${REDACTED}, which replaces a secret. Send the secret itself, or leave the variable out.`;

/**
 * For values that are to be stored: an editor that saves what it was shown would overwrite the secret with its mark.
 * @throws InvalidRequestError naming the path
 */
export function requireNoMark(value: unknown, path: string): void {
  if (holdsMark(value)) throw InvalidRequestError.at(path, MARKED);
}

function holdsMark(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(REDACTED);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsMark);
}
