import { isPlainObject } from './plain-object.js';

/** Deeper data takes the careful path, which also finds cycles; this walk would run into them for ever. */
const MAX_DEPTH = 200;

/**
 * True when `JSON.parse(JSON.stringify(value))` gives an equal value. Nearly all workflow data is of this sort, so the
 * check is kept cheap: no paths, no bookkeeping. May answer false for plain data that is nested very deeply.
 */
export function isPlainJson(value: unknown, depth = 0): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (!isPlainJson(value[i], depth + 1)) return false;
    }
    return true;
  }
  if (!isPlainObject(value)) return false;
  for (const key of Object.keys(value)) {
    if (!isPlainJson(value[key], depth + 1)) return false;
  }
  return true;
}
