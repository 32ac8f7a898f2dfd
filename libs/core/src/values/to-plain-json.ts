import { inAnyCasing, isInAnyCasing } from './any-casing.js';
import { encodeBase64 } from './base64.js';
import { formatDate } from './date-text.js';
import { objectKind } from './object-kind.js';
import { hasManyGaps } from './gaps.js';
import { isPlainJson, type PlainJsonWalk } from './plain-json.js';
import { setMember } from './plain-object.js';
import { InstanceData, storableTypeOfValue } from './storable-type.js';

/** Stands in answers for what has no JSON form: functions, streams, promises, back references, lists of nothing but empty places. */
export const NOT_SERIALIZABLE = '(not serializable)';

/**
 * A value as REST answers show it: plain JSON data, readable, not meant to be read back. Never throws for a value,
 * whatever it is. Plain data is returned as it is, not copied.
 * @param walk receives objects that expressions read in any casing, which the result has as well
 */
export function toPlainJson(value: unknown, walk?: PlainJsonWalk): unknown {
  if (isPlainJson(value, walk)) return value;
  if (walk) walk.hasAnyCasing = true;
  return convert(value, new Set());
}

/** The same of a part of a value. @param around what contains it, from the value itself on: a reference to that cannot be shown */
export function toPlainPart(value: unknown, around: readonly object[]): unknown {
  return isPlainJson(value) ? value : convert(value, new Set(around));
}

function convert(value: unknown, ancestors: Set<object>): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // JSON has neither NaN nor infinities; .NET writes them as text.
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : guarded(value, ancestors);
    default:
      return NOT_SERIALIZABLE;
  }
}

function guarded(value: object, ancestors: Set<object>): unknown {
  if (ancestors.has(value)) return NOT_SERIALIZABLE;
  ancestors.add(value);
  try {
    return convertObject(value, ancestors);
  } catch {
    // A getter or `toJSON` of the value threw. An answer that shows everything else is worth more than none.
    return NOT_SERIALIZABLE;
  } finally {
    ancestors.delete(value);
  }
}

function convertObject(value: object, ancestors: Set<object>): unknown {
  switch (objectKind(value)) {
    case 'array':
      return hasManyGaps(value as unknown[])
        ? NOT_SERIALIZABLE
        : Array.from(value as unknown[], (item) => convert(item, ancestors));
    case 'set':
      return Array.from(value as Set<unknown>, (item) => convert(item, ancestors));
    case 'plain':
      return isInAnyCasing(value)
        ? inAnyCasing(members(Object.entries(value), ancestors))
        : members(Object.entries(value), ancestors);
    case 'map':
      if (value instanceof InstanceData) return convert(value.get('data'), ancestors);
      return members(mapEntries(value as Map<unknown, unknown>, ancestors), ancestors);
    case 'date':
      return Number.isNaN((value as Date).getTime()) ? null : formatDate(value as Date);
    case 'bytes':
      return encodeBase64(value as Uint8Array);
    case 'url':
    case 'regexp':
      return String(value as URL | RegExp);
    case 'error':
      return errorMembers(value as Error, ancestors);
    case 'other':
      return convertInstance(value, ancestors);
  }
}

/** Instances of classes are shown only if they are stored, or say how: their fields may be sockets, caches, secrets. */
function convertInstance(value: object, ancestors: Set<object>): unknown {
  const storable = storableTypeOfValue(value);
  if (storable) return convert(storable.toData(value), ancestors);
  const toJSON: unknown = (value as { toJSON?: unknown }).toJSON;
  return typeof toJSON === 'function' ? convert(toJSON.call(value, ''), ancestors) : NOT_SERIALIZABLE;
}

function members(entries: Iterable<[string, unknown]>, ancestors: Set<object>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, member] of entries) {
    if (member !== undefined) setMember(result, name, convert(member, ancestors));
  }
  return result;
}

function* mapEntries(map: Map<unknown, unknown>, ancestors: Set<object>): Iterable<[string, unknown]> {
  for (const [key, value] of map) {
    const plain = convert(key, ancestors);
    yield [typeof plain === 'string' ? plain : JSON.stringify(plain), value];
  }
}

function errorMembers(error: Error, ancestors: Set<object>): Record<string, unknown> {
  return members(
    [
      ['name', error.name],
      ['message', error.message],
      ['code', (error as { code?: unknown }).code],
      ['cause', error.cause],
    ],
    ancestors,
  );
}
