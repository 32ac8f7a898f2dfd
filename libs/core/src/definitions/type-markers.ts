import { parseIfJson } from '../values/json-text.js';
import { isPlainObject, setMember } from '../values/plain-object.js';

/** Typed collections in polymorphic data; inside activity nodes there are two more spellings. */
const ELEMENTS = ['_items'] as const;
const ELEMENTS_IN_NODE = ['_items', 'items', 'values'] as const;

/**
 * The value without the type markers that Elsa writes into exports: `_type` goes, `{ "_type": …, "_items": […] }` becomes
 * the list, `{ "_type": "JsonObject", "_island": "…" }` the JSON that stands in the text. Objects without `_type` keep
 * all their members, so data of users that merely looks similar stays as it is. What has none inside is not copied.
 *
 * Not `stripMarkers` of stored state: definitions hold no references, and following some that a client made up would
 * let a small document grow without end.
 */
export function withoutTypeMarkers(value: unknown, isInNode: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return withoutMarkersOfItems(value, isInNode);
  if (!isPlainObject(value)) return value;
  if (!Object.hasOwn(value, '_type')) return withoutMarkersOfMembers(value, isInNode);
  const inner = soleMember(value);
  const names: readonly string[] = isInNode ? ELEMENTS_IN_NODE : ELEMENTS;
  if (inner && Array.isArray(inner.value) && names.includes(inner.name))
    return withoutTypeMarkers(inner.value, isInNode);
  if (inner?.name === '_island' && typeof inner.value === 'string') return parseIfJson(inner.value);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value))
    if (name !== '_type') setMember(copy, name, withoutTypeMarkers(value[name], isInNode));
  return copy;
}

function withoutMarkersOfItems(items: unknown[], isInNode: boolean): unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const item = withoutTypeMarkers(items[i], isInNode);
    if (item !== items[i]) (copy ??= items.slice())[i] = item;
  }
  return copy ?? items;
}

function withoutMarkersOfMembers(value: Record<string, unknown>, isInNode: boolean): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    const member = withoutTypeMarkers(value[name], isInNode);
    if (member !== value[name]) setMember((copy ??= { ...value }), name, member);
  }
  return copy ?? value;
}

/** The only member beside `_type`. With others, the object is more than a wrapper. */
function soleMember(object: Record<string, unknown>): { name: string; value: unknown } | undefined {
  const [name, ...others] = Object.keys(object).filter((key) => key !== '_type');
  return name === undefined || others.length > 0 ? undefined : { name, value: object[name] };
}
