import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import type { RecordPart } from '@waymark/core/adapter';
import { isolate, type Scale } from './isolate.js';
import { copyInParts, type Pause } from './isolate-in-parts.js';

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
  const copier = new JournalCopier();
  const chunk = { log: log.map(copier.entry), records: records.map(copier.record) };
  return { chunk, heaviest: copier.heaviest };
}

/** The same with pauses, in which the journal must not change. @throws ValueNotStorableError */
export async function isolateJournalInParts({ log, records }: JournalChunk, pause: Pause): Promise<IsolatedJournal> {
  const copier = new JournalCopier();
  const chunk = {
    log: (await copyInParts(log, pause, (part) => part.map(copier.entry)))!,
    records: (await copyInParts(records, pause, (part) => part.map(copier.record)))!,
  };
  return { chunk, heaviest: copier.heaviest };
}

class JournalCopier {
  heaviest = 0;
  private readonly scale: Scale = { weight: 0, isOnlyShown: true };
  private readonly dates = new LatestCopy<Date>((date) => new Date(date));
  private readonly payloads = new LatestCopy<Record<string, unknown>>((payload) => this.isolate(payload));

  readonly entry = (entry: WorkflowExecutionLogEntry): WorkflowExecutionLogEntry => {
    const copy = { ...entry };
    copy.timestamp = this.dates.of(entry.timestamp);
    if (entry.payload) copy.payload = this.payloads.of(entry.payload);
    this.weigh();
    return copy;
  };

  readonly record = (record: ActivityExecutionRecord): ActivityExecutionRecord => {
    const copy = { ...record };
    if (record.unchanged) forgetUnchanged(copy, record.unchanged);
    copy.startedAt = this.dates.of(record.startedAt);
    copy.properties = this.membersOf(record.properties);
    copy.metadata = this.membersOf(record.metadata);
    if (record.completedAt) copy.completedAt = this.dates.of(record.completedAt);
    if (record.payload) copy.payload = this.payloads.of(record.payload);
    if (copy.activityState) copy.activityState = this.isolate(copy.activityState);
    if (copy.outputs) copy.outputs = this.isolate(copy.outputs);
    if (record.exception) copy.exception = isolate(record.exception, 'journal');
    this.weigh();
    return copy;
  };

  private isolate<T>(value: T): T {
    return isolate(value, 'journal', this.scale);
  }

  /** Empty in nearly all records: these share one object, as what is read of a store is a copy. */
  private membersOf(members: Record<string, unknown>): Record<string, unknown> {
    return hasMembers(members) ? this.isolate(members) : NO_MEMBERS;
  }

  private weigh(): void {
    const { scale } = this;
    if (scale.weight > this.heaviest) this.heaviest = scale.weight;
    scale.weight = 0;
  }
}

/** What `withoutUnchanged` leaves out is undefined: to leave members out costs more than all else here. */
function forgetUnchanged(copy: ActivityExecutionRecord, unchanged: readonly RecordPart[]): void {
  if (copy.activityState && unchanged.includes('activityState')) copy.activityState = undefined;
  if (copy.outputs && unchanged.includes('outputs')) copy.outputs = undefined;
}

const NO_MEMBERS: Record<string, unknown> = Object.freeze({});

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
