import { isInAnyCasing } from '@waymark/core/adapter';
import { isPlainObject } from '../transfer/plain-object.js';
import { bailOut } from './bail-out.js';
import type { Run } from './run.js';

const isOwnEnumerable = Object.prototype.propertyIsEnumerable;

/**
 * What an object literal inherits in the sandbox or here. Asked for such a member, an object answers with a function or
 * an accessor of its prototype, and nothing here may touch either.
 */
const inherited: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
]);

export function isInherited(name: string): boolean {
  return inherited.has(name);
}

/** `object.name` and `object[key]`: own members of plain data, never those of a prototype. */
export function readMember(object: unknown, key: unknown, run: Run): unknown {
  if (typeof object === 'string') return readFromList(object, key);
  if (typeof object !== 'object' || object === null) return bailOut();
  if (Array.isArray(object)) return readFromList(object, key);
  if (!isPlainObject(object)) return bailOut();
  if (typeof key !== 'string' && typeof key !== 'number') return bailOut();
  if (isOwnEnumerable.call(object, key)) return object[key];
  if (isInAnyCasing(object)) {
    const name = spelled(object, String(key), run);
    if (name !== undefined) return object[name];
  }
  // An own member that is not enumerable does not cross into the sandbox.
  return inherited.has(String(key)) ? bailOut() : undefined;
}

/** Names that are compared for what one step costs. */
const NAMES_OF_STEP = 8;

/** The name that a member has, for one that is spelled in another casing. A query has thousands of names if its sender likes. */
function spelled(object: object, key: string, run: Run): string | undefined {
  const wanted = key.toLowerCase();
  const names = Object.keys(object);
  run.spend(Math.floor(names.length / NAMES_OF_STEP));
  return names.find((name) => name.length === key.length && name.toLowerCase() === wanted);
}

function readFromList(list: string | readonly unknown[], key: unknown): unknown {
  if (key === 'length') return list.length;
  if (typeof key !== 'number' || !(key >= 0) || !Number.isSafeInteger(key)) return bailOut();
  return key < list.length ? list[key] : undefined;
}

/** A name for a member of a literal. */
export function toMemberName(key: unknown): string | number {
  if (typeof key === 'number') return key;
  return typeof key === 'string' && key !== '__proto__' && key !== '\u0001' ? key : bailOut();
}
