import { reasonOf } from '../errors/error-not-readable.js';
import { EncryptedValue } from './encrypted-value.js';
import { hasManyGaps, MOST_GAPS } from './gaps.js';
import { objectKind } from './object-kind.js';
import { handleRejection } from './promise-like.js';
import { ValueNotStorableError } from './value-not-storable-error.js';
import { InstanceData, storableTypeOfValue } from './storable-type.js';
import { memberPath, shortPath } from './value-path.js';

/** Deeper data would overflow the stack when it is read back. */
const MAX_DEPTH = 1000;

/** Member names that superjson refuses, since assigning them carelessly would reach an object's prototype. */
const RISKY_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** True for an object that has to be written as a list of entries. */
export const hasRiskyName = (value: object): boolean => [...RISKY_NAMES].some((name) => Object.hasOwn(value, name));

/** Stands for an object with a risky member name: written as a list of entries, where names are mere data. */
export class EntryObject {
  constructor(readonly entries: [string, unknown][]) {}
}

/**
 * A copy of a value that superjson can write. It contains nothing twice, so references shared in the original are
 * duplicated, and only objects of this realm, which superjson tells apart with `instanceof`.
 * @throws ValueNotStorableError for what cannot be stored
 */
export function storableCopy(value: unknown, path: string): unknown {
  return new Copier().copy(value, path);
}

class Copier {
  /** Objects on the way from the root to the current one, with their paths. */
  private readonly ancestors = new Map<object, string>();

  copy(value: unknown, path: string): unknown {
    switch (typeof value) {
      case 'function':
        throw new ValueNotStorableError(path, 'it is a function');
      case 'symbol':
        throw new ValueNotStorableError(path, 'it is a symbol');
      case 'object':
        return value === null ? null : this.guarded(value, path);
      default:
        return value;
    }
  }

  private guarded(value: object, path: string): unknown {
    const ancestor = this.ancestors.get(value);
    if (ancestor !== undefined) {
      throw new ValueNotStorableError(
        path,
        `it refers back to ${ancestor === '' ? 'the whole value' : shortPath(ancestor)}, which contains it`,
      );
    }
    if (this.ancestors.size >= MAX_DEPTH) {
      throw new ValueNotStorableError(path, `it is nested more than ${MAX_DEPTH} levels deep`);
    }
    this.ancestors.set(value, path);
    try {
      return this.copyObject(value, path);
    } catch (error) {
      if (error instanceof ValueNotStorableError) throw error;
      // A getter of the value, or the trap of a proxy. Without a code it would fail the burst, which would be repeated.
      throw new ValueNotStorableError(path, `it cannot be read (${reasonOf(error)})`, { cause: error });
    } finally {
      this.ancestors.delete(value);
    }
  }

  private copyObject(value: object, path: string): unknown {
    if (value instanceof InstanceData)
      return InstanceData.of(value.get('type') as string, this.copy(value.get('data'), path));
    switch (objectKind(value)) {
      case 'array':
        return this.copyItems(value as unknown[], path);
      case 'plain':
        return this.copyMembers(Object.entries(value), path);
      case 'map':
        return this.copyMap(value as Map<unknown, unknown>, path);
      case 'set':
        return new Set(Array.from(value as Set<unknown>, (item, index) => this.copy(item, memberPath(path, index))));
      case 'date':
        if (Number.isNaN((value as Date).getTime())) throw new ValueNotStorableError(path, 'it is an invalid date');
        return new Date((value as Date).getTime());
      case 'bytes':
        return new Uint8Array(value as Uint8Array);
      case 'url':
        return new URL((value as URL).href);
      case 'regexp':
        return new RegExp((value as RegExp).source, (value as RegExp).flags);
      case 'error':
        return this.copyError(value as Error, path);
      case 'other':
        return this.copyInstance(value, path);
    }
  }

  private copyItems(items: readonly unknown[], path: string): unknown[] {
    if (hasManyGaps(items))
      throw new ValueNotStorableError(
        path,
        `it is a list of ${items.length} places, more than ${MOST_GAPS} of which are empty or undefined; use a map or an object instead`,
      );
    return Array.from(items, (item, index) => this.copy(item, memberPath(path, index)));
  }

  private copyInstance(value: object, path: string): unknown {
    if (value instanceof EncryptedValue) return value;
    const storable = storableTypeOfValue(value);
    if (!storable) {
      handleRejection(value);
      throw new ValueNotStorableError(path, whatItIs(value));
    }
    let data: unknown;
    try {
      data = storable.toData(value);
    } catch (error) {
      throw new ValueNotStorableError(path, `its class '${storable.name}' gave no data for it (${String(error)})`);
    }
    return InstanceData.of(storable.name, this.copy(data, path));
  }

  private copyMembers(members: [string, unknown][], path: string): Record<string, unknown> | EntryObject {
    let isRisky = false;
    // Of this copy alone, so that they become the copies of themselves.
    for (const entry of members) {
      isRisky ||= RISKY_NAMES.has(entry[0]);
      entry[1] = this.copy(entry[1], memberPath(path, entry[0]));
    }
    return isRisky ? new EntryObject(members) : Object.fromEntries(members);
  }

  private copyMap(map: Map<unknown, unknown>, path: string): Map<unknown, unknown> {
    return new Map(
      Array.from(map, ([key, item], index) => {
        const at = memberPath(path, typeof key === 'string' ? key : index);
        return [this.copy(key, at), this.copy(item, at)];
      }),
    );
  }

  /**
   * Storing an error must not fail: it is what explains a failure. So of its extra members only simple ones are kept
   * (an HTTP client's error holds sockets), and a cause only if it can be stored.
   */
  private copyError(error: Error, path: string): Error {
    const { name, message, stack } = error;
    const fields: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(error)) {
      if (isSimple(member) && !RISKY_NAMES.has(key)) fields[key] = member;
    }
    Object.assign(fields, { name: String(name), message: String(message) });
    if (typeof stack === 'string') fields.stack = stack;
    const cause = this.copyCause(error.cause, memberPath(path, 'cause'));
    if (cause !== undefined) fields.cause = cause;
    // Not `new Error`: that would capture a stack only for it to be overwritten.
    return Object.assign(Object.create(Error.prototype) as Error, fields);
  }

  private copyCause(cause: unknown, path: string): unknown {
    try {
      return this.copy(cause, path);
    } catch (thrown) {
      if (thrown instanceof ValueNotStorableError) return undefined;
      throw thrown;
    }
  }
}

const isSimple = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean', 'bigint'].includes(typeof value);

const tagOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

function whatItIs(value: object): string {
  const tag = tagOf(value);
  if (tag === 'Promise') return 'it is a promise that was not awaited';
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return `it is an instance of ${typeof name === 'string' && name !== '' ? name : tag}`;
}
