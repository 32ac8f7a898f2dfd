import type { WorkflowState } from '@waymark/core';
import { REDACTED } from '@waymark/core/adapter';
import { isObject } from '../requests/json-values.js';

/** Places that are named of one instance. */
const MOST_PLACES = 20;

/**
 * An export shows marks in place of secrets. Where the file still has what was shown of the instance that is here, it keeps the secret: by the
 * mark, it would be lost, and no reader of the file could tell.
 * @param shown the stored state as an export shows it
 */
export function withKeptSecrets(file: WorkflowState, stored: WorkflowState, shown: WorkflowState): WorkflowState {
  return kept(file, stored, shown) as WorkflowState;
}

/** Copies only what changes. */
function kept(file: unknown, stored: unknown, shown: unknown): unknown {
  if (typeof file === 'string') return file === shown && isMarked(file) ? stored : file;
  if (Array.isArray(file)) {
    // A member with a sensitive name, whose items are hidden each, is a list in both.
    if (!Array.isArray(stored) || !Array.isArray(shown)) return file;
    const indexOf = indexIn(stored);
    return changed(file, (item, index) => {
      const at = indexOf(item, index);
      return kept(item, stored[at], shown[at]);
    });
  }
  if (!isPlain(file) || !isObject(stored) || !isObject(shown)) return file;
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(file)) {
    if (!Object.hasOwn(stored, name)) continue;
    const next = kept(member, stored[name], shown[name]);
    if (next !== member) (copy ??= { ...file })[name] = next;
  }
  return copy ?? file;
}

function changed(items: readonly unknown[], of: (item: unknown, index: number) => unknown): readonly unknown[] {
  const next = items.map(of);
  return next.some((item, index) => item !== items[index]) ? next : items;
}

/** Executions, bookmarks and variables by their ids: others of the list may be gone. */
function indexIn(stored: readonly unknown[]): (item: unknown, index: number) => number {
  const byId = new Map(stored.map((item, index) => [idOf(item), index]));
  return (item, index) => {
    const id = idOf(item);
    return id === undefined ? index : (byId.get(id) ?? -1);
  };
}

const idOf = (item: unknown): unknown => (isObject(item) && typeof item.id === 'string' ? item.id : undefined);

/** Instances of classes stay what they are; marks in them are named. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

const isMarked = (text: string): boolean => text.includes(REDACTED);

/** Where a file has marks, as far as they are named: `activityExecutionContexts[1].properties.login.password`. */
export function markedPlaces(value: unknown): readonly string[] {
  const places: string[] = [];
  const look = (part: unknown, place: string): void => {
    if (places.length === MOST_PLACES) return;
    if (typeof part === 'string') {
      if (isMarked(part)) places.push(place);
    } else if (Array.isArray(part)) for (const [index, item] of part.entries()) look(item, `${place}[${index}]`);
    else if (part instanceof Map) for (const [name, item] of part) look(item, `${place}.${String(name)}`);
    else if (isObject(part))
      for (const [name, member] of Object.entries(part)) look(member, place === '' ? name : `${place}.${name}`);
  };
  look(value, '');
  return places;
}
