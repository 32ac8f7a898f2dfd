import { isPlainObject } from './plain-object.js';

/** Gives a constructor that extends it the object itself, in place of a new one. */
const Itself = function (object: object): object {
  return object;
} as unknown as new (object: object) => object;

/**
 * A private member: any other mark in an object would be listed, compared and stored with it. A `WeakSet` of all objects that
 * requests bring is gone through by each collection, which cost a request as much as an activity.
 */
class AnyCasing extends Itself {
  readonly #isMarked = true;

  static mark(object: object): void {
    if (AnyCasing.isMarked(object)) return;
    isUsed = true;
    if (Object.isExtensible(object)) new AnyCasing(object);
    else (frozen ??= new WeakSet()).add(object);
  }

  static isMarked(object: object): boolean {
    // Asked of each object that is stored or copied: processes without endpoints mark none, and others no frozen ones.
    if (!isUsed) return false;
    if (#isMarked in object) return object.#isMarked;
    return frozen !== undefined && !Object.isExtensible(object) && frozen.has(object);
  }
}

/** Newer engines refuse private members of objects that cannot be extended; requests bring none of those. */
let frozen: WeakSet<object> | undefined;
let isUsed = false;

/**
 * Lets expressions read the members of an object in any casing, as names of HTTP headers and of routes are: the exact
 * name wins, then the first one that differs by casing alone. Listing and storing show each member once, under the name
 * it has. Liquid reads every object so; JavaScript those that are marked here.
 * @returns the object itself, not a copy
 */
export function inAnyCasing<T extends object>(object: T): T {
  AnyCasing.mark(object);
  return object;
}

/** True for objects that went through {@link inAnyCasing}. */
export function isInAnyCasing(object: object): boolean {
  return AnyCasing.isMarked(object);
}

/** From the value to a marked object in it. */
type Path = readonly (string | number)[];

/** Where in a value marked objects are, for storing beside it; undefined: nowhere. The value must have no cycles. */
export function findAnyCasing(value: unknown): Path[] | undefined {
  const paths: Path[] = [];
  collect(value, [], paths);
  return paths.length > 0 ? paths : undefined;
}

function collect(value: unknown, path: (string | number)[], paths: Path[]): void {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return;
  if (isInAnyCasing(value)) paths.push([...path]);
  for (const key of isList ? value.keys() : Object.keys(value)) {
    path.push(key);
    collect((value as Record<string | number, unknown>)[key], path, paths);
    path.pop();
  }
}

/** Marks objects of a value again. What is no longer there, or is not what it was, is left alone. */
export function restoreAnyCasing(value: unknown, paths: unknown): void {
  if (!Array.isArray(paths)) return;
  for (const path of paths as unknown[]) {
    let target = value;
    for (const key of Array.isArray(path) ? (path as unknown[]) : [null]) {
      const isThere = typeof target === 'object' && target !== null && Object.hasOwn(target, String(key));
      target = isThere ? (target as Record<string, unknown>)[String(key)] : undefined;
    }
    if (isPlainObject(target)) inAnyCasing(target);
  }
}
