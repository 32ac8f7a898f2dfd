import { types } from 'node:util';
import type { ActivityExecutionContextState, WorkflowState } from '@waymark/core';
import type { LoadedInstance, WorkflowInstanceRecord } from '../records.js';
import { copyOf, isolate, NEEDS_CODEC, type Scale } from './isolate.js';

/** In place of the many members that are empty. Rows are never changed, and never leave the store but as copies. */
const EMPTY_LIST: readonly never[] = Object.freeze([]);
const EMPTY_OBJECT = Object.freeze({});

const CONTEXTS = 'activityExecutionContexts' satisfies keyof WorkflowState;
const VARIABLES = 'dynamicVariables' satisfies keyof ActivityExecutionContextState;

/** With fewer executions their lists of variables are not worth a look. */
const LEAST_SHARING = 16;
/** What an execution takes as text beside the values in it. */
const WEIGHT_OF_CONTEXT = 400;

/**
 * A private copy of an instance, equal to what `isolate` makes of it, in half of the memory: thousands of finished
 * instances are kept, and each of their objects is moved by the garbage collector twice.
 * @throws ValueNotStorableError
 */
export function toInstanceRow(instance: WorkflowInstanceRecord, revision: number): LoadedInstance {
  const state = copyMembers(instance.state, new RowCopies()) as WorkflowState | typeof NEEDS_CODEC;
  if (state === NEEDS_CODEC) return { ...isolate(instance, 'instance'), revision };
  const row = rowOf(instance, state, revision);
  for (const name of ['createdAt', 'updatedAt', 'finishedAt'] as const) {
    const date = instance[name];
    // Nearly always the very date of the state, whose copy it shares.
    const copied = date === instance.state[name] ? state[name] : copyOf(date);
    if (copied === NEEDS_CODEC) return { ...isolate(instance, 'instance'), revision };
    if (date !== undefined) row[name] = copied as Date;
  }
  return row;
}

/** Written member by member: to add one to a spread of so many is a call out of compiled code, and costs as much as the rest of the copy. */
const rowOf = (instance: WorkflowInstanceRecord, state: WorkflowState, revision: number): WrittenRow => ({
  id: instance.id,
  definitionId: instance.definitionId,
  definitionVersionId: instance.definitionVersionId,
  version: instance.version,
  parentWorkflowInstanceId: instance.parentWorkflowInstanceId,
  status: instance.status,
  subStatus: instance.subStatus,
  isExecuting: instance.isExecuting,
  correlationId: instance.correlationId,
  name: instance.name,
  incidentCount: instance.incidentCount,
  isSystem: instance.isSystem,
  createdAt: instance.createdAt,
  updatedAt: instance.updatedAt,
  finishedAt: instance.finishedAt,
  state,
  revision,
});

/** Each member has to be named, so that one that records get later is not left out. */
type WrittenRow = { -readonly [Name in keyof Required<LoadedInstance>]: LoadedInstance[Name] };

/** What `isolate` makes of a row, in less time where it has many branches: what they share they share in the copy as well. */
export function isolateRow(row: LoadedInstance, scale: Scale): LoadedInstance {
  const contexts = row.state.activityExecutionContexts;
  if (!Array.isArray(contexts) || contexts.length < LEAST_SHARING) return isolate(row, 'instance', scale);
  const copied = copyContexts(contexts, new LoadedCopies(scale)) as WorkflowState[typeof CONTEXTS] | typeof NEEDS_CODEC;
  if (copied === NEEDS_CODEC) return isolate(row, 'instance', scale);
  const others: LoadedInstance = { ...row, state: { ...row.state, [CONTEXTS]: [] } };
  const loaded = isolate(others, 'instance', scale);
  loaded.state[CONTEXTS] = copied;
  return loaded;
}

/** A clone keeps the shape and is one allocation; the members that are objects are then replaced by copies. */
function copyMembers(source: object, copies: Copies): unknown {
  if (Object.getPrototypeOf(source) !== Object.prototype) return copyOf(source, copies.scale);
  const target = { ...source } as Record<string, unknown>;
  for (const key in target) {
    const value = target[key];
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function' && typeof value !== 'symbol')
      continue;
    const copied = copyMember(key, value, copies);
    if (copied === NEEDS_CODEC) return NEEDS_CODEC;
    target[key] = copied;
  }
  return target;
}

function copyMember(key: string, value: unknown, copies: Copies): unknown {
  if (!Array.isArray(value)) return copies.of(value);
  if (key === CONTEXTS) return copyContexts(value, copies);
  return key === VARIABLES && value.length > 0 ? copies.sharedOf(value) : copies.of(value);
}

/** Copies of executions; `NEEDS_CODEC`: one of them has to go through it. */
export function copyContexts(contexts: readonly unknown[], copies: Copies): unknown {
  const target: unknown[] = [];
  for (const context of contexts) {
    const isObject = typeof context === 'object' && context !== null;
    const copied = isObject ? copyMembers(context, copies) : copyOf(context, copies.scale);
    if (copied === NEEDS_CODEC) return NEEDS_CODEC;
    if (copies.scale) copies.scale.weight += WEIGHT_OF_CONTEXT;
    target.push(copied);
  }
  return target;
}

/** How the parts of a state are copied that branches have many of. */
interface Copies {
  /** Weighs what is copied. */
  readonly scale: Scale | undefined;
  of(value: unknown): unknown;
  /** Of a list that several executions have in common, as the branches of a loop do with what they declare. */
  sharedOf(list: readonly unknown[]): unknown;
}

/** Copies that the application gets: all that it could change is its own. */
export class LoadedCopies implements Copies {
  private readonly lists = new Map<unknown, unknown>();

  constructor(readonly scale: Scale | undefined) {}

  of(value: unknown): unknown {
    return copyOf(value, this.scale);
  }

  sharedOf(list: readonly unknown[]): unknown {
    return copiedOnce(this.lists, list, this.scale);
  }
}

/** Copies that the store keeps. */
export class RowCopies implements Copies {
  readonly scale = undefined;
  private lists: Map<unknown, unknown> | undefined;
  private latest: Date | undefined;

  of(value: unknown): unknown {
    return value instanceof Date ? this.dateOf(value) : (emptyOf(value) ?? copyOf(value));
  }

  sharedOf(list: readonly unknown[]): unknown {
    return copiedOnce((this.lists ??= new Map()), list, undefined);
  }

  /** Most dates of an instance that is done at once show the same time: they share a copy. */
  private dateOf(date: Date): unknown {
    if (this.latest && types.isDate(date) && date.getTime() === this.latest.getTime()) return this.latest;
    const copied = copyOf(date);
    if (types.isDate(copied)) this.latest = copied;
    return copied;
  }
}

function copiedOnce(known: Map<unknown, unknown>, list: readonly unknown[], scale: Scale | undefined): unknown {
  const found = known.get(list);
  if (found) return found;
  const copied = copyOf(list, scale);
  if (copied !== NEEDS_CODEC) known.set(list, copied);
  return copied;
}

/** What stands for a value without members; undefined for any other. */
function emptyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? EMPTY_LIST : undefined;
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && isEmpty(value as object) ? EMPTY_OBJECT : undefined;
}

function isEmpty(value: object): boolean {
  for (const name in value) if (Object.hasOwn(value, name)) return false;
  return true;
}
