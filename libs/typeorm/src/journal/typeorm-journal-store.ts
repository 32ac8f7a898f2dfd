import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import type { Row } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { type PagedResult } from '@waymark/runtime';
import {
  fillIn,
  type JournalPlace,
  type JournalReading,
  type JournalStore,
  type JournalWrite,
  mergeRecords,
  type Page,
} from '@waymark/runtime/adapter';
import { toNumber, toText } from '../rows/column-values.js';
import { CHUNK, journalValues, toChunk, VALUE, VALUE_KEY } from './journal-rows.js';
import { KeptValues } from './kept-values.js';
import { OrphanedValues, readValues } from './stored-values.js';

interface Span {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

export class TypeOrmJournalStore implements JournalStore {
  private readonly orphans: OrphanedValues;

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
    private readonly maxInlineBytes: number,
    private readonly maxBytes: number,
  ) {
    this.orphans = new OrphanedValues(database, tables);
  }

  async readLog(instanceId: string, reading?: JournalReading): Promise<WorkflowExecutionLogEntry[]> {
    return this.filled(instanceId, mergeLog(await this.chunks(instanceId)), reading);
  }

  /** Reads the chunks that the page lies in: an instance that loops for months has a hundred thousand others. */
  async readLogPage(
    instanceId: string,
    page: Page,
    reading?: JournalReading,
  ): Promise<PagedResult<WorkflowExecutionLogEntry>> {
    const { first, last, count } = await this.extent(instanceId);
    if (last - first + 1 !== count) return this.readLogPageAmong(instanceId, page, reading);
    // Numbered without gaps: where the page begins needs no counting.
    const from = first + page.skip;
    const to = Math.min(from + page.take - 1, last);
    const log = from > to ? [] : mergeLog(await this.chunksBetween(instanceId, from, to));
    const items = log.filter(({ sequence }) => sequence >= from && sequence <= to);
    // A chunk that begins earlier may reach into the page: another one holds what it lacked, and was imported later.
    if (items.length < to - from + 1) return this.readLogPageAmong(instanceId, page, reading);
    return { items: await this.filled(instanceId, items, reading), totalCount: count };
  }

  /** Where there are gaps, or entries that an import has brought twice: reads the size of all chunks. */
  private async readLogPageAmong(
    instanceId: string,
    page: Page,
    reading: JournalReading | undefined,
  ): Promise<PagedResult<WorkflowExecutionLogEntry>> {
    const spans = await this.spans(instanceId);
    if (overlap(spans)) {
      const log = mergeLog(await this.chunks(instanceId));
      const items = log.slice(page.skip, page.skip + page.take);
      return { items: await this.filled(instanceId, items, reading), totalCount: log.length };
    }
    const wanted: Span[] = [];
    let before = 0;
    let position = 0;
    for (const span of spans) {
      if (position + span.count <= page.skip) before += span.count;
      else if (position < page.skip + page.take) wanted.push(span);
      position += span.count;
    }
    const log = mergeLog(await this.chunksOf(instanceId, wanted));
    const items = log.slice(page.skip - before, page.skip - before + page.take);
    return { items: await this.filled(instanceId, items, reading), totalCount: position };
  }

  async readRecords(instanceId: string, reading?: JournalReading): Promise<ActivityExecutionRecord[]> {
    return this.filled(instanceId, mergeRecords(await this.chunks(instanceId)), reading);
  }

  async findChunks(instanceId: string): Promise<JournalPlace[]> {
    const sql =
      `SELECT id, first_sequence, last_sequence, entry_count FROM ${this.tables.journal} ` +
      'WHERE instance_id = ? ORDER BY id';
    return (await this.database.read({ sql, params: [instanceId] })).map((row) => ({
      id: toNumber(row.id),
      entryCount: toNumber(row.entry_count),
      firstSequence: row.first_sequence === null ? Infinity : toNumber(row.first_sequence),
      lastSequence: row.last_sequence === null ? -Infinity : toNumber(row.last_sequence),
    }));
  }

  async readChunks(instanceId: string, ids: readonly number[]): Promise<JournalChunk[]> {
    const { where, params } = new Conditions(this.database.dialect).oneOf('id', ids).equals('instance_id', instanceId);
    const sql = `SELECT data FROM ${this.tables.journal}${where} ORDER BY id`;
    return (await this.database.read({ sql, params })).map(toChunk);
  }

  readValues(instanceId: string, hashes: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    return readValues(this.database, this.tables, instanceId, hashes);
  }

  purgeOrphanedValues(limit: number): Promise<number> {
    return this.orphans.purge(limit);
  }

  async append(instanceId: string, chunk: JournalChunk): Promise<void> {
    const { dialect } = this.database;
    const made = journalValues(instanceId, chunk, dialect, this.maxInlineBytes);
    const { chunks } = made;
    // An import, which comes once: what others remember of the instance, it does not know.
    const kept = new KeptValues(this.database, this.tables, this.maxBytes);
    const { values } = await kept.toWrite({ id: instanceId }, made.values);
    const statements = [
      ...insertRows(dialect, this.tables.journal, CHUNK.names, chunks),
      ...insertRows(dialect, this.tables.journal_values, VALUE.names, values, dialect.ignoreKnown(...VALUE_KEY)),
    ];
    if (statements.length > 0) await this.database.transact(() => inOneGo(statements));
  }

  async findWrites(after: number, limit: number): Promise<JournalWrite[]> {
    const sql = `SELECT id, instance_id FROM ${this.tables.journal} WHERE id > ? ORDER BY id LIMIT ?`;
    const rows = await this.database.read({ sql, params: [after, limit] });
    return rows.map((row) => ({ number: toNumber(row.id), workflowInstanceId: toText(row.instance_id) }));
  }

  async lastWrite(): Promise<number> {
    const [row] = await this.database.read({ sql: `SELECT MAX(id) AS last FROM ${this.tables.journal}`, params: [] });
    return row?.last === null || row?.last === undefined ? 0 : toNumber(row.last);
  }

  private filled<T extends object>(
    instanceId: string,
    items: readonly T[],
    { valueBytes = Infinity }: JournalReading = {},
  ): Promise<T[]> {
    return fillIn(items, { bytes: valueBytes }, (hashes) => this.readValues(instanceId, hashes));
  }

  /** In the order in which they were written. */
  private async chunks(instanceId: string): Promise<JournalChunk[]> {
    const sql = `SELECT data FROM ${this.tables.journal} WHERE instance_id = ? ORDER BY id`;
    return (await this.database.read({ sql, params: [instanceId] })).map(toChunk);
  }

  private async chunksOf(instanceId: string, spans: readonly Span[]): Promise<JournalChunk[]> {
    const [first, last] = [spans[0], spans.at(-1)];
    if (!first || !last) return [];
    const range = 'instance_id = ? AND first_sequence >= ? AND first_sequence <= ?';
    const sql = `SELECT data FROM ${this.tables.journal} WHERE ${range} ORDER BY id`;
    return (await this.database.read({ sql, params: [instanceId, first.first, last.first] })).map(toChunk);
  }

  /** The one that holds the first entry, and those that follow up to the last one. */
  private async chunksBetween(instanceId: string, from: number, to: number): Promise<JournalChunk[]> {
    const { journal } = this.tables;
    const begin = `SELECT MAX(first_sequence) FROM ${journal} WHERE instance_id = ? AND first_sequence <= ?`;
    const sql =
      `SELECT data FROM ${journal} WHERE instance_id = ? AND first_sequence >= (${begin}) AND first_sequence <= ? ` +
      'ORDER BY id';
    return (await this.database.read({ sql, params: [instanceId, instanceId, from, to] })).map(toChunk);
  }

  /** Of all log entries. */
  private async extent(instanceId: string): Promise<Span> {
    const [row = {}] = await this.database.read({
      sql:
        'SELECT MIN(first_sequence) AS first_sequence, MAX(last_sequence) AS last_sequence, ' +
        `SUM(entry_count) AS entry_count FROM ${this.tables.journal} WHERE instance_id = ? AND entry_count > 0`,
      params: [instanceId],
    });
    return row.first_sequence === null ? { first: 0, last: -1, count: 0 } : toSpan(row);
  }

  /** Chunks with log entries, in order of sequence. */
  private async spans(instanceId: string): Promise<Span[]> {
    const sql =
      `SELECT first_sequence, last_sequence, entry_count FROM ${this.tables.journal} ` +
      'WHERE instance_id = ? AND entry_count > 0 ORDER BY first_sequence';
    return (await this.database.read({ sql, params: [instanceId] })).map(toSpan);
  }
}

function toSpan(row: Row): Span {
  return {
    first: toNumber(row.first_sequence),
    last: toNumber(row.last_sequence),
    count: toNumber(row.entry_count),
  };
}

/** Bursts never overlap, but an import may have brought the same entries twice. */
function overlap(spans: readonly Span[]): boolean {
  return spans.some(({ first }, index) => index > 0 && first <= (spans[index - 1]?.last ?? -Infinity));
}

/** A sequence seen again replaces the earlier entry. */
function mergeLog(chunks: readonly JournalChunk[]): WorkflowExecutionLogEntry[] {
  const entries = new Map<number, WorkflowExecutionLogEntry>();
  for (const chunk of chunks) for (const entry of chunk.log) entries.set(entry.sequence, entry);
  return [...entries.values()].sort((left, right) => left.sequence - right.sequence);
}
