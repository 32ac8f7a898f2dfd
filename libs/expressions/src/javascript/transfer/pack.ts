import { isAnyArrayBuffer, isDate, isMap, isNativeError, isSet, isTypedArray, isUint8Array } from 'node:util/types';
import { isInAnyCasing, storableTypeOfValue, unreadMemberOf } from '@waymark/core/adapter';
import { ExpressionTransferError } from '../../errors/expression-errors.js';
import type { Contents } from './kept-contents.js';
import { MARK, MAX_DEPTH } from './marks.js';
import { isPlainObject } from './plain-object.js';

/**
 * A value on its way into the sandbox: a primitive as it is, bytes, or a text whose first character says how to read the
 * rest (see `marks.ts`). JSON text is by far the cheapest way for data to cross: reading an object of 1 kB member by
 * member through handles costs ten times as much.
 */
export type Packed = number | boolean | null | undefined | string | Uint8Array;

/**
 * Packs any value of the host. Functions, symbols and streams do not cross, so no host object can be reached from a
 * script: what arrives is a copy.
 * @param contents where large bytes of objects stay; without it all of them cross
 * @throws ExpressionTransferError for values that are not data
 */
export function pack(value: unknown, contents?: Contents): Packed {
  switch (typeof value) {
    case 'string':
      return packText(value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    case 'bigint':
      return `b${value}`;
    case 'object':
      if (value === null || isUint8Array(value)) return value;
      return packObject(value, contents);
    default:
      throw notData(value);
  }
}

/** Packs a value as text in any case, for comparison with what the sandbox sends back. */
export function packAsText(value: unknown, contents?: Contents): string {
  switch (typeof value) {
    case 'number':
      return `n${value}`;
    case 'boolean':
      return value ? 't' : 'f';
    case 'undefined':
      return 'u';
    default: {
      const packed = value === null ? '0' : isUint8Array(value) ? packObject(value, contents) : pack(value, contents);
      return packed as string;
    }
  }
}

// Texts cross as zero-terminated UTF-8, which has no place for NUL and lone surrogates; \u0001 separates arguments.
// oxlint-disable-next-line no-control-regex -- the characters are what it is about
const needsEscape = /[\0\u0001\p{Surrogate}]/u;

function packText(text: string): string {
  return needsEscape.test(text) ? `j${JSON.stringify(text)}` : `s${text}`;
}

function packObject(value: object, contents: Contents | undefined): string {
  const walk: Walk = { marked: false, contents };
  const plain = toJsonData(value, 0, walk);
  return (walk.marked ? 'm' : 'j') + JSON.stringify(plain);
}

interface Walk {
  /** True as soon as something was marked, so that the sandbox has to look for marks. */
  marked: boolean;
  readonly contents: Contents | undefined;
}

function toJsonData(value: unknown, depth: number, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : mark(walk, 'n', String(value));
    case 'bigint':
      return mark(walk, 'b', String(value));
    case 'undefined':
      return mark(walk, 'u');
    case 'object':
      return value === null ? null : objectData(value, depth, walk);
    default:
      throw notData(value);
  }
}

function mark(walk: Walk, ...content: unknown[]): unknown {
  walk.marked = true;
  return { [MARK]: content };
}

function objectData(value: object, depth: number, walk: Walk): unknown {
  if (depth > MAX_DEPTH) {
    throw new ExpressionTransferError(
      `A value that a script asked for is circular, or nested more than ${MAX_DEPTH} levels deep.`,
    );
  }
  if (Array.isArray(value)) return listData(value, depth, walk);
  if (isPlainObject(value)) return memberData(value, depth, walk);
  if (isDate(value)) return mark(walk, 'd', Number.isNaN(value.getTime()) ? null : value.getTime());
  if (isUint8Array(value))
    return mark(walk, 'y', Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1'));
  if (isAnyArrayBuffer(value)) return mark(walk, 'y', Buffer.from(value).toString('latin1'));
  if (isTypedArray(value)) return listData(Array.from<unknown>(value as ArrayLike<unknown>), depth, walk);
  const storable = storableTypeOfValue(value);
  if (storable) return toJsonData(storable.toData(value), depth + 1, walk);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return toJsonData(toJSON.call(value, ''), depth + 1, walk);
  if (isMap(value)) return memberData(Object.fromEntries(value) as object, depth, walk);
  if (isSet(value)) return listData([...value], depth, walk);
  if (isNativeError(value)) return { name: value.name, message: value.message };
  throw notData(value);
}

/** The list itself when nothing in it has to change. */
function listData(list: readonly unknown[], depth: number, walk: Walk): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const data = toJsonData(list[i], depth + 1, walk);
    if (data !== list[i]) (copy ??= [...list])[i] = data;
  }
  return copy ?? list;
}

/** The object itself when nothing in it has to change. */
function memberData(object: object, depth: number, walk: Walk): unknown {
  const members = object as Record<string, unknown>;
  const names = Object.keys(members);
  const unread = unreadMemberOf(object);
  let copy: Record<string, unknown> | undefined;
  for (const name of names) {
    // Such a member would change the prototype of whatever a script copies it to.
    if (name === '__proto__') {
      copy ??= withoutReading(members, unread);
      delete copy[name];
      continue;
    }
    const number = name === unread ? walk.contents?.keepUnread(object, name) : undefined;
    if (number !== undefined) {
      // Not compared with the member, which that would read.
      copy ??= withoutReading(members, unread);
      copy[name] = mark(walk, 'l', number);
      continue;
    }
    const data = keptData(members[name], walk) ?? toJsonData(members[name], depth + 1, walk);
    if (data !== members[name]) (copy ??= withoutReading(members, unread))[name] = data;
  }
  const result = copy ?? members;
  // Data that looks like a mark crosses as a list of entries, where names are mere data.
  const data = MARK in result ? mark(walk, 'o', Object.entries(result)) : result;
  return isInAnyCasing(object) ? mark(walk, 'c', data) : data;
}

/** A copy in which the member that has to be read stands empty. */
function withoutReading(members: Record<string, unknown>, unread: string | undefined): Record<string, unknown> {
  if (unread === undefined) return { ...members };
  return Object.fromEntries(Object.keys(members).map((name) => [name, name === unread ? null : members[name]]));
}

/** What stands for bytes that stay with the host. */
function keptData(value: unknown, walk: Walk): unknown {
  if (walk.contents === undefined || !isUint8Array(value)) return undefined;
  const number = walk.contents.keep(value);
  return number === undefined ? undefined : mark(walk, 'l', number);
}

function notData(value: unknown): ExpressionTransferError {
  const what =
    typeof value === 'object' ? `an instance of ${value?.constructor?.name ?? 'a class'}` : `a ${typeof value}`;
  return new ExpressionTransferError(
    `A script asked for a value that is or contains ${what}. Give it a toJSON method, or use a plain object.`,
  );
}
