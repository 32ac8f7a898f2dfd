import type { ActivityExecutionContext } from './activity-execution-context.js';
import { plainConstructor } from '../values/plain-object.js';
import { RECORDED } from './rare-context-parts.js';
import { type DoubtfulParts, redactInParts, redactJournal } from '../secrets/redact-journal.js';
import { eachInParts } from '../values/in-parts.js';
import type { SecretKeeper } from '../secrets/secret-keeper.js';
import { holdsMoreThanInputs, toRecord } from './activity-record.js';
import { JournalWeight } from './journal-weight.js';
import {
  type ActivityExecutionRecord,
  type JournalChunk,
  JournalEvent,
  type WorkflowExecutionLogEntry,
} from '../journal/journal-entry.js';

interface EntryDetails {
  readonly message?: string;
  readonly source?: string;
  readonly payload?: Record<string, unknown>;
}

/** What an execution does not tell about its event: most tell all. */
interface Particulars {
  readonly at: number;
  readonly details: EntryDetails | undefined;
}

/**
 * Makes entries: plain objects, yet not from a literal. What a literal makes is put where only a full collection looks, once
 * many of its objects have outlived a small one, as those of a long burst do; each entry then costs several times as much.
 */
const Entry = plainConstructor(function (
  this: WorkflowExecutionLogEntry,
  sequence: number,
  ctx: ActivityExecutionContext,
  timestamp: Date,
  eventName: string,
) {
  const { node, parent } = ctx;
  this.sequence = sequence;
  this.activityInstanceId = ctx.id;
  this.activityId = node.id;
  this.activityType = node.type;
  this.activityTypeVersion = node.version;
  this.activityNodeId = node.nodeId;
  this.timestamp = timestamp;
  this.eventName = eventName;
  if (parent) this.parentActivityInstanceId = parent.id;
  if (node.name !== undefined) this.activityName = node.name;
});

/** So many notes are written out at once: executions that waited for it much longer would outlive a collection. */
const MAX_NOTES = 64;

/**
 * Collects what a burst adds to the journal, which keeps the finished activities that the state no longer holds (W7). Entries
 * and records are written when they are taken, or when there are many: a short burst that is not kept never writes them.
 */
export class JournalWriter {
  private entries: WorkflowExecutionLogEntry[] = [];
  private records: ActivityExecutionRecord[] = [];
  private nextSequence = 0;
  // Notes, one in each list, as objects they would cost as much as the entries. Their places are used again and again.
  private readonly subjects: ActivityExecutionContext[] = [];
  private readonly events: string[] = [];
  private particulars: Map<number, Particulars> | undefined = undefined;
  private notes = 0;
  /** Executions to be recorded. */
  private recorded: ActivityExecutionContext[] = [];
  private latestDate: Date | undefined = undefined;
  private latestMs = -1;
  /** Those of `entries` and `records` that may hold a secret by what they are made of: few of a long burst. */
  private doubtful = noDoubts();
  /** If false, all inputs until now are of a kind that holds no secret, so that records need not be asked. */
  private hasDoubtfulInputs = false;
  /** There are inputs of which the graph says nothing. */
  private hasForeignInputs = false;
  /** What was asked may have been changed since then. */
  private isAllDoubtful = false;
  private readonly weight = new JournalWeight();

  constructor(
    private readonly now: () => number,
    private readonly secrets: SecretKeeper,
  ) {}

  /** Number of the next log entry; carried in the instance's state. */
  get sequence(): number {
    return this.nextSequence + this.notes;
  }
  set sequence(value: number) {
    this.nextSequence = value - this.notes;
  }

  /** Entries and records that wait to be taken. */
  get size(): number {
    return this.entries.length + this.records.length + this.notes + this.recorded.length;
  }

  /** Characters of the values that wait to be taken, roughly. */
  get chars(): number {
    return this.weight.chars;
  }

  /** Counts a value that a record will show. */
  weigh(value: unknown): void {
    this.weight.add(value);
  }

  /**
   * Counts the payload of a message that the next commit stores. Each message is a text of its own, also where payloads share
   * values.
   */
  weighMessage(payload: unknown): void {
    this.weight.addAgain(payload);
  }

  /** @param at when it happened, in milliseconds. @default now */
  log(ctx: ActivityExecutionContext, eventName: string, details?: EntryDetails, at = this.now()): void {
    const note = this.notes++;
    this.subjects[note] = ctx;
    this.events[note] = eventName;
    if (details || at !== timeOf(ctx, eventName)) (this.particulars ??= new Map()).set(note, { at, details });
    if (this.notes >= MAX_NOTES) this.writeNotes();
  }

  /** Has the execution recorded: one that has ended as it is, any other as it stands when the journal is taken. */
  record(ctx: ActivityExecutionContext): void {
    ctx.isDirty = false;
    const { recordIndex } = ctx;
    // Looking at an index below zero costs as much as all else here.
    if (recordIndex >= 0 && this.recorded[recordIndex] === ctx) return;
    const index = this.recorded.push(ctx) - 1;
    // One that has ended is not recorded again.
    if (!ctx.isFinal) ctx.recordIndex = index;
  }

  /** Looks at an input that a record will show. */
  noteInput(name: string, value: unknown): void {
    this.weight.add(value);
    if (!this.hasDoubtfulInputs && this.secrets.mayHide(name, value)) this.hasDoubtfulInputs = true;
  }

  /** There are inputs that were not noted here. */
  doubtInputs(): void {
    this.hasDoubtfulInputs = this.hasForeignInputs = true;
  }

  /** Inputs that were noted may be changed by others. */
  doubtAll(): void {
    this.isAllDoubtful = true;
  }

  /** Returns true if what is taken next has a record of it. */
  isToRecord(ctx: ActivityExecutionContext): boolean {
    const { recordIndex } = ctx;
    return recordIndex >= 0 && this.recorded[recordIndex] === ctx;
  }

  /** The caller commits it: what it has of an execution that continues is not recorded again until it changes. */
  take(): JournalChunk {
    this.writeNotes();
    for (const ctx of this.recorded) {
      this.records.push(this.recordOf(ctx));
      if (!ctx.isFinal) ctx.recordedParts = RECORDED;
    }
    const chunk = { log: this.entries, records: this.records };
    redactJournal(chunk, this.isAllDoubtful ? undefined : this.doubtful, this.secrets);
    this.entries = [];
    this.records = [];
    this.recorded = [];
    this.doubtful = noDoubts();
    this.weight.clear();
    return chunk;
  }

  /**
   * The same with pauses for other work, where there is much to record: twelve thousand branches that have failed took a fifth of a second.
   * Nothing that is recorded may change until it is taken.
   */
  async takeInParts(pause: () => Promise<void>): Promise<JournalChunk> {
    this.writeNotes();
    const { entries, records, recorded, doubtful, isAllDoubtful } = this;
    this.entries = [];
    this.records = [];
    this.recorded = [];
    this.doubtful = noDoubts();
    const record = (ctx: ActivityExecutionContext): void => {
      records.push(this.recordOf(ctx, doubtful));
      if (!ctx.isFinal) ctx.recordedParts = RECORDED;
    };
    await eachInParts(recorded, record, pause);
    this.weight.clear();
    const chunk = { log: entries, records };
    await redactInParts(chunk, isAllDoubtful ? undefined : doubtful, this.secrets, pause);
    return chunk;
  }

  private writeNotes(): void {
    const { subjects, events, particulars, notes } = this;
    for (let i = 0; i < notes; i++)
      this.entries.push(this.entryOf(subjects[i]!, events[i]!, particulars?.get(i), this.nextSequence++));
    this.notes = 0;
    this.particulars = undefined;
    const unfinished: ActivityExecutionContext[] = [];
    for (const ctx of this.recorded)
      if (ctx.isFinal) this.records.push(this.recordOf(ctx));
      else ctx.recordIndex = unfinished.push(ctx) - 1;
    this.recorded = unfinished;
  }

  private recordOf(ctx: ActivityExecutionContext, doubtful = this.doubtful): ActivityExecutionRecord {
    const record = toRecord(ctx, this.dateOf(ctx.startedAt), this.completedDate(ctx));
    if (holdsMoreThanInputs(record)) {
      doubtful.records.push(record);
      this.weight.add(record.payload);
      this.weight.add(record.properties);
    }
    const { activityState } = record;
    if (activityState && this.hasDoubtfulInputs) this.lookAtInputs(record, activityState, ctx, doubtful);
    return record;
  }

  /** At what they are, not at what is in them: that may change until the journal is taken. */
  private lookAtInputs(
    record: ActivityExecutionRecord,
    inputs: Readonly<Record<string, unknown>>,
    { node }: ActivityExecutionContext,
    doubtful: DoubtfulParts,
  ): void {
    const known = this.hasForeignInputs ? undefined : this.secrets.doubtfulInputs(node);
    const names = known ?? Object.keys(inputs);
    for (const name of names) {
      if (!this.secrets.mayHide(name, inputs[name])) continue;
      doubtful.inputs.push(record);
      doubtful.names.push(known);
      return;
    }
  }

  private entryOf(
    ctx: ActivityExecutionContext,
    eventName: string,
    particular: Particulars | undefined,
    sequence: number,
  ): WorkflowExecutionLogEntry {
    const at = particular ? particular.at : timeOf(ctx, eventName)!;
    const entry = new Entry(sequence, ctx, this.dateOf(at), eventName);
    const details = particular?.details;
    if (details) {
      this.doubtful.log.push(entry);
      this.weight.add(details);
      if (details.message !== undefined) entry.message = details.message;
      if (details.payload !== undefined) entry.payload = details.payload;
    }
    const source = details?.source ?? ctx.node.customProperties.source;
    if (typeof source === 'string') entry.source = source;
    return entry;
  }

  private completedDate({ completedAt }: ActivityExecutionContext): Date | undefined {
    return completedAt === undefined ? undefined : this.dateOf(completedAt);
  }

  /** Many steps fall into one millisecond; their entries share its date, which is never changed. */
  private dateOf(ms: number): Date {
    if (!this.latestDate || this.latestMs !== ms) this.latestDate = new Date((this.latestMs = ms));
    return this.latestDate;
  }
}

const noDoubts = (): DoubtfulParts => ({ log: [], records: [], inputs: [], names: [] });

/** When an event of the engine happened, as far as the execution itself tells. */
function timeOf(ctx: ActivityExecutionContext, eventName: string): number | undefined {
  return eventName === JournalEvent.Started ? ctx.startedAt : ctx.completedAt;
}
