import { isEncryptingDriver } from '../graph/compile-variable.js';
import { EncryptedValue } from '../values/encrypted-value.js';
import { setMember } from '../values/plain-object.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import type { Bookmark, WorkflowState } from '../state/workflow-state.js';

/*
 * Where encrypted values stand in a state. A value is encrypted for its place and cannot be moved to another one, so these names
 * are part of the stored form.
 */

export const variablePlace = (contextId: string, id: string): string => `variable ${id} of ${contextId}`;
export const propertyPlace = (contextId: string, name: string): string => `property ${name} of ${contextId}`;
export const scheduledPlace = (nodeId: string, id: string): string => `variable ${id} of scheduled ${nodeId}`;
export const inputPlace = (contextId: string, name: string): string => `input ${name} of ${contextId}`;
const workflowInputPlace = (name: string): string => `input ${name.toLowerCase()}`;
const bookmarkPlace = (id: string): string => `payload of bookmark ${id}`;

/** The input to be stored, in an object that is the caller's to change. */
export function sealInput(wec: WorkflowExecutionContext, kept: Record<string, unknown>): Record<string, unknown> {
  for (const key of encryptedKeys(wec, kept)) setMember(kept, key, wec.vault.seal(kept[key], workflowInputPlace(key)));
  return kept;
}

export function openInput({ vault }: WorkflowExecutionContext, input: WorkflowState['input']): Record<string, unknown> {
  return { ...vault.openMembers(input, workflowInputPlace) };
}

/** What is stored encrypted is not shown by the journal, from the first activity on. */
export function noteEncryptedInput(wec: WorkflowExecutionContext): void {
  for (const key of encryptedKeys(wec, wec.input)) wec.secrets.noteEncrypted(wec.input[key]);
}

function encryptedKeys(
  { graph }: WorkflowExecutionContext,
  input: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (graph.definition.inputs.length === 0) return NONE;
  const names = new Set(
    graph.definition.inputs
      .filter(({ storageDriverType }) => isEncryptingDriver(storageDriverType))
      .map(({ name }) => name.toLowerCase()),
  );
  return names.size === 0 ? NONE : Object.keys(input).filter((key) => names.has(key.toLowerCase()));
}

const NONE: readonly string[] = [];

/** A payload is encrypted where one of its texts is the whole of a value that is. */
export function sealBookmarks({ bookmarks, secrets: { known }, vault }: WorkflowExecutionContext): Bookmark[] {
  const all = [...bookmarks.values()];
  if (!known?.hasEncrypted) return all;
  return all.map((bookmark) =>
    holds(bookmark.payload, (text) => known.isEncrypted(text))
      ? { ...bookmark, payload: vault.seal(bookmark.payload, bookmarkPlace(bookmark.id)) }
      : bookmark,
  );
}

export function openBookmark({ vault }: WorkflowExecutionContext, bookmark: Bookmark): Bookmark {
  const { id, payload } = bookmark;
  return payload instanceof EncryptedValue
    ? { ...bookmark, payload: vault.open(payload, () => bookmarkPlace(id)) }
    : bookmark;
}

/** A value to store that nothing says is to be encrypted: it is, where a workflow has copied into it what is. */
export function sealCopy(
  { secrets: { known }, vault }: WorkflowExecutionContext,
  value: unknown,
  placeOf: () => string,
): unknown {
  if (!known?.hasEncrypted) return value;
  return holds(value, (text) => known.hasEncryptedIn(text)) ? vault.seal(value, placeOf()) : value;
}

/** The same of the members of an object. */
export function sealCopies<T extends Readonly<Record<string, unknown>>>(
  wec: WorkflowExecutionContext,
  members: T,
  placeOf: (name: string) => string,
): T {
  if (!wec.secrets.known?.hasEncrypted) return members;
  const entries = Object.entries(members).map(([name, value]) => [name, sealCopy(wec, value, () => placeOf(name))]);
  return Object.fromEntries(entries) as T;
}

const MAX_DEPTH = 32;

function holds(value: unknown, isMeant: (text: string) => boolean, depth = 0): boolean {
  if (typeof value === 'string') return isMeant(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || ArrayBuffer.isView(value)) return false;
  const items = value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value);
  return items.some((item) => holds(item, isMeant, depth + 1));
}
