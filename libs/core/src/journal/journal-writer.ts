import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { toRecord } from './activity-record.js';
import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from './journal-entry.js';

interface EntryDetails {
  readonly message?: string;
  readonly source?: string;
  readonly payload?: Record<string, unknown>;
}

/** Collects what a burst adds to the journal. Finished activities leave the state and live on here (W7). */
export class JournalWriter {
  /** Number of the next log entry; carried in the instance's state. */
  sequence = 0;
  private entries: WorkflowExecutionLogEntry[] = [];
  private records: ActivityExecutionRecord[] = [];
  private latestDate = new Date(0);
  private latestMs = 0;

  constructor(private readonly now: () => number) {}

  /** Entries and records that wait to be written. */
  get size(): number {
    return this.entries.length + this.records.length;
  }

  /** @param at when it happened, in milliseconds. @default now */
  log(ctx: ActivityExecutionContext, eventName: string, details?: EntryDetails, at = this.now()): void {
    const { node, parent } = ctx;
    const entry: WorkflowExecutionLogEntry = parent
      ? {
          sequence: this.sequence++,
          activityInstanceId: ctx.id,
          parentActivityInstanceId: parent.id,
          activityId: node.id,
          activityType: node.type,
          activityTypeVersion: node.version,
          activityNodeId: node.nodeId,
          timestamp: this.dateOf(at),
          eventName,
        }
      : {
          sequence: this.sequence++,
          activityInstanceId: ctx.id,
          activityId: node.id,
          activityType: node.type,
          activityTypeVersion: node.version,
          activityNodeId: node.nodeId,
          timestamp: this.dateOf(at),
          eventName,
        };
    if (node.name !== undefined) entry.activityName = node.name;
    if (details) {
      if (details.message !== undefined) entry.message = details.message;
      if (details.source !== undefined) entry.source = details.source;
      if (details.payload !== undefined) entry.payload = details.payload;
    }
    this.entries.push(entry);
  }

  /** Notes the execution as it stands now; a later note of the same execution replaces this one. */
  record(ctx: ActivityExecutionContext): void {
    ctx.isDirty = false;
    const record = toRecord(ctx, this.dateOf(ctx.startedAt), this.completedDate(ctx));
    const { recordIndex } = ctx;
    // Its place of an earlier burst half may be taken by the record of another one. The first record has no place yet, and
    // looking at an index below zero costs as much as making the record.
    if (recordIndex >= 0 && this.records[recordIndex]?.id === record.id) this.records[recordIndex] = record;
    else {
      const index = this.records.push(record) - 1;
      if (!ctx.isFinal) ctx.recordIndex = index;
    }
  }

  take(): JournalChunk {
    const chunk = { log: this.entries, records: this.records };
    this.entries = [];
    this.records = [];
    return chunk;
  }

  private completedDate({ completedAt }: ActivityExecutionContext): Date | undefined {
    return completedAt === undefined ? undefined : this.dateOf(completedAt);
  }

  /** Many steps fall into one millisecond; their entries share its date, which nobody changes. */
  private dateOf(ms: number): Date {
    if (this.latestMs !== ms) this.latestDate = new Date((this.latestMs = ms));
    return this.latestDate;
  }
}
