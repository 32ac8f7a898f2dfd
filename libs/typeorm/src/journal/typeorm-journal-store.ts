import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import type { Row } from '../database/statement.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import type { JournalStore, Page, PagedResult } from '@waymark/runtime';
import { toNumber } from '../rows/column-values.js';
import { chunkValues, JOURNAL_COLUMNS, toChunk } from './journal-rows.js';

interface Span {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

export class TypeOrmJournalStore implements JournalStore {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  async readLog(instanceId: string): Promise<WorkflowExecutionLogEntry[]> {
    return mergeLog(await this.chunks(instanceId));
  }

  /** Reads the chunks that the page lies in, and of the others only their size. */
  async readLogPage(instanceId: string, page: Page): Promise<PagedResult<WorkflowExecutionLogEntry>> {
    const spans = await this.spans(instanceId);
    if (overlap(spans)) {
      const log = await this.readLog(instanceId);
      return { items: log.slice(page.skip, page.skip + page.take), totalCount: log.length };
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
    return { items: log.slice(page.skip - before, page.skip - before + page.take), totalCount: position };
  }

  async readRecords(instanceId: string): Promise<ActivityExecutionRecord[]> {
    const records = new Map<string, ActivityExecutionRecord>();
    for (const chunk of await this.chunks(instanceId)) {
      for (const record of chunk.records) records.set(record.id, record);
    }
    return [...records.values()].sort((left, right) => left.startedAt.getTime() - right.startedAt.getTime());
  }

  async append(instanceId: string, chunk: JournalChunk): Promise<void> {
    const { dialect } = this.database;
    const rows = chunkValues(instanceId, chunk, dialect.maxStatementChars);
    const statements = insertRows(dialect, this.tables.journal, JOURNAL_COLUMNS, rows);
    if (statements.length > 0) await this.database.transact(() => inOneGo(statements));
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
