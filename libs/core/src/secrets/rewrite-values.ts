import { EncryptedValue } from '../values/encrypted-value.js';
import { inAnyCasing, isInAnyCasing } from '../values/any-casing.js';
import { hasManyGaps } from '../values/gaps.js';
import { isPlainObject, setMember } from '../values/plain-object.js';
import { InstanceData, storableTypeOfValue } from '../values/storable-type.js';
import { findUnstorable } from '../values/unstorable.js';

/** What becomes of the parts of a value; each returns what it is given where nothing is to change. */
export interface RewriteRules {
  readonly text: (text: string) => string;
  /** Not asked for members that are null, undefined, true or false: these are no secrets. */
  readonly member: (name: string, value: unknown) => unknown;
  /** Of the names of members, where they may hold a secret: a script can make them of anything. @default they stay */
  readonly name?: (name: string) => string;
  /** In place of a value that is encrypted. @default it is left alone */
  readonly encrypted?: string;
}

/** Deeper values are refused where they are stored. */
const MAX_DEPTH = 1000;

/**
 * The value with its texts and members rewritten. What does not change is not copied, and nothing is changed in place: the
 * burst continues with the values as they were. Instances of classes that are not stored, and bytes, are left
 * alone.
 */
export function rewriteValues<T>(value: T, rules: RewriteRules): T {
  try {
    return rewrite(value, rules, []) as T;
  } catch (error) {
    // A getter failed, for example. Then it cannot be stored, and says so there.
    if (findUnstorable(value, '')) return value;
    throw error;
  }
}

function rewrite(value: unknown, rules: RewriteRules, ancestors: object[]): unknown {
  if (typeof value === 'string') return rules.text(value);
  if (typeof value !== 'object' || value === null) return value;
  // What refers back to itself cannot be stored, and says so there.
  if (ancestors.length > MAX_DEPTH || ancestors.includes(value)) return value;
  ancestors.push(value);
  const rewritten = rewriteObject(value, rules, ancestors);
  ancestors.pop();
  return rewritten;
}

function rewriteObject(value: object, rules: RewriteRules, ancestors: object[]): unknown {
  if (Array.isArray(value)) return rewriteItems(value, rules, ancestors);
  if (isPlainObject(value)) return rewriteMembers(value, rules, ancestors);
  if (value instanceof InstanceData) {
    const data = value.get('data');
    const next = rewrite(data, rules, ancestors);
    return next === data ? value : InstanceData.of(value.get('type') as string, next);
  }
  if (value instanceof Map) {
    const entries = [...(value as Map<unknown, unknown>)];
    const next = entries.map(
      ([key, item]) => [rewriteKey(key, rules), rewriteMember(key, item, rules, ancestors)] as const,
    );
    return next.some(([key, item], i) => key !== entries[i]![0] || item !== entries[i]![1]) ? new Map(next) : value;
  }
  if (value instanceof Set) {
    const items = [...(value as Set<unknown>)];
    const next = rewriteItems(items, rules, ancestors);
    return next === items ? value : new Set(next);
  }
  if (rules.encrypted !== undefined && value instanceof EncryptedValue) return rules.encrypted;
  return rewriteInstance(value, rules, ancestors);
}

/** Of a class that is stored: what would be written is looked through, and stands for the instance where it changes. */
function rewriteInstance(value: object, rules: RewriteRules, ancestors: object[]): unknown {
  const storable = storableTypeOfValue(value);
  if (!storable) return value;
  let data: unknown;
  try {
    data = storable.toData(value);
  } catch {
    // It cannot be stored, and says so there.
    return value;
  }
  const next = rewrite(data, rules, ancestors);
  return next === data ? value : InstanceData.of(storable.name, next);
}

function rewriteItems(items: unknown[], rules: RewriteRules, ancestors: object[]): unknown[] {
  // It cannot be stored, and says so there.
  if (hasManyGaps(items)) return items;
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const next = rewrite(items[i], rules, ancestors);
    if (next !== items[i]) (copy ??= items.slice())[i] = next;
  }
  return copy ?? items;
}

function rewriteMembers(value: Record<string, unknown>, rules: RewriteRules, ancestors: object[]): object {
  if (rules.name && Object.keys(value).some((name) => rules.name!(name) !== name))
    return rewriteNamedMembers(value, rules, ancestors);
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    const member = value[name];
    const next = rewriteMember(name, member, rules, ancestors);
    if (next !== member) setMember((copy ??= { ...value }), name, next);
  }
  return copy && isInAnyCasing(value) ? inAnyCasing(copy) : (copy ?? value);
}

/** Where the name of one at least changes. Two that are the same then are one. */
function rewriteNamedMembers(value: Record<string, unknown>, rules: RewriteRules, ancestors: object[]): object {
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value))
    setMember(copy, rules.name!(name), rewriteMember(name, member, rules, ancestors));
  return isInAnyCasing(value) ? inAnyCasing(copy) : copy;
}

const rewriteKey = (key: unknown, rules: RewriteRules): unknown =>
  typeof key === 'string' && rules.name ? rules.name(key) : key;

function rewriteMember(name: unknown, member: unknown, rules: RewriteRules, ancestors: object[]): unknown {
  // Most members of most records.
  if (member === null || member === undefined || typeof member === 'boolean') return member;
  if (typeof name === 'string') {
    const own = rules.member(name, member);
    if (own !== member) return own;
  }
  if (typeof member === 'string') return rules.text(member);
  return typeof member === 'object' ? rewrite(member, rules, ancestors) : member;
}
