/** Values that are looked at; nearly all records have fewer. What has more is left to the one who rewrites them. */
const MOST_VALUES = 200;
const NOT_PLAIN = -1;

export interface PlainRules {
  /** Returns false if a member with that name is hidden, or changed. Not asked for those that are null, undefined, true or false. */
  readonly isPlainMember: (name: string, member: unknown) => boolean;
  /** Returns false if there is something to hide in the text. */
  readonly isPlainText: (text: string) => boolean;
}

/**
 * Returns true if there is nothing to hide in the value, which can stay as it is. If false, that cannot be said at a glance. Nearly all
 * values that a journal takes are so, and this look at them makes no objects and keeps no paths.
 */
export function isClearlyPlain(value: unknown, rules: PlainRules): boolean {
  try {
    return lookAt(value, rules, MOST_VALUES) !== NOT_PLAIN;
  } catch {
    // A getter failed, for example: the careful way knows what to do.
    return false;
  }
}

/** @returns how many more values may be looked at: it ends in what refers back to itself, too */
function lookAt(value: unknown, rules: PlainRules, left: number): number {
  if (typeof value === 'string') return rules.isPlainText(value) ? left : NOT_PLAIN;
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) return lookAtItems(value, rules, left);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null)
    return lookAtMembers(value as Record<string, unknown>, rules, left);
  return prototype === Date.prototype ? left : NOT_PLAIN;
}

function lookAtItems(items: readonly unknown[], rules: PlainRules, left: number): number {
  let more = left - items.length;
  for (let i = 0; i < items.length && more >= 0; i++) more = lookAt(items[i], rules, more);
  return more < 0 ? NOT_PLAIN : more;
}

function lookAtMembers(members: Readonly<Record<string, unknown>>, rules: PlainRules, left: number): number {
  let more = left;
  for (const name in members) {
    if (--more < 0) return NOT_PLAIN;
    const member = members[name];
    if (member === null || member === undefined || typeof member === 'boolean') continue;
    if (!rules.isPlainMember(name, member)) return NOT_PLAIN;
    more = lookAt(member, rules, more);
    if (more < 0) return NOT_PLAIN;
  }
  return more;
}
