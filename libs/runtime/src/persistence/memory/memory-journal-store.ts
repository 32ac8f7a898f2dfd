import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import type { JournalStore } from '../lookup-stores.js';
import type { Page, PagedResult } from '../paging.js';
import { isolate } from './isolate.js';
import { isolateJournal } from './isolate-journal.js';
import { appendJournal } from './memory-commit.js';
import type { MemoryData } from './memory-data.js';
import { compareTime, window } from './ordering.js';

export class MemoryJournalStore implements JournalStore {
  constructor(private readonly data: MemoryData) {}

  async readLog(instanceId: string): Promise<WorkflowExecutionLogEntry[]> {
    return isolate(this.log(instanceId));
  }

  async readLogPage(instanceId: string, page: Page): Promise<PagedResult<WorkflowExecutionLogEntry>> {
    const { items, totalCount } = window(this.log(instanceId), page);
    return { items: isolate(items), totalCount };
  }

  async readRecords(instanceId: string): Promise<ActivityExecutionRecord[]> {
    const records = new Map<string, ActivityExecutionRecord>();
    for (const chunk of this.chunks(instanceId)) {
      for (const record of chunk.records) records.set(record.id, record);
    }
    return isolate([...records.values()].sort((left, right) => compareTime(left.startedAt, right.startedAt)));
  }

  async append(instanceId: string, chunk: JournalChunk): Promise<void> {
    appendJournal(this.data, instanceId, isolateJournal(chunk));
  }

  private log(instanceId: string): WorkflowExecutionLogEntry[] {
    const entries = new Map<number, WorkflowExecutionLogEntry>();
    for (const chunk of this.chunks(instanceId)) {
      for (const entry of chunk.log) entries.set(entry.sequence, entry);
    }
    return [...entries.values()].sort((left, right) => left.sequence - right.sequence);
  }

  private chunks(instanceId: string): readonly JournalChunk[] {
    return this.data.journal.get(instanceId) ?? [];
  }
}
