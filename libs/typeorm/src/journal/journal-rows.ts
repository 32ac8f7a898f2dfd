import type { JournalChunk } from '@waymark/core';
import type { Row, SqlValue } from '../database/statement.js';
import { toText } from '../rows/column-values.js';
import { decodeChunk, encodeChunk } from './journal-text.js';

export const JOURNAL_COLUMNS = ['instance_id', 'first_sequence', 'last_sequence', 'entry_count', 'data'] as const;

/**
 * One row for all that a burst adds, so that the journal costs one row however many activities ran; several when it is huge.
 * @param maxChars beyond which a row is halved, unless it is that of a single entry
 */
export function chunkValues(instanceId: string, chunk: JournalChunk, maxChars: number): SqlValue[][] {
  const { log, records } = chunk;
  if (log.length === 0 && records.length === 0) return [];
  const text = encodeChunk(instanceId, chunk);
  if (text.length > maxChars && log.length + records.length > 1)
    return halvesOf(chunk).flatMap((half) => chunkValues(instanceId, half, maxChars));
  let [first, last] = [Infinity, -Infinity];
  for (const { sequence } of log) {
    if (sequence < first) first = sequence;
    if (sequence > last) last = sequence;
  }
  const range = log.length === 0 ? [null, null] : [first, last];
  return [[instanceId, ...range, log.length, text]];
}

function halvesOf({ log, records }: JournalChunk): JournalChunk[] {
  const [entries, ended] = [Math.ceil(log.length / 2), Math.floor(records.length / 2)];
  return [
    { log: log.slice(0, entries), records: records.slice(0, ended) },
    { log: log.slice(entries), records: records.slice(ended) },
  ];
}

export function toChunk(row: Row): JournalChunk {
  return decodeChunk(toText(row.data));
}
