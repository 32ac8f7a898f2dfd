import { isWaymarkError } from '@waymark/core';
import { isUnreadableHere } from '../outages/unreadable-here.js';
import type { DefinitionStore, DefinitionVersion, LoadedDefinition } from '../persistence/definition-store.js';
import { inChunks } from '../persistence/in-chunks.js';

/** Definitions that are read at once: the event loop gets its turn in between. */
const CHUNK = 50;

/** A version whose row was damaged (`WM1054`), or that a newer version of Waymark wrote (`WM2053`). */
export interface UnreadableDefinition {
  readonly version: DefinitionVersion;
  readonly error: Error;
}

/** Whether a row that was read with others is at fault, and not the store. */
export const isUnreadableRow = (error: unknown): error is Error =>
  isWaymarkError(error, 'WM1054') || isUnreadableHere(error);

/**
 * Reads versions with their content, some at a time. What cannot be read stands alone: with one damaged row, no node would start, and
 * none would follow what others publish (ADR 156).
 */
export async function readDefinitions(
  store: DefinitionStore,
  versions: readonly DefinitionVersion[],
  readable: (definition: LoadedDefinition) => void,
): Promise<UnreadableDefinition[]> {
  const unreadable: UnreadableDefinition[] = [];
  const read = async (chunk: readonly DefinitionVersion[]): Promise<void> => {
    try {
      const { items } = await store.findMany({ ids: chunk.map(({ id }) => id) });
      for (const definition of items) readable(definition);
    } catch (error) {
      if (!isUnreadableRow(error)) throw error;
      if (chunk.length > 1) await inChunks(chunk, Math.ceil(chunk.length / 2), read);
      else unreadable.push({ version: chunk[0]!, error });
    }
  };
  await inChunks(versions, CHUNK, read);
  return unreadable;
}

/** All versions of a definition, those that cannot be read apart. */
export interface KnownVersions {
  readonly stored: readonly LoadedDefinition[];
  /** Neither published nor the latest. */
  readonly unreadable: readonly UnreadableDefinition[];
}

/**
 * Reads all versions of a definition with their content. An old one that cannot be read concerns its own instances only.
 * @throws StoredValueError, NewerFormatError the published or the latest version cannot be read: a change of the others would also have to
 *   write that one
 */
export async function readVersionsOf(store: DefinitionStore, definitionId: string): Promise<KnownVersions> {
  try {
    return { stored: (await store.findMany({ definitionId })).items, unreadable: [] };
  } catch (error) {
    if (!isUnreadableRow(error)) throw error;
  }
  const stored: LoadedDefinition[] = [];
  const unreadable = await readDefinitions(store, await store.findVersions({ definitionId }), (d) => stored.push(d));
  const inTheWay = unreadable.find(({ version }) => version.isPublished || version.isLatest);
  if (inTheWay) throw inTheWay.error;
  return { stored, unreadable };
}
