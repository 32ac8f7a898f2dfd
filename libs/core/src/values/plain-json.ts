import { isInAnyCasing } from './any-casing.js';
import { isPlainObject } from './plain-object.js';

/** Deeper data takes the careful path, which also finds cycles; this walk would never leave them. */
const MAX_DEPTH = 200;

/** What the check came past. */
export interface PlainJsonWalk {
  /** Objects that are read in any casing: plain, with a mark that JSON does not have. */
  hasAnyCasing: boolean;
}

/**
 * True when `JSON.parse(JSON.stringify(value))` gives an equal value. Nearly all workflow data is of this sort, so the
 * check is kept cheap: no paths, no bookkeeping. May answer false for plain data that is nested very deeply. False as well for what
 * fails when it is read: the careful path says where.
 */
export function isPlainJson(value: unknown, walk?: PlainJsonWalk): boolean {
  try {
    return isPlain(value, walk, 0);
  } catch {
    return false;
  }
}

function isPlain(value: unknown, walk: PlainJsonWalk | undefined, depth: number): boolean {
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
      if (!isPlain(value[i], walk, depth + 1)) return false;
    }
    return true;
  }
  if (!isPlainObject(value)) return false;
  if (walk && !walk.hasAnyCasing && isInAnyCasing(value)) walk.hasAnyCasing = true;
  for (const key of Object.keys(value)) {
    if (!isPlain(value[key], walk, depth + 1)) return false;
  }
  return true;
}
