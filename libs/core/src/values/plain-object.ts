/**
 * True for object literals and objects without a prototype, also those of another realm (a `vm` context, a database
 * driver): comparing with this realm's `Object.prototype` alone would take them for class instances.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}

/** A constructor of plain objects, which inherit from `Object.prototype` like those of a literal. */
export function plainConstructor<Args extends unknown[], T extends object>(
  initialize: (this: T, ...args: Args) => void,
): new (...args: Args) => T {
  initialize.prototype = Object.prototype;
  return initialize as unknown as new (...args: Args) => T;
}

/**
 * Member of an object by name, in any casing; the exact name wins. Inherited members such as `constructor` do not
 * count. `undefined` when there is none, or `object` is not an object.
 */
export function prop(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  const members = object as Record<string, unknown>;
  if (Object.hasOwn(members, name)) return members[name];
  const wanted = name.toLowerCase();
  for (const key of Object.keys(members)) {
    if (key.length === name.length && key.toLowerCase() === wanted) return members[key];
  }
  return undefined;
}

/** A member of the object itself: `outputs['toString']` would be that of all objects. */
export const ownMember = (object: Readonly<Record<string, unknown>> | undefined, name: string): unknown =>
  object && Object.hasOwn(object, name) ? object[name] : undefined;

/** Assigns an own member, whatever its name: `target['__proto__'] = x` would change the prototype instead. */
export function setMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[name] = value;
  }
}
