import { types } from 'node:util';
import type { WorkflowState } from '@waymark/core';
import type { LoadedInstance, WorkflowInstanceRecord } from '../records.js';
import { copyOf, isolate, NEEDS_CODEC } from './isolate.js';

/** In place of the many members that are empty. Rows are never changed, and never leave the store but as copies. */
const EMPTY_LIST: readonly never[] = Object.freeze([]);
const EMPTY_OBJECT = Object.freeze({});

const CONTEXTS = 'activityExecutionContexts' satisfies keyof WorkflowState;

/**
 * A private copy of an instance, equal to what `isolate` makes of it, in half of the memory: thousands of finished
 * instances are kept, and each of their objects is moved by the garbage collector twice.
 * @throws ValueNotStorableError
 */
export function toInstanceRow(instance: WorkflowInstanceRecord, revision: number): LoadedInstance {
  const state = copyMembers(instance.state, new DateCopies()) as WorkflowState | typeof NEEDS_CODEC;
  if (state === NEEDS_CODEC) return { ...isolate(instance, 'instance'), revision };
  const row = { ...instance, state, revision };
  for (const name of ['createdAt', 'updatedAt', 'finishedAt'] as const) {
    const date = instance[name];
    // Nearly always the very date of the state, whose copy it shares.
    const copied = date === instance.state[name] ? state[name] : copyOf(date);
    if (copied === NEEDS_CODEC) return { ...isolate(instance, 'instance'), revision };
    if (date !== undefined) row[name] = copied as Date;
  }
  return row;
}

/** A clone keeps the shape and is one allocation; the members that are objects are then replaced by copies. */
function copyMembers(source: object, dates: DateCopies): unknown {
  if (Object.getPrototypeOf(source) !== Object.prototype) return copyOf(source);
  const target = { ...source } as Record<string, unknown>;
  for (const key of Object.keys(target)) {
    const value = target[key];
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function' && typeof value !== 'symbol')
      continue;
    const copied = key === CONTEXTS && Array.isArray(value) ? copyContexts(value, dates) : copyMember(value, dates);
    if (copied === NEEDS_CODEC) return NEEDS_CODEC;
    target[key] = copied;
  }
  return target;
}

/** Copies of executions; `NEEDS_CODEC`: one of them has to go through it. */
export function copyContexts(contexts: readonly unknown[], dates = new DateCopies()): unknown {
  const target: unknown[] = [];
  for (const context of contexts) {
    const isObject = typeof context === 'object' && context !== null;
    const copied = isObject ? copyMembers(context, dates) : copyOf(context);
    if (copied === NEEDS_CODEC) return NEEDS_CODEC;
    target.push(copied);
  }
  return target;
}

const copyMember = (value: unknown, dates: DateCopies): unknown =>
  value instanceof Date ? dates.of(value) : (emptyOf(value) ?? copyOf(value));

/** What stands for a value without members; undefined for any other. */
function emptyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? EMPTY_LIST : undefined;
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.keys(value as object).length === 0 ? EMPTY_OBJECT : undefined;
}

/** Most dates of an instance that is done at once show the same time: they share a copy. */
class DateCopies {
  private latest: Date | undefined;

  of(date: Date): unknown {
    if (this.latest && types.isDate(date) && date.getTime() === this.latest.getTime()) return this.latest;
    const copied = copyOf(date);
    if (types.isDate(copied)) this.latest = copied;
    return copied;
  }
}
