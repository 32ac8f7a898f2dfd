import { objectKind } from './object-kind.js';
import { setMember } from './plain-object.js';
import { ValueConversionError } from './value-conversion-error.js';
import type { ValueType } from './value-type.js';

type ConvertMember = (member: unknown, type: ValueType) => unknown;

/** A list, element by element. Text that is not a list becomes a list of one: nothing is split at commas. */
export function convertList(value: unknown, type: ValueType, convert: ConvertMember): unknown {
  if (value === null) return null;
  const items = itemsOf(value, type);
  const { element } = type;
  const converted = element && !takesAnything(element) ? convertItems(items, element, convert) : items;
  return type.alias.startsWith('HashSet<') ? distinct(converted) : converted;
}

function itemsOf(value: unknown, type: ValueType): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [value];
  if (typeof value === 'object' && value !== null && objectKind(value) === 'set') return [...(value as Set<unknown>)];
  throw new ValueConversionError(value, type, 'it is not a list; give a list, or its JSON text');
}

/** The same array when nothing had to be converted: the common case, and then it costs no allocation. */
function convertItems(items: readonly unknown[], element: ValueType, convert: ConvertMember): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const item = convert(items[i], element);
    if (!copy && !Object.is(item, items[i])) copy = items.slice(0, i);
    copy?.push(item);
  }
  return copy ?? items;
}

function distinct(items: readonly unknown[]): readonly unknown[] {
  const unique = new Set(items);
  return unique.size === items.length ? items : [...unique];
}

/** A plain object with converted members; the same object when nothing had to be converted. */
export function convertDictionary(value: unknown, type: ValueType, convert: ConvertMember): unknown {
  if (value === null) return null;
  const kind = typeof value === 'object' ? objectKind(value) : undefined;
  if (kind !== 'plain' && kind !== 'map' && kind !== 'other') {
    throw new ValueConversionError(value, type, 'it has no members; give an object, or its JSON text');
  }
  const { element } = type;
  const members =
    kind === 'map' ? Object.fromEntries(value as Map<string, unknown>) : (value as Record<string, unknown>);
  return element && !takesAnything(element) ? convertMembers(members, element, convert) : members;
}

function convertMembers(
  members: Record<string, unknown>,
  element: ValueType,
  convert: ConvertMember,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  let changed = false;
  for (const [name, member] of Object.entries(members)) {
    const converted = convert(member, element);
    changed ||= !Object.is(converted, member);
    setMember(result, name, converted);
  }
  return changed ? result : members;
}

const takesAnything = (type: ValueType): boolean => type.alias === 'Object' || type.alias === 'Object?';
