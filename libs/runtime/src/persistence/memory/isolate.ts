import { types } from 'node:util';
import { deserialize, hasManyGaps, inAnyCasing, isInAnyCasing, serialize } from '@waymark/core/adapter';

// Deeper values are cycles or nonsense; the codec knows what to say about both.
const MAX_DEPTH = 200;

export const NEEDS_CODEC: unique symbol = Symbol('needs codec');

/** What a value takes as text beside its characters and names: quotes, separators, or the digits of a number. */
const OVERHEAD = 8;

/** What is copied, in characters as text: never much too few, and too many where it does not matter. */
export interface Scale {
  weight: number;
  /** No expression reads the copy: it does not matter which objects of it are read in any casing. */
  readonly isOnlyShown?: boolean;
}

/**
 * A private copy of a value, as storing and loading it would make one. What nearly all values consist of is copied
 * directly, thirty times cheaper than through text. A value with anything else in it (a class instance, a function, a
 * URL, a cycle) goes through the codec, so that memory refuses and converts exactly what a database would.
 * @param path what to call the value in an error
 * @param scale weighs it on the way
 * @throws ValueNotStorableError
 */
export function isolate<T>(value: T, path = 'value', scale?: Scale): T {
  const copied = tryCopy(value, scale);
  if (copied !== NEEDS_CODEC) return copied as T;
  const text = serialize(value, path);
  if (scale) scale.weight += text.length;
  return deserialize(text);
}

/** The same without the codec: `NEEDS_CODEC` says that the value has to go through it. */
export function copyOf(value: unknown, scale?: Scale): unknown {
  return tryCopy(value, scale);
}

/** What fails when it is read goes through the codec as well, which says where. */
function tryCopy(value: unknown, scale: Scale | undefined): unknown {
  try {
    return copy(value, 0, scale);
  } catch {
    return NEEDS_CODEC;
  }
}

function copy(value: unknown, depth: number, scale: Scale | undefined): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return NEEDS_CODEC;
  if (scale) scale.weight += typeof value === 'string' ? value.length + OVERHEAD : OVERHEAD;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return NEEDS_CODEC;
  if (Array.isArray(value)) return copyItems(value, depth, scale);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null)
    return copyMembers(value as Record<string, unknown>, depth, scale);
  // By internal slot, not `instanceof`, which fails for values of another realm.
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? NEEDS_CODEC : new Date(value.getTime());
  if (types.isUint8Array(value)) {
    if (scale) scale.weight += value.length;
    return new Uint8Array(value);
  }
  if (types.isMap(value)) {
    const entries = copyItems([...value].flat(1), depth, scale);
    return entries === NEEDS_CODEC ? NEEDS_CODEC : new Map(pairs(entries as unknown[]));
  }
  if (types.isSet(value)) {
    const items = copyItems([...value], depth, scale);
    return items === NEEDS_CODEC ? NEEDS_CODEC : new Set(items as unknown[]);
  }
  return NEEDS_CODEC;
}

function copyItems(source: readonly unknown[], depth: number, scale: Scale | undefined): unknown {
  if (hasManyGaps(source)) return NEEDS_CODEC;
  const target: unknown[] = [];
  // By index: an iterator costs more than the copy of a short list.
  for (let index = 0; index < source.length; index++) {
    const copied = copy(source[index], depth + 1, scale);
    if (copied === NEEDS_CODEC) return NEEDS_CODEC;
    target.push(copied);
  }
  return target;
}

function copyMembers(source: Record<string, unknown>, depth: number, scale: Scale | undefined): unknown {
  const target: Record<string, unknown> = {};
  for (const key of Object.keys(source)) {
    if (scale) scale.weight += key.length;
    const copied = copy(source[key], depth + 1, scale);
    // Assigning this name would change the prototype of the copy.
    if (copied === NEEDS_CODEC || key === '__proto__') return NEEDS_CODEC;
    target[key] = copied;
  }
  return scale?.isOnlyShown !== true && isInAnyCasing(source) ? inAnyCasing(target) : target;
}

function* pairs(flat: readonly unknown[]): Iterable<[unknown, unknown]> {
  for (let i = 0; i < flat.length; i += 2) yield [flat[i], flat[i + 1]];
}
