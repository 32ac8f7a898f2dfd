import { inAnyCasing, isInAnyCasing } from './any-casing.js';
import { hasManyGaps } from './gaps.js';
import { objectKind } from './object-kind.js';
import { isPlainObject, setMember } from './plain-object.js';
import { InstanceData, storableTypeOfValue } from './storable-type.js';
import { unreadMemberOf } from './unread-member.js';

/** Deeper values are refused where they are stored. */
const MAX_DEPTH = 1000;

/**
 * The value as it is now. What is sent is stored with the commit of the burst, and the steps until then may change objects in place.
 * Bytes, files and instances of classes that are not stored stay as they are, and so does what cannot be stored: that says so then.
 */
export function valueNow<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  try {
    return copyOf(value, []) as T;
  } catch {
    return value;
  }
}

function copyOf(value: unknown, ancestors: object[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ancestors.length > MAX_DEPTH || ancestors.includes(value)) throw new Error('cannot be stored');
  ancestors.push(value);
  const copy = copyOfObject(value, ancestors);
  ancestors.pop();
  return copy;
}

function copyOfObject(value: object, ancestors: object[]): unknown {
  // To walk its empty places takes minutes, and it is not stored.
  if (Array.isArray(value)) return hasManyGaps(value) ? value : value.map((item) => copyOf(item, ancestors));
  if (isPlainObject(value)) return copyOfMembers(value, ancestors);
  switch (objectKind(value)) {
    case 'map':
      return new Map(
        [...(value as Map<unknown, unknown>)].map((entry) => copyOf(entry, ancestors) as [unknown, unknown]),
      );
    case 'set':
      return new Set([...(value as Set<unknown>)].map((item) => copyOf(item, ancestors)));
    case 'date':
      return new Date((value as Date).getTime());
    default:
      return copyOfInstance(value, ancestors);
  }
}

function copyOfMembers(value: Record<string, unknown>, ancestors: object[]): object {
  if (unreadMemberOf(value) !== undefined) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) setMember(copy, name, copyOf(value[name], ancestors));
  return isInAnyCasing(value) ? inAnyCasing(copy) : copy;
}

function copyOfInstance(value: object, ancestors: object[]): object {
  const storable = storableTypeOfValue(value);
  return storable ? InstanceData.restore(storable.name, copyOf(storable.toData(value), ancestors)) : value;
}
