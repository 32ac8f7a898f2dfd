import { parseDate } from '@waymark/core/adapter';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Member of an object by name in any casing; the exact name wins. Inherited members do not count. */
export function memberOf(object: unknown, name: string): unknown {
  if (!isObject(object)) return undefined;
  if (Object.hasOwn(object, name)) return object[name];
  const wanted = name.toLowerCase();
  const key = Object.keys(object).find((k) => k.length === name.length && k.toLowerCase() === wanted);
  return key === undefined ? undefined : object[key];
}

/** The same for many names of one object, which may have a hundred thousand members: it is looked through once. */
export function membersOf(object: unknown): (name: string) => unknown {
  if (!isObject(object)) return () => undefined;
  let keys: Map<string, string> | undefined;
  return (name) => {
    if (Object.hasOwn(object, name)) return object[name];
    keys ??= inAnyCase(Object.keys(object));
    const key = keys.get(name.toLowerCase());
    return key === undefined ? undefined : object[key];
  };
}

/** The first of each name, by its small letters. */
function inAnyCase(names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of names) {
    const small = name.toLowerCase();
    if (!found.has(small)) found.set(small, name);
  }
  return found;
}

/** What a value is, in words of an error message. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const shown = JSON.stringify(value);
  return shown.length > 60 ? `a ${typeof value}` : shown;
}

/** A date in text form with a time zone or not (then UTC), or `undefined`. */
export function dateOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  return parseDate(value);
}

/** Without members that are null or undefined: the API leaves them out. */
export function withoutNulls<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as T;
}
