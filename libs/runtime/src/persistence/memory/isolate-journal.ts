import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import { withoutUnchanged } from '../journal-records.js';
import { isolate, type Scale } from './isolate.js';

export interface IsolatedJournal {
  readonly chunk: JournalChunk;
  /** Most characters of values that an entry or record of it takes as text, by `Scale`. */
  readonly heaviest: number;
}

/**
 * A private copy of what a burst adds to the journal. Its entries and records are flat, and most have few members that can
 * be changed from outside: these are copied, the rest is taken over as it is. As a tree of unknown values a journal costs
 * several times what the burst did.
 * @throws ValueNotStorableError
 */
export function isolateJournal({ log, records }: JournalChunk): IsolatedJournal {
  const scale: Scale = { weight: 0, isOnlyShown: true };
  let heaviest = 0;
  const weigh = (): void => {
    if (scale.weight > heaviest) heaviest = scale.weight;
    scale.weight = 0;
  };
  const dates = new LatestCopy<Date>((date) => new Date(date));
  // Empty in nearly all records.
  const membersOf = (members: Record<string, unknown>): Record<string, unknown> =>
    hasMembers(members) ? isolate(members, 'journal', scale) : {};
  const payloads = new LatestCopy<Record<string, unknown>>((payload) => isolate(payload, 'journal', scale));
  const entryCopy = (entry: WorkflowExecutionLogEntry): WorkflowExecutionLogEntry => {
    const copy = { ...entry };
    copy.timestamp = dates.of(entry.timestamp);
    if (entry.payload) copy.payload = payloads.of(entry.payload);
    weigh();
    return copy;
  };
  const recordCopy = (record: ActivityExecutionRecord): ActivityExecutionRecord => {
    const copy = record.unchanged ? withoutUnchanged(record) : { ...record };
    copy.startedAt = dates.of(record.startedAt);
    copy.properties = membersOf(record.properties);
    copy.metadata = membersOf(record.metadata);
    if (record.completedAt) copy.completedAt = dates.of(record.completedAt);
    if (record.payload) copy.payload = payloads.of(record.payload);
    if (copy.activityState) copy.activityState = isolate(copy.activityState, 'journal', scale);
    if (copy.outputs) copy.outputs = isolate(copy.outputs, 'journal', scale);
    if (record.exception) copy.exception = isolate(record.exception, 'journal');
    weigh();
    return copy;
  };
  const chunk = { log: log.map(entryCopy), records: records.map(recordCopy) };
  return { chunk, heaviest };
}

function hasMembers(value: object): boolean {
  for (const _ in value) return true;
  return false;
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
