import { deserialize, type JournalChunk } from '@waymark/core';
import { PersistenceError } from '@waymark/runtime';
import { serialize } from '../rows/stored-text.js';
import { fromCompact } from './chunk-reader.js';
import { toCompact } from './chunk-writer.js';
import { type CompactChunk, COMPACT_VERSION } from './compact-chunk.js';

/**
 * What a burst adds to the journal, as text: `{"json":[1,…` in the compact form, a fifth of what `{"json":{"log":…` takes,
 * which is how a chunk is written that is not regular, as an import may bring it, and how all were written before.
 * @throws ValueNotStorableError
 */
export function encodeChunk(instanceId: string, { log, records }: JournalChunk): string {
  const whole = { log, records };
  const compact = toCompact(instanceId, whole);
  if (!compact) return serialize(whole, 'journal');
  try {
    return serialize(compact, 'journal');
  } catch {
    // The error is to name the member, not its position.
    return serialize(whole, 'journal');
  }
}

/** @throws PersistenceError when a newer version of this package wrote it */
export function decodeChunk(text: string): JournalChunk {
  const stored = deserialize<JournalChunk | CompactChunk>(text);
  if (!Array.isArray(stored)) return stored;
  if (stored[0] === COMPACT_VERSION) return fromCompact(stored);
  throw new PersistenceError(
    `The journal was written in form ${stored[0]}, which this version of @waymark/typeorm cannot read. Update this node.`,
  );
}
