import { storableTypeOfValue } from '@waymark/core/adapter';

type Members = Record<string, unknown>;

/** What has members of its own to be looked at: no dates, and no bytes, of which each would be one. */
function membersOf(value: unknown): Members | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Date || ArrayBuffer.isView(value))
    return undefined;
  return value as Members;
}

const isInstance = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && storableTypeOfValue(value) !== undefined;

/** Returns true if parts of the value are instances of registered classes, and have been written as data. */
export function holdsInstances(value: unknown, plain: unknown): boolean {
  const [members, data] = [membersOf(value), membersOf(plain)];
  if (!members || !data) return false;
  return Object.keys(members).some(
    (key) => membersOf(data[key]) && (isInstance(members[key]) || holdsInstances(members[key], data[key])),
  );
}

/**
 * Puts instances of registered classes into the data where they would come back without their class, since no `@Type` names
 * it: the codec writes them under the name of their class.
 * @param again what the data would come back as
 */
export function keepInstances(value: unknown, plain: unknown, again: unknown): void {
  const [members, data, back] = [membersOf(value), membersOf(plain), membersOf(again)];
  if (!members || !data || !back) return;
  for (const [key, member] of Object.entries(members)) {
    const [part, restored] = [membersOf(data[key]), membersOf(back[key])];
    if (!part || !restored) continue;
    if (isInstance(member) && Object.getPrototypeOf(restored) !== Object.getPrototypeOf(member)) data[key] = member;
    else keepInstances(member, part, restored);
  }
}

/** Puts such instances back into what was made of the data: class-transformer would copy their members only. */
export function putBackInstances(data: unknown, made: unknown): void {
  const [members, target] = [membersOf(data), membersOf(made)];
  if (!members || !target) return;
  for (const [key, member] of Object.entries(members)) {
    if (isInstance(member)) {
      if (key in target) target[key] = member;
    } else putBackInstances(member, target[key]);
  }
}
