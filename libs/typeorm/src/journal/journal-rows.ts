import type { JournalChunk } from '@waymark/core';
import type { Row, SqlValue } from '../database/statement.js';
import { toText } from '../rows/column-values.js';
import { decodeChunk, encodeChunk } from './journal-text.js';

export const JOURNAL_COLUMNS = ['instance_id', 'first_sequence', 'last_sequence', 'entry_count', 'data'] as const;

/** One row for all that a burst adds, so that the journal costs one row however many activities ran. */
export function chunkValues(instanceId: string, chunk: JournalChunk): SqlValue[][] {
  const { log, records } = chunk;
  if (log.length === 0 && records.length === 0) return [];
  let [first, last] = [Infinity, -Infinity];
  for (const { sequence } of log) {
    if (sequence < first) first = sequence;
    if (sequence > last) last = sequence;
  }
  const range = log.length === 0 ? [null, null] : [first, last];
  return [[instanceId, ...range, log.length, encodeChunk(instanceId, chunk)]];
}

export function toChunk(row: Row): JournalChunk {
  return decodeChunk(toText(row.data));
}
