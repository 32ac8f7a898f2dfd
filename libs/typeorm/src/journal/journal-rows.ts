import type { JournalChunk } from '@waymark/core';
import type { JournalValue } from '@waymark/runtime/adapter';
import type { Row, SqlValue } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { writtenColumns } from '../rows/column-map.js';
import { orNull, toText } from '../rows/column-values.js';
import { number, text } from '../rows/member-columns.js';
import type { Pause } from '../rows/stored-lines.js';
import { type ChunkText, decodeChunk, encodeChunk, encodeChunkInTurns } from './journal-text.js';

/** A chunk as text, with the range of its log; none for records only. */
interface ChunkRow {
  readonly instanceId: string;
  readonly first?: number;
  readonly last?: number;
  readonly entries: number;
  readonly text: string;
}

export const CHUNK = writtenColumns<ChunkRow>({
  instance_id: text('instanceId'),
  first_sequence: { write: ({ first }) => orNull(first) },
  last_sequence: { write: ({ last }) => orNull(last) },
  entry_count: number('entries'),
  data: text('text'),
});

export const VALUE = writtenColumns<JournalValue & { readonly instanceId: string }>({
  instance_id: text('instanceId'),
  hash: text('hash'),
  bytes: number('bytes'),
  data: text('text'),
});

/** An instance has each value once. */
export const VALUE_KEY = ['instance_id', 'hash'] as const;

export interface JournalRows {
  readonly chunks: readonly (readonly SqlValue[])[];
  /** As `VALUE` writes them; each once. */
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
  return rowsOf(instanceId, chunkValues(instanceId, chunk, maxStatementChars, maxInlineBytes, values), values);
}

/** Entries and records that are made one row without a pause: some tens of milliseconds. */
const PART = 4000;

/** The same with pauses, in a row for each part: ten thousand branches that begin take a fifth of a second. */
export async function journalValuesInTurns(
  instanceId: string,
  chunk: JournalChunk,
  { maxStatementChars }: Dialect,
  maxInlineBytes: number,
  pause: Pause,
): Promise<JournalRows> {
  const values = new Map<string, JournalValue>();
  const chunks: SqlValue[][] = [];
  for (const part of partsOf(chunk)) {
    const encode = (some: JournalChunk) => encodeChunkInTurns(instanceId, some, maxInlineBytes, pause);
    chunks.push(...(await chunkValuesInTurns(instanceId, part, maxStatementChars, encode, values)));
    await pause();
  }
  return rowsOf(instanceId, chunks, values);
}

/** In their order. */
function partsOf({ log, records }: JournalChunk): JournalChunk[] {
  const count = Math.max(1, Math.ceil((log.length + records.length) / PART));
  const cut = <T>(list: readonly T[], part: number): T[] =>
    list.slice(Math.floor((list.length * part) / count), Math.floor((list.length * (part + 1)) / count));
  return Array.from({ length: count }, (_, part) => ({ log: cut(log, part), records: cut(records, part) }));
}

function rowsOf(instanceId: string, chunks: SqlValue[][], values: ReadonlyMap<string, JournalValue>): JournalRows {
  if (values.size === 0) return { chunks, values: [] };
  // In one order: two commits cannot wait for each other.
  const sorted = [...values.values()].sort((left, right) => (left.hash < right.hash ? -1 : 1));
  return { chunks, values: sorted.map((value) => VALUE.values({ instanceId, ...value })) };
}

function chunkValues(
  instanceId: string,
  chunk: JournalChunk,
  maxChars: number,
  maxInlineBytes: number,
  values: Map<string, JournalValue>,
): SqlValue[][] {
  if (countOf(chunk) === 0) return [];
  const encoded = encodeChunk(instanceId, chunk, maxInlineBytes);
  if (encoded.text.length > maxChars && countOf(chunk) > 1)
    return halvesOf(chunk).flatMap((half) => chunkValues(instanceId, half, maxChars, maxInlineBytes, values));
  return [chunkRow(instanceId, chunk, encoded, values)];
}

async function chunkValuesInTurns(
  instanceId: string,
  chunk: JournalChunk,
  maxChars: number,
  encode: (chunk: JournalChunk) => Promise<ChunkText>,
  values: Map<string, JournalValue>,
): Promise<SqlValue[][]> {
  if (countOf(chunk) === 0) return [];
  const encoded = await encode(chunk);
  if (encoded.text.length <= maxChars || countOf(chunk) === 1) return [chunkRow(instanceId, chunk, encoded, values)];
  const rows: SqlValue[][] = [];
  for (const half of halvesOf(chunk))
    rows.push(...(await chunkValuesInTurns(instanceId, half, maxChars, encode, values)));
  return rows;
}

const countOf = ({ log, records }: JournalChunk): number => log.length + records.length;

function chunkRow(
  instanceId: string,
  { log }: JournalChunk,
  { text, values: large }: ChunkText,
  values: Map<string, JournalValue>,
): SqlValue[] {
  for (const value of large) values.set(value.hash, value);
  let [first, last] = [Infinity, -Infinity];
  for (const { sequence } of log) {
    if (sequence < first) first = sequence;
    if (sequence > last) last = sequence;
  }
  const range = log.length === 0 ? {} : { first, last };
  return CHUNK.values({ instanceId, ...range, entries: log.length, text });
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
