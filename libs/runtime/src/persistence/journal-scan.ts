import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import { ExecutionSet } from './execution-ids.js';
import { mergeRecords } from './journal-records.js';
import type { JournalPlace, JournalStore } from './lookup-stores.js';
import { NumberSet } from './number-set.js';

/** What is in memory at a time: so many bursts, or fewer that have so many log entries. */
const CHUNKS_AT_ONCE = 100;
const ENTRIES_AT_ONCE = 2_000;

/**
 * Reads the journal of an instance part by part, newest first, as it is when the scan begins: what is in memory does not
 * depend on how long the journal is, but for one bit for each of its executions or entries. Large values are references. A
 * journal of one part is read once, however often it is gone through.
 */
export class JournalScan {
  private readonly parts: readonly (readonly JournalPlace[])[];
  private only: readonly JournalChunk[] | undefined;

  private constructor(
    private readonly journal: JournalStore,
    private readonly instanceId: string,
    places: readonly JournalPlace[],
  ) {
    this.parts = partsOf(places);
  }

  /** Begins a scan of the journal of that instance. */
  static async of(journal: JournalStore, instanceId: string): Promise<JournalScan> {
    return new JournalScan(journal, instanceId, await journal.findChunks(instanceId));
  }

  /** All records as they were written: without what is unchanged since an earlier one of the same execution. */
  async *records(): AsyncGenerator<ActivityExecutionRecord[], void> {
    for await (const chunks of this.newestFirst()) yield chunks.flatMap(({ records }) => records.toReversed());
  }

  /** The latest record of each execution, as it was written. */
  async *latestRecords(): AsyncGenerator<ActivityExecutionRecord[], void> {
    const seen = new ExecutionSet(this.instanceId);
    for await (const records of this.records()) yield records.filter((record) => seen.add(record));
  }

  /** Those of these executions that are there, whole. Ends as soon as it has them all. */
  async wholeRecords(ids: readonly string[]): Promise<ReadonlyMap<string, ActivityExecutionRecord>> {
    const versions = new Map<string, ActivityExecutionRecord[]>();
    const wanted = new Set(ids);
    for await (const records of wanted.size > 0 ? this.records() : []) {
      for (const record of records) {
        if (!wanted.has(record.id)) continue;
        versions.set(record.id, [...(versions.get(record.id) ?? []), record]);
        if (!record.unchanged) wanted.delete(record.id);
      }
      if (wanted.size === 0) break;
    }
    return new Map(
      [...versions].map(([id, found]) => [id, mergeRecords([{ records: found.toReversed() }])[0]!] as const),
    );
  }

  /**
   * Log entries, each once; of those with one sequence number, the one that was written last.
   * @param fits leaves chunks out whose numbers are not among these
   */
  async *latestEntries(fits?: (place: JournalPlace) => boolean): AsyncGenerator<WorkflowExecutionLogEntry[], void> {
    const seen = new NumberSet();
    for await (const chunks of this.newestFirst(fits))
      yield chunks.flatMap(({ log }) => log.toReversed()).filter(({ sequence }) => seen.add(sequence));
  }

  /** The entries with these numbers that are there, in their order. */
  async entries(sequences: readonly number[]): Promise<WorkflowExecutionLogEntry[]> {
    const wanted = new Set(sequences);
    const found: WorkflowExecutionLogEntry[] = [];
    const [first, last] = [sequences[0] ?? Infinity, sequences.at(-1) ?? -Infinity];
    const fits = (place: JournalPlace) => place.lastSequence >= first && place.firstSequence <= last;
    for await (const entries of this.latestEntries(fits))
      found.push(...entries.filter(({ sequence }) => wanted.has(sequence)));
    return found.sort((left, right) => left.sequence - right.sequence);
  }

  /** The one with the highest number of those that are selected. Reads no further back than it must. */
  async lastEntry(
    isSelected: (entry: WorkflowExecutionLogEntry) => boolean,
  ): Promise<WorkflowExecutionLogEntry | undefined> {
    let last: WorkflowExecutionLogEntry | undefined;
    const mayBeLater = (place: JournalPlace) => last === undefined || place.lastSequence > last.sequence;
    for await (const entries of this.latestEntries(mayBeLater))
      for (const entry of entries)
        if (isSelected(entry) && (last === undefined || entry.sequence > last.sequence)) last = entry;
    return last;
  }

  /** Chunks, those that were written last before the others. */
  async *newestFirst(fits?: (place: JournalPlace) => boolean): AsyncGenerator<JournalChunk[], void> {
    for (const part of this.parts.toReversed()) {
      const places = fits ? part.filter(fits) : part;
      if (places.length > 0) yield (await this.read(places)).toReversed();
    }
  }

  private async read(places: readonly JournalPlace[]): Promise<readonly JournalChunk[]> {
    const ids = places.map(({ id }) => id);
    if (this.parts.length > 1) return this.journal.readChunks(this.instanceId, ids);
    this.only ??= await this.journal.readChunks(this.instanceId, ids);
    return this.only;
  }
}

function partsOf(places: readonly JournalPlace[]): JournalPlace[][] {
  const parts: JournalPlace[][] = [];
  let entries = Infinity;
  for (const place of places) {
    entries += place.entryCount;
    const part = parts.at(-1);
    if (part && part.length < CHUNKS_AT_ONCE && entries <= ENTRIES_AT_ONCE) part.push(place);
    else {
      parts.push([place]);
      entries = place.entryCount;
    }
  }
  return parts;
}
