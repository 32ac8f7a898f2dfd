import type { RecordPart } from '@waymark/core/adapter';
import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import { type CompactChunk, COMPACT_VERSION, type Row, UNCHANGED_PARTS } from './compact-chunk.js';
import { TextTable } from './text-table.js';

/** @returns undefined for a chunk with anything in it that the compact form has no place for */
export function toCompact(instanceId: string, { log, records }: JournalChunk): CompactChunk | undefined {
  const writer = new ChunkWriter(instanceId);
  const entryRows: Row[] = [];
  for (const entry of log) entryRows.push(writer.entry(entry));
  const recordRows: Row[] = [];
  for (const record of records) recordRows.push(writer.record(record));
  const { isRegular, base, table } = writer;
  return isRegular && !table.isAmbiguous ? [COMPACT_VERSION, base ?? 0, table.texts, entryRows, recordRows] : undefined;
}

/**
 * One pass, as this is done for every burst. Each member is asked for by what it must be, and counted: when the entry has
 * more than that, one is unknown here, or there without a value.
 */
class ChunkWriter {
  isRegular = true;
  base: number | undefined;
  readonly table: TextTable;
  private counted = 0;

  constructor(instanceId: string) {
    this.table = new TextTable(instanceId);
  }

  entry(entry: WorkflowExecutionLogEntry): Row {
    if (!this.begin(entry)) return [];
    const row = [
      this.number(entry.sequence),
      this.time(entry.timestamp),
      this.text(entry.eventName),
      this.text(entry.activityInstanceId),
      this.number(entry.activityTypeVersion),
      this.text(entry.activityType),
      this.text(entry.activityId),
      this.text(entry.activityNodeId),
      this.optionalText(entry.parentActivityInstanceId),
      this.optionalText(entry.activityName),
      this.optionalText(entry.message),
      this.optionalText(entry.source),
      this.optionalValue(entry.payload),
    ];
    return this.end(entry, row);
  }

  record(record: ActivityExecutionRecord): Row {
    if (!this.begin(record)) return [];
    const row = [
      this.text(record.id),
      this.number(record.activityTypeVersion),
      this.text(record.activityType),
      this.text(record.activityId),
      this.text(record.activityNodeId),
      this.time(record.startedAt),
      record.completedAt === undefined ? null : this.time(record.completedAt),
      this.text(record.status),
      this.flag(record.hasBookmarks),
      this.number(record.aggregateFaultCount),
      this.number(record.callStackDepth),
      this.value(record.properties),
      this.value(record.metadata),
      this.optionalText(record.schedulingActivityExecutionId),
      this.optionalText(record.schedulingActivityId),
      this.part(record, 'activityState'),
      this.optionalText(record.activityName),
      this.optionalValue(record.payload),
      this.part(record, 'outputs'),
      this.optionalText(record.schedulingWorkflowInstanceId),
      this.optionalValue(record.exception),
      this.unchanged(record.unchanged),
    ];
    return this.end(record, row);
  }

  private begin(source: unknown): boolean {
    this.counted = 0;
    if (typeof source !== 'object' || source === null) return (this.isRegular = false);
    const prototype: unknown = Object.getPrototypeOf(source);
    return (this.isRegular &&= prototype === Object.prototype || prototype === null);
  }

  private end(source: object, row: Row): Row {
    let members = 0;
    for (const _ in source) members++;
    if (members !== this.counted) this.isRegular = false;
    let { length } = row;
    while (row[length - 1] === 0) length--;
    row.length = length;
    return row;
  }

  private text(text: string): number {
    this.counted++;
    return typeof text === 'string' ? this.table.placeOf(text) : this.irregular();
  }

  private optionalText(text: string | undefined): number {
    return text === undefined ? 0 : this.text(text);
  }

  private number(number: number): number {
    this.counted++;
    return typeof number === 'number' ? number : this.irregular();
  }

  private flag(flag: boolean): number {
    this.counted++;
    if (typeof flag !== 'boolean') return this.irregular();
    return flag ? 1 : 0;
  }

  private time(date: Date): number {
    this.counted++;
    if (!(date instanceof Date)) return this.irregular();
    this.base ??= date.getTime();
    const time = date.getTime() - this.base;
    // Neither an invalid date, which is to be refused, nor two so far apart that a number cannot tell how far.
    return Number.isSafeInteger(time) ? time : this.irregular();
  }

  private value(value: object): object | 0 {
    this.counted++;
    return typeof value === 'object' && value !== null ? value : this.irregular();
  }

  private optionalValue(value: object | undefined): object | 0 {
    return value === undefined ? 0 : this.value(value);
  }

  /** One that is unchanged stands in an earlier chunk. */
  private part(record: ActivityExecutionRecord, name: RecordPart): object | 0 {
    if (!record.unchanged?.includes(name)) return this.optionalValue(record[name]);
    if (record[name] !== undefined) this.counted++;
    return 0;
  }

  private unchanged(parts: ActivityExecutionRecord['unchanged']): number {
    if (parts === undefined) return 0;
    this.counted++;
    if (!Array.isArray(parts) || parts.length === 0) return this.irregular();
    let bits = 0;
    for (const part of parts as readonly RecordPart[]) {
      const bit = UNCHANGED_PARTS.indexOf(part);
      if (bit < 0) return this.irregular();
      bits |= 1 << bit;
    }
    return bits;
  }

  private irregular(): 0 {
    this.isRegular = false;
    return 0;
  }
}
