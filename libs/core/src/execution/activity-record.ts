import type { ActivityExecutionContext } from './activity-execution-context.js';
import { RECORDED_OUTPUTS } from './rare-context-parts.js';
import { DEFAULT_OUTCOMES } from '../state/outcomes.js';
import { toExceptionState } from '../state/exception-state.js';
import { ActivityStatus } from '../state/workflow-state.js';
import { REDACTED } from '../values/redacted.js';
import { camelCase } from '../values/names.js';
import { ownMember, plainConstructor, setMember } from '../values/plain-object.js';
import { NOT_SERIALIZABLE } from '../values/to-plain-json.js';
import type { ActivityExecutionRecord, RecordPart } from '../journal/journal-entry.js';
import type { LogPersistence, LogPersistenceMode } from '../graph/log-persistence.js';

/** Property of an execution that holds what its log-persistence expressions said: they are evaluated once. */
export const LOG_MODES = 'LogPersistenceModes';

/** Not a literal, for the same reason as the entries of the log. */
const RecordOf = plainConstructor(function (
  this: ActivityExecutionRecord,
  ctx: ActivityExecutionContext,
  startedAt: Date,
  completedAt: Date | undefined,
  activityState: Record<string, unknown> | undefined,
  properties: Record<string, unknown>,
  metadata: Record<string, unknown>,
) {
  const { node, schedulingActivityExecutionId, schedulingActivityId } = ctx;
  this.id = ctx.id;
  this.activityId = node.id;
  this.activityNodeId = node.nodeId;
  this.activityType = node.type;
  this.activityTypeVersion = node.version;
  this.properties = properties;
  this.metadata = metadata;
  this.startedAt = startedAt;
  this.hasBookmarks = ctx.hasBookmarks;
  this.status = ctx.status;
  this.aggregateFaultCount = ctx.faultCount;
  this.callStackDepth = ctx.callStackDepth;
  if (activityState) this.activityState = activityState;
  if (completedAt) this.completedAt = completedAt;
  if (schedulingActivityExecutionId) this.schedulingActivityExecutionId = schedulingActivityExecutionId;
  if (schedulingActivityId) this.schedulingActivityId = schedulingActivityId;
});

/** The record of an execution as it stands now. */
export function toRecord(
  ctx: ActivityExecutionContext,
  startedAt: Date,
  completedAt: Date | undefined,
): ActivityExecutionRecord {
  const { node, schedulingWorkflowInstanceId } = ctx;
  const kept = node.logPersistence?.with(ctx.existingProperties?.[LOG_MODES] as LogPersistenceMode[] | undefined);
  const { notedInputs: evaluated, withheldInputs, recordedParts } = ctx;
  const inputs = shown(withheldInputs ? { ...withheldInputs, ...evaluated } : evaluated, ctx);
  const activityState = inputs && select(inputs, kept, 'keepsInput');
  const payload = payloadOf(ctx, kept);
  const properties = kept?.keepsInternalState === false ? NOTHING : withoutBookkeeping(ctx);
  const { existingMetadata } = ctx;
  const metadata = !existingMetadata || isEmpty(existingMetadata) ? NOTHING : { ...existingMetadata };
  const record = new RecordOf(ctx, startedAt, completedAt, activityState, properties, metadata);
  if (payload) record.payload = payload;
  if (node.name !== undefined) record.activityName = node.name;
  if (recordedParts !== 0) record.unchanged = UNCHANGED[recordedParts]!;
  // A stored state has no outputs: those of an earlier burst stand in the record of that time.
  const outputs = ctx.outputs || (recordedParts & RECORDED_OUTPUTS) === 0 ? shown(outputsOf(ctx), ctx) : undefined;
  const keptOutputs = outputs && select(outputs, kept, 'keepsOutput');
  if (keptOutputs) record.outputs = keptOutputs;
  if (ctx.exception !== undefined) record.exception = toExceptionState(ctx.exception, ctx.workflow.secrets);
  if (schedulingWorkflowInstanceId) record.schedulingWorkflowInstanceId = schedulingWorkflowInstanceId;
  return record;
}

/** Without what is stored encrypted. */
function shown(
  values: Record<string, unknown> | undefined,
  { hidden }: ActivityExecutionContext,
): Record<string, unknown> | undefined {
  if (!hidden || !values) return values;
  const hide = (name: string, value: unknown) => (hidden.has(name) && value !== null ? REDACTED : value);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hide(name, value)]));
}

function payloadOf(
  ctx: ActivityExecutionContext,
  kept: LogPersistence | undefined,
): Record<string, unknown> | undefined {
  const extra = kept?.keepsInternalState === false ? undefined : ctx.existingJournalData;
  if (ctx.status !== ActivityStatus.Completed) return extra && { ...extra };
  // The default outcome goes without saying, as in the reference.
  return ctx.outcomes === DEFAULT_OUTCOMES ? extra && { ...extra } : { ...extra, Outcomes: ctx.outcomes };
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

/**
 * All that the activity declares, in that order, as the reference lists them: null is what was not set. Of what is declared
 * not to outlive the burst, such as uploads, there is the name only: the journal would carry every byte of them.
 */
function outputsOf({ node, outputs }: ActivityExecutionContext): Record<string, unknown> | undefined {
  const { outputDescriptors } = node;
  if (outputDescriptors.length === 0) return outputs;
  const all: Record<string, unknown> = {};
  for (const { name, isSerializable } of outputDescriptors)
    setMember(all, name, isSerializable ? (ownMember(outputs, name) ?? null) : NOT_SERIALIZABLE);
  for (const name in outputs) if (!Object.hasOwn(all, name)) setMember(all, name, outputs[name]);
  return all;
}

/** Values of variables are shown by the instance, not by every record of its containers. */
function withoutBookkeeping(ctx: ActivityExecutionContext): Record<string, unknown> {
  const { existingProperties } = ctx;
  if (!existingProperties || isEmpty(existingProperties)) return NOTHING;
  const { Variables: _, [LOG_MODES]: _modes, ...rest } = existingProperties as Record<string, unknown>;
  for (const name of ctx.activity.unrecordedProperties ?? []) delete rest[name];
  return rest;
}

/** Returns true if there is more in the record than inputs, so that it has to be looked through for secrets. */
export function holdsMoreThanInputs(record: ActivityExecutionRecord): boolean {
  const { payload, outputs, exception, properties, metadata } = record;
  const isBare = payload === undefined && outputs === undefined && exception === undefined;
  return !isBare || properties !== NOTHING || metadata !== NOTHING;
}

/** By `recordedParts`. */
const UNCHANGED: readonly (readonly RecordPart[] | undefined)[] = Object.freeze([
  undefined,
  Object.freeze(['activityState'] as const),
  Object.freeze(['outputs'] as const),
  Object.freeze(['activityState', 'outputs'] as const),
]);

/** What nearly all records have; one object for all of them instead of two new ones for each. */
const NOTHING: Record<string, unknown> = Object.freeze({});

function isEmpty(values: Readonly<Record<string, unknown>>): boolean {
  for (const _ in values) return false;
  return true;
}
