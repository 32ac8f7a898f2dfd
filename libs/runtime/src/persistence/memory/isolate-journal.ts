import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import { withoutUnchanged } from '../journal-records.js';
import { isolate } from './isolate.js';

/**
 * A private copy of what a burst adds to the journal. Its entries and records are flat, and most have few members that can
 * be changed from outside: these are copied, the rest is taken over as it is. As a tree of unknown values a journal costs
 * several times what the burst did.
 * @throws ValueNotStorableError
 */
export function isolateJournal({ log, records }: JournalChunk): JournalChunk {
  const dates = new LatestCopy<Date>((date) => new Date(date));
  const payloads = new LatestCopy<Record<string, unknown>>((payload) => isolate(payload, 'journal'));
  const entryCopy = (entry: WorkflowExecutionLogEntry): WorkflowExecutionLogEntry => {
    const copy = { ...entry };
    copy.timestamp = dates.of(entry.timestamp);
    if (entry.payload) copy.payload = payloads.of(entry.payload);
    return copy;
  };
  const recordCopy = (record: ActivityExecutionRecord): ActivityExecutionRecord => {
    const copy = { ...withoutUnchanged(record) };
    copy.startedAt = dates.of(record.startedAt);
    copy.properties = isolate(record.properties, 'journal');
    copy.metadata = isolate(record.metadata, 'journal');
    if (record.completedAt) copy.completedAt = dates.of(record.completedAt);
    if (record.payload) copy.payload = payloads.of(record.payload);
    if (copy.activityState) copy.activityState = isolate(copy.activityState, 'journal');
    if (copy.outputs) copy.outputs = isolate(copy.outputs, 'journal');
    if (record.exception) copy.exception = isolate(record.exception, 'journal');
    return copy;
  };
  return { log: log.map(entryCopy), records: records.map(recordCopy) };
}

/** The engine shares a date or payload between many neighbours; they share its copy, too. */
class LatestCopy<T extends object> {
  private source: T | undefined;
  private copy: T;

  constructor(private readonly make: (source: T) => T) {}

  of(source: T): T {
    if (source !== this.source) {
      this.copy = this.make(source);
      this.source = source;
    }
    return this.copy;
  }
}
