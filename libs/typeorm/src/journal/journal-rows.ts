import type { JournalChunk } from '@waymark/core';
import type { JournalValue } from '@waymark/runtime';
import type { Row, SqlValue } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { toText } from '../rows/column-values.js';
import { decodeChunk, encodeChunk } from './journal-text.js';

export const JOURNAL_COLUMNS = ['instance_id', 'first_sequence', 'last_sequence', 'entry_count', 'data'] as const;
export const VALUE_COLUMNS = ['instance_id', 'hash', 'bytes', 'data'] as const;

/** Where the hash stands in a row of `VALUE_COLUMNS`. */
export const HASH = VALUE_COLUMNS.indexOf('hash');

export interface JournalRows {
  readonly chunks: readonly (readonly SqlValue[])[];
  /** In the order of `VALUE_COLUMNS`; each once. */
  readonly values: readonly (readonly SqlValue[])[];
}

/**
 * One row for all that a burst adds, so that the journal costs one row however many activities ran; several when it is huge.
 * Beside it one for each value that takes more than `maxInlineBytes`.
 * @param maxStatementChars beyond which a row is halved, unless it is that of a single entry
 */
export function journalValues(
  instanceId: string,
  chunk: JournalChunk,
  { maxStatementChars }: Dialect,
  maxInlineBytes: number,
): JournalRows {
  const values = new Map<string, JournalValue>();
  const chunks = chunkValues(instanceId, chunk, maxStatementChars, maxInlineBytes, values);
  if (values.size === 0) return { chunks, values: [] };
  // In one order: two commits cannot wait for each other.
  const sorted = [...values.values()].sort((left, right) => (left.hash < right.hash ? -1 : 1));
  return { chunks, values: sorted.map(({ hash, bytes, text }) => [instanceId, hash, bytes, text]) };
}

function chunkValues(
  instanceId: string,
  chunk: JournalChunk,
  maxChars: number,
  maxInlineBytes: number,
  values: Map<string, JournalValue>,
): SqlValue[][] {
  const { log, records } = chunk;
  if (log.length === 0 && records.length === 0) return [];
  const encoded = encodeChunk(instanceId, chunk, maxInlineBytes);
  if (encoded.text.length > maxChars && log.length + records.length > 1)
    return halvesOf(chunk).flatMap((half) => chunkValues(instanceId, half, maxChars, maxInlineBytes, values));
  for (const value of encoded.values) values.set(value.hash, value);
  let [first, last] = [Infinity, -Infinity];
  for (const { sequence } of log) {
    if (sequence < first) first = sequence;
    if (sequence > last) last = sequence;
  }
  const range = log.length === 0 ? [null, null] : [first, last];
  return [[instanceId, ...range, log.length, encoded.text]];
}

function halvesOf({ log, records }: JournalChunk): JournalChunk[] {
  const [entries, ended] = [Math.ceil(log.length / 2), Math.floor(records.length / 2)];
  return [
    { log: log.slice(0, entries), records: records.slice(0, ended) },
    { log: log.slice(entries), records: records.slice(ended) },
  ];
}

/** An instance has each value once. */
export function ignoreKnownValue({ family, ignoreKnown }: Dialect): string {
  return ignoreKnown(family === 'mysql' ? 'hash' : 'instance_id, hash');
}

export function toChunk(row: Row): JournalChunk {
  return decodeChunk(toText(row.data));
}
