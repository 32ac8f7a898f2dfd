import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { DEFAULT_OUTCOMES } from '../execution/outcomes.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { toExceptionState } from '../execution/exception-state.js';
import { ActivityStatus } from '../execution/workflow-state.js';
import { camelCase } from '../values/names.js';
import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from './journal-entry.js';
import type { LogPersistence } from './log-persistence.js';

/** Collects what a burst adds to the journal. Finished activities leave the state and live on here (W7). */
export class JournalWriter {
  /** Number of the next log entry; carried in the instance's state. */
  sequence = 0;
  private entries: WorkflowExecutionLogEntry[] = [];
  private records = new Map<string, ActivityExecutionRecord>();
  private latestDate = new Date(0);

  constructor(private readonly now: () => number) {}

  /** Entries and records that wait to be written. */
  get size(): number {
    return this.entries.length + this.records.size;
  }

  log(
    ctx: ActivityExecutionContext,
    eventName: string,
    more: { message?: string; source?: string; payload?: Record<string, unknown> } = {},
  ): void {
    const { node } = ctx;
    const entry: WorkflowExecutionLogEntry = {
      sequence: this.sequence++,
      activityInstanceId: ctx.id,
      activityId: node.id,
      activityType: node.type,
      activityTypeVersion: node.version,
      activityNodeId: node.nodeId,
      timestamp: this.dateOf(this.now()),
      eventName,
    };
    if (ctx.parent) entry.parentActivityInstanceId = ctx.parent.id;
    if (node.name !== undefined) entry.activityName = node.name;
    if (more.message !== undefined) entry.message = more.message;
    if (more.source !== undefined) entry.source = more.source;
    if (more.payload !== undefined) entry.payload = more.payload;
    this.entries.push(entry);
  }

  /** Notes the execution as it stands now; a later note of the same execution replaces this one. */
  record(ctx: ActivityExecutionContext): void {
    ctx.isDirty = false;
    this.records.set(
      ctx.id,
      toRecord(ctx, (ms) => this.dateOf(ms)),
    );
  }

  /** Many steps fall into one millisecond; their entries share its date, which nobody changes. */
  private dateOf(ms: number): Date {
    if (this.latestDate.getTime() !== ms) this.latestDate = new Date(ms);
    return this.latestDate;
  }

  take(): JournalChunk {
    const chunk = { log: this.entries, records: [...this.records.values()] };
    this.entries = [];
    this.records = new Map();
    return chunk;
  }
}

function toRecord(ctx: ActivityExecutionContext, dateOf: (ms: number) => Date): ActivityExecutionRecord {
  const { node } = ctx;
  const kept = node.logPersistence;
  const record: ActivityExecutionRecord = {
    id: ctx.id,
    activityId: node.id,
    activityNodeId: node.nodeId,
    activityType: node.type,
    activityTypeVersion: node.version,
    properties: kept?.keepsInternalState === false ? NOTHING : withoutVariables(ctx.properties),
    metadata: isEmpty(ctx.metadata) ? NOTHING : { ...ctx.metadata },
    startedAt: dateOf(ctx.startedAt),
    hasBookmarks: !!ctx.bookmarkIds?.size,
    status: ctx.status,
    aggregateFaultCount: ctx.faultCount,
    callStackDepth: ctx.callStackDepth,
  };
  if (node.name !== undefined) record.activityName = node.name;
  const state = ctx.activityState && select(ctx.activityState, kept, 'keepsInput');
  if (state) record.activityState = state;
  const payload = payloadOf(ctx, kept);
  if (payload) record.payload = payload;
  const outputs = ctx.outputs && select(storable(ctx.outputs, node), kept, 'keepsOutput');
  if (outputs && Object.keys(outputs).length > 0) record.outputs = outputs;
  if (ctx.exception !== undefined) record.exception = toExceptionState(ctx.exception);
  if (ctx.completedAt !== undefined) record.completedAt = dateOf(ctx.completedAt);
  if (ctx.schedulingActivityExecutionId) record.schedulingActivityExecutionId = ctx.schedulingActivityExecutionId;
  if (ctx.schedulingActivityId) record.schedulingActivityId = ctx.schedulingActivityId;
  if (ctx.schedulingWorkflowInstanceId) record.schedulingWorkflowInstanceId = ctx.schedulingWorkflowInstanceId;
  return record;
}

function payloadOf(
  ctx: ActivityExecutionContext,
  kept: LogPersistence | undefined,
): Record<string, unknown> | undefined {
  const extra = ctx.hasJournalData && kept?.keepsInternalState !== false ? ctx.journalData : undefined;
  if (ctx.status !== ActivityStatus.Completed) return extra && { ...extra };
  const names = ctx.outcomes === DEFAULT_OUTCOMES ? ['Done'] : ctx.outcomes;
  return { ...extra, Outcomes: names };
}

function select(
  values: Record<string, unknown>,
  kept: LogPersistence | undefined,
  rule: 'keepsInput' | 'keepsOutput',
): Record<string, unknown> | undefined {
  if (!kept) return values;
  const entries = Object.entries(values).filter(([name]) => kept[rule](camelCase(name)));
  return entries.length ? Object.fromEntries(entries) : undefined;
}

/** Without what is declared not to outlive the burst, such as uploads: the journal would carry every byte of them. */
function storable(outputs: Record<string, unknown>, { registration }: ActivityNode): Record<string, unknown> {
  const excluded = registration.descriptor.outputs.filter((output) => !output.isSerializable);
  if (excluded.length === 0) return outputs;
  const kept = { ...outputs };
  for (const { name } of excluded) delete kept[name];
  return kept;
}

/** Values of variables are shown by the instance, not by every record of its containers. */
function withoutVariables(properties: Record<string, unknown>): Record<string, unknown> {
  if (isEmpty(properties)) return NOTHING;
  const { Variables: _, ...rest } = properties;
  return rest;
}

/** What nearly all records have; one object for all of them instead of two new ones for each. */
const NOTHING: Record<string, unknown> = Object.freeze({});

function isEmpty(values: Record<string, unknown>): boolean {
  for (const _ in values) return false;
  return true;
}
