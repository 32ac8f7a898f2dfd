import { isPlainJson } from './plain-json.js';
import { storableCopy } from './storable-copy.js';
import { ValueNotStorableError } from './value-not-storable-error.js';

/** The first part of a value that cannot be stored, and why; `undefined` when all of it can. */
export function findUnstorable(value: unknown, path: string): { path: string; reason: string } | undefined {
  if (isPlainJson(value)) return undefined;
  try {
    storableCopy(value, path);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ValueNotStorableError) return { path: thrown.path, reason: thrown.reason };
    throw thrown;
  }
}
