import { encodeBase64 } from './base64.js';
import { objectKind } from './object-kind.js';
import { ValueNotStorableError } from './value-not-storable-error.js';
import { memberPath } from './value-path.js';

/**
 * JSON text that is equal for equal data: members sorted by name, `undefined` members left out, dates as ISO text, maps
 * as objects, sets as sorted lists. Hashes of stimuli are made of it, so its output must never change.
 * @throws ValueNotStorableError (`WM1102`) for cycles
 */
export function canonicalJson(value: unknown): string {
  return write(value, '', new Set()) ?? 'null';
}

/** `undefined` for what JSON leaves out: members that are undefined, functions or symbols. */
function write(value: unknown, path: string, ancestors: Set<object>): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
      return JSON.stringify(value);
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? 'null' : guarded(value, path, ancestors);
    default:
      return undefined;
  }
}

function guarded(value: object, path: string, ancestors: Set<object>): string | undefined {
  if (ancestors.has(value)) throw new ValueNotStorableError(path, 'it refers back to an object that contains it');
  ancestors.add(value);
  const text = writeObject(value, path, ancestors);
  ancestors.delete(value);
  return text;
}

function writeObject(value: object, path: string, ancestors: Set<object>): string | undefined {
  switch (objectKind(value)) {
    case 'array':
      return `[${items(value as unknown[], path, ancestors).join(',')}]`;
    case 'set':
      // A set has no order, so two equal ones may list their items differently.
      return `[${items([...(value as Set<unknown>)], path, ancestors)
        .toSorted()
        .join(',')}]`;
    case 'date':
      // An invalid date has no ISO text; JSON writes null for it.
      return JSON.stringify(value);
    case 'bytes':
      return JSON.stringify(encodeBase64(value as Uint8Array));
    case 'regexp':
    case 'error':
      return JSON.stringify(String(value as RegExp | Error));
    case 'map':
      return members(mapEntries(value as Map<unknown, unknown>), path, ancestors);
    case 'plain':
    case 'url':
    case 'other': {
      const toJSON: unknown = (value as { toJSON?: unknown }).toJSON;
      if (typeof toJSON === 'function') return write(toJSON.call(value, ''), path, ancestors);
      return members(Object.entries(value), path, ancestors);
    }
  }
}

function items(values: readonly unknown[], path: string, ancestors: Set<object>): string[] {
  return Array.from(values, (item, index) => writePart(item, path, index, ancestors) ?? 'null');
}

function members(entries: [string, unknown][], path: string, ancestors: Set<object>): string {
  const written: string[] = [];
  for (const [name, member] of entries.toSorted(byName)) {
    const text = writePart(member, path, name, ancestors);
    if (text !== undefined) written.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${written.join(',')}}`;
}

/** Only an error needs a path, and only objects have one: to make it takes longer than to write a text or number. */
const writePart = (part: unknown, path: string, member: string | number, ancestors: Set<object>): string | undefined =>
  typeof part === 'object' && part !== null
    ? guarded(part, memberPath(path, member), ancestors)
    : write(part, '', ancestors);

const mapEntries = (map: Map<unknown, unknown>): [string, unknown][] =>
  Array.from(map, ([key, value]) => [typeof key === 'string' ? key : canonicalJson(key), value]);

/** By code unit, not by locale: the order must be the same on every machine. */
const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);
