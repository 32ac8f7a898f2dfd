import { isDate, isUint8Array } from 'node:util/types';
import { inAnyCasing, isInAnyCasing, unreadMemberOf } from '@waymark/core/adapter';
import { MARK } from '../transfer/marks.js';
import { isPlainObject } from '../transfer/plain-object.js';
import { bailOut } from './bail-out.js';
import type { Run } from './run.js';

/** Deeper data is left to the sandbox, whose stack decides. */
const MAX_DEPTH = 32;

/**
 * Lets a value of the host in. In the sandbox scripts get a copy of it; here they get the value itself, which makes no
 * difference to an expression that changes nothing, as long as the copy would have been the same: a tree of primitives,
 * plain objects and arrays. Dates and bytes may be passed on, but not looked
 * into.
 */
export function admit(value: unknown, run: Run): unknown {
  switch (typeof value) {
    case 'string':
      run.spend(value.length);
      return value;
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    case 'object':
      if (value !== null) admitObject(value, 0, run);
      return value;
    default:
      return bailOut();
  }
}

function admitObject(value: object, depth: number, run: Run): void {
  if (depth > MAX_DEPTH) bailOut();
  if (Array.isArray(value)) {
    run.spend(value.length);
    for (let i = 0; i < value.length; i++) admitMember(value[i], depth, run);
  } else if (isPlainObject(value)) {
    const unread = unreadMemberOf(value);
    for (const name of Object.keys(value)) {
      // Data with members of these names does not cross into the sandbox as it is.
      if (name === '__proto__' || name === MARK) bailOut();
      run.spend(name.length + 1);
      // Bytes, which are not looked into, and so not read.
      if (name !== unread) admitMember(value[name], depth, run);
    }
  } else if (!isDate(value) && !isUint8Array(value)) bailOut();
}

function admitMember(value: unknown, depth: number, run: Run): void {
  switch (typeof value) {
    case 'string':
      return run.spend(value.length);
    case 'number':
      // JSON, in which data crosses into the sandbox, has no negative zero.
      if (value === 0 && Object.is(value, -0)) bailOut();
      return;
    case 'boolean':
    case 'undefined':
      return;
    case 'object':
      if (value !== null) admitObject(value, depth + 1, run);
      return;
    default:
      bailOut();
  }
}

/**
 * Lets a value out: a copy, so that workflow and expression share nothing, and what is not data bails out even when it
 * came to be after it was let in (through a getter, say).
 */
export function copyOut(value: unknown, run: Run, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      run.spend(value.length);
      return value;
    case 'number':
      return value + 0; // never a negative zero
    case 'boolean':
    case 'undefined':
      return value;
    case 'object':
      return value === null ? null : copyObject(value, run, depth);
    default:
      return bailOut();
  }
}

function copyObject(value: object, run: Run, depth: number): unknown {
  if (depth > MAX_DEPTH) bailOut();
  if (Array.isArray(value)) {
    run.spend(value.length);
    const list: unknown[] = [];
    // By index: a list may be of a class of the host, with an iterator of its own.
    for (let i = 0; i < value.length; i++) list.push(copyOut(value[i], run, depth + 1));
    return list;
  }
  if (isDate(value)) {
    const ms = Date.prototype.getTime.call(value);
    // The sandbox refuses to answer with a date that is none.
    return Number.isNaN(ms) ? bailOut() : new Date(ms);
  }
  if (!isPlainObject(value)) return bailOut();
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (name === '__proto__') bailOut();
    run.spend(name.length + 1);
    copy[name] = copyOut(value[name], run, depth + 1);
  }
  return isInAnyCasing(value) ? inAnyCasing(copy) : copy;
}
