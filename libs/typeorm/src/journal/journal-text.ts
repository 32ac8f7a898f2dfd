import { deserialize } from '@waymark/core/adapter';
import { isWaymarkError, type JournalChunk } from '@waymark/core';
import { PersistenceError } from '@waymark/runtime';
import {
  hasLargeText,
  hasMuchText,
  type JournalValue,
  type LightChunk,
  lighten,
  lightenInTurns,
  type PlacedReference,
  placeReferences,
  withoutUnchanged,
} from '@waymark/runtime/adapter';
import type { Pause } from '../rows/stored-lines.js';
import { serialize as serializeValue, serializeShort } from '../rows/stored-text.js';
import { fromCompact } from './chunk-reader.js';
import { toCompact } from './chunk-writer.js';
import { type CompactChunk, COMPACT_VERSION } from './compact-chunk.js';

export interface ChunkText {
  readonly text: string;
  /** What its references stand for. */
  readonly values: readonly JournalValue[];
}

/** A chunk as it is written when it is not regular, as an import may bring it, and as all were written before. */
type PlainChunk = JournalChunk & { readonly references?: readonly PlacedReference[] };

/** In UTF-8 a character of a text takes no more than three bytes. */
const MOST_BYTES_OF_A_CHARACTER = 3;

/**
 * What a burst adds to the journal, as text: `{"json":[1,…` in the compact form, a fifth of what `{"json":{"log":…` takes,
 * and the values of it that take more than `maxInlineBytes`, which stand beside it.
 * @throws ValueNotStorableError
 */
export function encodeChunk(instanceId: string, chunk: JournalChunk, maxInlineBytes: number): ChunkText {
  const text = textUnlessLarge(instanceId, chunk, maxInlineBytes);
  // As it is for nearly all: nothing in it can be larger than all of it.
  if (text !== undefined && text.length * MOST_BYTES_OF_A_CHARACTER <= maxInlineBytes) return { text, values: [] };
  const written = asWritten(chunk);
  const light = lightened(instanceId, written, maxInlineBytes);
  return light
    ? { text: textOf(instanceId, light.chunk, light.references), values: light.values }
    : { text: text ?? textOf(instanceId, written), values: [] };
}

/** Characters of texts, and bytes, in a chunk that is made text in turns. */
const MUCH_TEXT = 1_000_000;

/**
 * The same with pauses where values of megabytes are made text and hashed. The chunk must not change meanwhile.
 * @throws ValueNotStorableError
 */
export async function encodeChunkInTurns(
  instanceId: string,
  chunk: JournalChunk,
  maxInlineBytes: number,
  pause: Pause,
): Promise<ChunkText> {
  if (!hasLargeValues(chunk)) return encodeChunk(instanceId, chunk, maxInlineBytes);
  const written = asWritten(chunk);
  let light: LightChunk | undefined;
  try {
    light = await lightenInTurns(written, { maxInlineBytes, serialize }, pause);
  } catch (error) {
    throw namingMember(error, instanceId, written);
  }
  await pause();
  return light
    ? { text: textOf(instanceId, light.chunk, light.references), values: light.values }
    : { text: textOf(instanceId, written), values: [] };
}

/** Returns true if its values obviously take long to be made text and hashed. */
export const hasLargeValues = (chunk: JournalChunk): boolean => hasMuchText(chunk, MUCH_TEXT);

/** @throws ValueNotStorableError that names the member, also where a getter fails while sizes are looked at */
function lightened(instanceId: string, written: JournalChunk, maxInlineBytes: number): LightChunk | undefined {
  try {
    return lighten(written, { maxInlineBytes, serialize });
  } catch (error) {
    throw namingMember(error, instanceId, written);
  }
}

/** @throws ValueNotStorableError where making all of it text tells more */
function namingMember(error: unknown, instanceId: string, written: JournalChunk): unknown {
  if (!isWaymarkError(error)) textOf(instanceId, written);
  return error;
}

/** @returns undefined when a value in it is at first sight too large for its place */
function textUnlessLarge(instanceId: string, chunk: JournalChunk, maxInlineBytes: number): string | undefined {
  const compact = toCompact(instanceId, chunk);
  const made = compact && serializeShort(compact, maxInlineBytes);
  if (typeof made === 'object') return made.text;
  return made === 'long' || hasLargeText(chunk, maxInlineBytes) ? undefined : textOf(instanceId, chunk);
}

/** No expression reads a journal: which objects of it are read in any casing is left out. */
const serialize = (value: unknown): string => serializeValue(value, 'journal', 'none');

function asWritten({ log, records }: JournalChunk): JournalChunk {
  return { log, records: records.map(withoutUnchanged) };
}

/** What is unchanged is left out. The compact form does so without a copy of each record, which took as long as to write it. */
function textOf(instanceId: string, chunk: JournalChunk, references?: readonly PlacedReference[]): string {
  const compact = toCompact(instanceId, chunk);
  const plain = (): string => {
    const written = asWritten(chunk);
    return serialize(references ? { ...written, references } : written);
  };
  if (!compact) return plain();
  if (references) compact.push(references);
  try {
    return serialize(compact);
  } catch {
    // The error is to name the member, not its position.
    return plain();
  }
}

/** @throws PersistenceError when a newer version of this package wrote it */
export function decodeChunk(text: string): JournalChunk {
  const stored = deserialize<PlainChunk | CompactChunk>(text);
  const isCompact = Array.isArray(stored);
  if (isCompact && stored[0] !== COMPACT_VERSION)
    throw new PersistenceError(
      `The journal was written in form ${stored[0]}, which this version of @waymark/typeorm cannot read. Update this node.`,
    );
  const chunk = isCompact ? fromCompact(stored) : { log: stored.log, records: stored.records };
  const references = isCompact ? stored[5] : stored.references;
  if (references) placeReferences(chunk, references);
  return chunk;
}
