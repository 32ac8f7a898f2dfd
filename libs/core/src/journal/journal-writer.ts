import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { toRecord } from './activity-record.js';
import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from './journal-entry.js';

interface EntryDetails {
  readonly message?: string;
  readonly source?: string;
  readonly payload?: Record<string, unknown>;
}

/** Something that happened to an execution, until it is written down. */
class Note {
  constructor(
    readonly ctx: ActivityExecutionContext,
    readonly eventName: string,
    readonly at: number,
    readonly details: EntryDetails | undefined,
  ) {}
}

/**
 * Collects what a burst adds to the journal. Finished activities leave the state and live on here (W7). Entries and records
 * are made when somebody takes them: on the way they are a note each, and a burst that nobody keeps never makes them.
 */
export class JournalWriter {
  private taken = 0;
  private notes: Note[] = [];
  private recorded: ActivityExecutionContext[] = [];
  private latestDate: Date | undefined = undefined;
  private latestMs = -1;

  constructor(private readonly now: () => number) {}

  /** Number of the next log entry; carried in the instance's state. */
  get sequence(): number {
    return this.taken + this.notes.length;
  }
  set sequence(value: number) {
    this.taken = value - this.notes.length;
  }

  /** Entries and records that wait to be written. */
  get size(): number {
    return this.notes.length + this.recorded.length;
  }

  /** @param at when it happened, in milliseconds. @default now */
  log(ctx: ActivityExecutionContext, eventName: string, details?: EntryDetails, at = this.now()): void {
    this.notes.push(new Note(ctx, eventName, at, details));
  }

  /** Has the execution recorded, as it stands when the journal is taken. */
  record(ctx: ActivityExecutionContext): void {
    ctx.isDirty = false;
    const { recordIndex } = ctx;
    // Looking at an index below zero costs as much as all else here.
    if (recordIndex >= 0 && this.recorded[recordIndex] === ctx) return;
    const index = this.recorded.push(ctx) - 1;
    // One that has ended is not recorded again.
    if (!ctx.isFinal) ctx.recordIndex = index;
  }

  take(): JournalChunk {
    const { notes, recorded, taken } = this;
    this.taken += notes.length;
    this.notes = [];
    this.recorded = [];
    return {
      log: notes.map((note, index) => this.entryOf(note, taken + index)),
      records: recorded.map((ctx) => toRecord(ctx, this.dateOf(ctx.startedAt), this.completedDate(ctx))),
    };
  }

  private entryOf({ ctx, eventName, at, details }: Note, sequence: number): WorkflowExecutionLogEntry {
    const { node, parent } = ctx;
    const entry: WorkflowExecutionLogEntry = parent
      ? {
          sequence,
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
          sequence,
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
    return entry;
  }

  private completedDate({ completedAt }: ActivityExecutionContext): Date | undefined {
    return completedAt === undefined ? undefined : this.dateOf(completedAt);
  }

  /** Many steps fall into one millisecond; their entries share its date, which nobody changes. */
  private dateOf(ms: number): Date {
    if (!this.latestDate || this.latestMs !== ms) this.latestDate = new Date((this.latestMs = ms));
    return this.latestDate;
  }
}
