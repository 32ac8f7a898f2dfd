import { serialize } from '@waymark/core/adapter';
import { type ActivityExecutionRecord, type JournalChunk, type WorkflowExecutionLogEntry } from '@waymark/core';
import { fillIn, type JournalReading } from '../journal-reading.js';
import { mergeRecords } from '../journal-records.js';
import { type JournalValue, lighten, placeReferences } from '../journal-values.js';
import { JournalBudget, readJournalValue } from '../omitted-values.js';
import type { JournalPlace, JournalStore, JournalWrite } from '../lookup-stores.js';
import type { Page, PagedResult } from '../paging.js';
import { isolate } from './isolate.js';
import type { Pause } from './isolate-in-parts.js';
import { type IsolatedJournal, isolateJournal, isolateJournalInParts } from './isolate-journal.js';
import type { MemoryData, StoredChunk } from './memory-data.js';
import { window } from './ordering.js';

export class MemoryJournalStore implements JournalStore {
  constructor(
    private readonly data: MemoryData,
    private readonly maxInlineBytes: number,
  ) {}

  async readLog(instanceId: string, reading?: JournalReading): Promise<WorkflowExecutionLogEntry[]> {
    return this.filled(instanceId, this.log(instanceId), reading);
  }

  async readLogPage(
    instanceId: string,
    page: Page,
    reading?: JournalReading,
  ): Promise<PagedResult<WorkflowExecutionLogEntry>> {
    const { items, ...total } = window(this.log(instanceId), page);
    return { items: await this.filled(instanceId, items, reading), ...total };
  }

  async readRecords(instanceId: string, reading?: JournalReading): Promise<ActivityExecutionRecord[]> {
    return this.filled(instanceId, mergeRecords(this.chunks(instanceId)), reading);
  }

  async findChunks(instanceId: string): Promise<JournalPlace[]> {
    return (this.data.journal.get(instanceId) ?? []).map(({ chunk: { log } }, id) => {
      let [firstSequence, lastSequence] = [Infinity, -Infinity];
      for (const { sequence } of log) {
        firstSequence = Math.min(firstSequence, sequence);
        lastSequence = Math.max(lastSequence, sequence);
      }
      return { id, entryCount: log.length, firstSequence, lastSequence };
    });
  }

  async readChunks(instanceId: string, ids: readonly number[]): Promise<JournalChunk[]> {
    const stored = this.data.journal.get(instanceId) ?? [];
    return [...new Set(ids)]
      .sort((left, right) => left - right)
      .flatMap((id) => stored[id] ?? [])
      .map(({ chunk, references }) => {
        const copy = isolate(chunk);
        placeReferences(copy, references);
        return copy;
      });
  }

  async readValues(instanceId: string, hashes: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const values = this.data.journalValues.get(instanceId);
    return new Map(
      hashes.flatMap((hash) => {
        const text = values?.texts.get(hash);
        return text === undefined ? [] : [[hash, readJournalValue(text)] as const];
      }),
    );
  }

  async purgeOrphanedValues(): Promise<number> {
    return 0;
  }

  async append(instanceId: string, chunk: JournalChunk): Promise<void> {
    appendJournal(this.data, instanceId, toStoredChunk(chunk, this.maxInlineBytes));
  }

  async findWrites(after: number, limit: number): Promise<JournalWrite[]> {
    const writes: JournalWrite[] = [];
    for (const [workflowInstanceId, chunks] of this.data.journal)
      for (let i = chunks.length - 1; i >= 0 && chunks[i]!.number > after; i--)
        writes.push({ number: chunks[i]!.number, workflowInstanceId });
    return writes.sort((left, right) => left.number - right.number).slice(0, limit);
  }

  async lastWrite(): Promise<number> {
    return this.data.journalWrites;
  }

  private async filled<T extends object>(id: string, items: readonly T[], reading: JournalReading = {}): Promise<T[]> {
    // Chunks with references are copies already.
    if (!this.data.journalValues.has(id)) return isolate([...items]);
    return fillIn(items, { bytes: reading.valueBytes ?? Infinity }, (hashes) => this.readValues(id, hashes));
  }

  private log(instanceId: string): WorkflowExecutionLogEntry[] {
    const entries = new Map<number, WorkflowExecutionLogEntry>();
    for (const chunk of this.chunks(instanceId)) {
      for (const entry of chunk.log) entries.set(entry.sequence, entry);
    }
    return [...entries.values()].sort((left, right) => left.sequence - right.sequence);
  }

  private chunks(instanceId: string): readonly JournalChunk[] {
    const stored = this.data.journal.get(instanceId) ?? [];
    if (!this.data.journalValues.has(instanceId)) return stored.map(({ chunk }) => chunk);
    return stored.map(({ chunk, references }) => {
      const copy = isolate(chunk);
      placeReferences(copy, references);
      return copy;
    });
  }
}

/** In UTF-8 a character of a text takes no more than three bytes. */
const MOST_BYTES_OF_A_CHARACTER = 3;
const NONE: readonly never[] = Object.freeze([]);

/** What will be stored: a private copy. */
export interface AppendedChunk extends Omit<StoredChunk, 'number'> {
  readonly values: readonly JournalValue[];
}

/** @throws ValueNotStorableError */
export function toStoredChunk(chunk: JournalChunk, maxInlineBytes: number): AppendedChunk {
  return storedChunkOf(isolateJournal(chunk), maxInlineBytes);
}

/** The same with pauses, in which the journal must not change. @throws ValueNotStorableError */
export async function toStoredChunkInParts(
  chunk: JournalChunk,
  maxInlineBytes: number,
  pause: Pause,
): Promise<AppendedChunk> {
  return storedChunkOf(await isolateJournalInParts(chunk, pause), maxInlineBytes);
}

function storedChunkOf({ chunk: copy, heaviest }: IsolatedJournal, maxInlineBytes: number): AppendedChunk {
  // As it is for nearly all: no value can be larger than all that stand beside it.
  const isLight = heaviest * MOST_BYTES_OF_A_CHARACTER <= maxInlineBytes;
  const light = isLight ? undefined : lighten(copy, { maxInlineBytes, serialize });
  return light ?? { chunk: copy, references: NONE, values: NONE };
}

/** @param chunk a private copy */
export function appendJournal(data: MemoryData, instanceId: string, appended: AppendedChunk): void {
  const { chunk, references, values } = appended;
  const { log, records } = chunk;
  if (log.length === 0 && records.length === 0) return;
  const stored: StoredChunk = { number: ++data.journalWrites, chunk, references };
  const chunks = data.journal.get(instanceId);
  if (chunks) chunks.push(stored);
  else data.journal.set(instanceId, [stored]);
  if (values.length === 0) return;
  const known = data.journalValues.get(instanceId) ?? {
    texts: new Map<string, string>(),
    budget: new JournalBudget(data.maxJournalBytes),
  };
  data.journalValues.set(instanceId, known);
  for (const value of values)
    if (!known.texts.has(value.hash)) known.texts.set(value.hash, known.budget.take(value).text);
}
