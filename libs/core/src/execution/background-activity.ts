import type { BurstSecrets } from '../secrets/burst-secrets.js';
import { toErrorLike } from '../errors/waymark-error.js';
import { JournalEvent, type WorkflowExecutionLogEntry } from '../journal/journal-entry.js';
import type { WorkflowGraph } from '../graph/workflow-graph.js';
import type { VariableSlot } from '../graph/variable.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { WorkItem } from './work-item.js';
import type { OutgoingMessage } from './outgoing-message.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import type { WorkflowRunner } from './workflow-runner.js';
import { ActivityStatus, type Bookmark, type WorkflowState } from '../state/workflow-state.js';
import { setMember } from '../values/plain-object.js';

/** Name of the bookmark at which an activity waits while a worker executes it in the background. */
export const BACKGROUND_BOOKMARK = 'BackgroundActivity';
/** Kind of the message that asks a worker to execute an activity; its payload is a `BackgroundJob`. */
export const BACKGROUND_MESSAGE = 'background-activity';
/** Transient token of the resume that brings a `BackgroundOutcome`. */
export const BACKGROUND_OUTCOME = Symbol.for('@waymark/core:background-outcome');

/** Names the execution that a worker has to run. */
export interface BackgroundJob {
  /** The instance that waits. */
  readonly workflowInstanceId: string;
  /** The execution that runs in the background. */
  readonly activityInstanceId: string;
  /** The bookmark at which the instance waits for it. */
  readonly bookmarkId: string;
}

/** The effects of a run in the background, which are then applied to the instance. It never leaves the process. */
export interface BackgroundOutcome {
  /** Which run it was, from 1. @default as `cutOff` says */
  readonly attempt?: number;
  /** Of one that is given up: how many runs were interrupted, of which it was the last. */
  readonly cutOff?: number;
  /** If false, it waits at bookmarks of its own, or failed. */
  readonly isCompleted: boolean;
  /** The outcomes or the result with which it completed. */
  readonly result?: unknown;
  /** What it threw, if it did. */
  readonly error?: { readonly thrown: unknown };
  /** Its outputs by name. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Its properties, where they changed. */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Its metadata, where they changed. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Data that it added to its activity record. */
  readonly journalData?: Readonly<Record<string, unknown>>;
  /** Entries for the execution log. */
  readonly log?: readonly WorkflowExecutionLogEntry[];
  /** Variables that it has set. */
  readonly variables?: readonly ChangedVariable[];
  /** What it has set of the instance. */
  readonly instance?: ChangedInstance;
  /** Bookmarks that it has created. */
  readonly bookmarks?: readonly Bookmark[];
  /** Activities that it has scheduled. */
  readonly children?: readonly WorkItem[];
  /** Messages that it sends with the commit. */
  readonly messages?: readonly OutgoingMessage[];
  /** Functions to run after the commit. */
  readonly deferred?: readonly (() => unknown)[];
  /** Values that must not be stored or shown. */
  readonly secrets?: BurstSecrets | undefined;
}

interface ChangedVariable {
  readonly contextId: string;
  readonly variableId: string;
  readonly value: unknown;
  /** Of one that the run has declared: its name. */
  readonly declaredAs?: string;
}

type InstanceFacts = Pick<WorkflowExecutionContext, 'correlationId' | 'name' | 'output' | 'properties'>;
/** Facts that differ; of outputs and properties, the members that do. */
type ChangedInstance = { readonly [Name in keyof InstanceFacts]?: InstanceFacts[Name] };

/** Instead of executing: waits, and asks for a worker in the commit that stores the wait. */
export function planBackground(ctx: ActivityExecutionContext): void {
  const { workflow } = ctx;
  const bookmark = ctx.createBookmark({
    name: BACKGROUND_BOOKMARK,
    stimulus: { jobId: workflow.engine.newId() },
    hashInput: {},
    includeActivityInstanceId: true,
    autoComplete: false,
  });
  const payload: BackgroundJob = {
    workflowInstanceId: workflow.id,
    activityInstanceId: ctx.id,
    bookmarkId: bookmark.id,
  };
  workflow.send({ kind: BACKGROUND_MESSAGE, payload, workflowInstanceId: workflow.id });
}

/** An activity that is run outside of a burst. */
export interface DetachedRun {
  /** The compiled version. */
  readonly graph: WorkflowGraph;
  /** Id of the instance. */
  readonly instanceId: string;
  /** As stored; nothing of it is changed. */
  readonly state: WorkflowState;
  /** The execution to run. */
  readonly activityInstanceId: string;
  /** Number of earlier runs that were interrupted (W9). */
  readonly cutOff: number;
  /** Aborts the activity's signal. */
  readonly signal: AbortSignal;
}

/**
 * Executes one activity on a temporary copy of its instance, and returns its effects.
 * @returns undefined when the instance has no such execution (any more)
 */
export async function runDetached(runner: WorkflowRunner, run: DetachedRun): Promise<BackgroundOutcome | undefined> {
  const { graph, instanceId, state, signal } = run;
  const wec = runner.create({ graph, instanceId, state, signal });
  const ctx = wec.contexts.get(run.activityInstanceId);
  if (!ctx) return undefined;
  // The parent is notified when the outcome is applied, not here: on the copy it would start other activities.
  ctx.callback = undefined;
  ctx.attempt += run.cutOff;
  ctx.removeBookmarks();
  const before = valuesOf(wec);
  const { correlationId, name, output, properties } = wec;
  const factsBefore: InstanceFacts = { correlationId, name, output: { ...output }, properties: { ...properties } };
  let error: BackgroundOutcome['error'];
  try {
    await runner.invoker.restoreInputs(ctx);
    await execute(runner, ctx, 0);
    for (let tracked = wec.takeTracked(); tracked; tracked = wec.takeTracked()) await Promise.all(tracked);
    if (ctx.status === ActivityStatus.Running) ctx.collectOutputs();
  } catch (thrown) {
    if (ctx.isFinal) runner.engine.warn?.(failedAfterEnd(ctx, thrown));
    else error = { thrown };
  }
  wec.settleProperties();
  const instance = changedFacts(factsBefore, wec);
  return { ...outcomeOf(wec, ctx), error, variables: changesSince(before, wec), instance };
}

function failedAfterEnd(ctx: ActivityExecutionContext, thrown: unknown): string {
  const message = ctx.workflow.secrets.shownError(toErrorLike(thrown).message);
  return `Activity '${ctx.node.nodeId}' of instance '${ctx.workflow.id}' failed after it had ended: ${message}`;
}

/** As in a burst, the host's middleware is around it. */
function execute(runner: WorkflowRunner, ctx: ActivityExecutionContext, index: number): unknown {
  const middleware = runner.engine.activityMiddleware?.[index];
  return middleware ? middleware(ctx, () => execute(runner, ctx, index + 1)) : ctx.activity.execute(ctx);
}

function outcomeOf(wec: WorkflowExecutionContext, ctx: ActivityExecutionContext): BackgroundOutcome {
  const engineEvents: readonly string[] = Object.values(JournalEvent);
  const log = wec.journal?.take().log ?? [];
  return {
    attempt: ctx.attempt,
    isCompleted: ctx.status === ActivityStatus.Completed,
    result: ctx.result,
    outputs: ctx.outputs,
    properties: ctx.properties,
    metadata: ctx.metadata,
    journalData: ctx.existingJournalData,
    log: log.filter((entry) => entry.activityInstanceId === ctx.id && !engineEvents.includes(entry.eventName)),
    bookmarks: [...wec.bookmarks.values()].filter((bookmark) => bookmark.activityInstanceId === ctx.id),
    children: wec.queue.list().filter((item) => item.owner === ctx),
    messages: wec.outgoing,
    deferred: wec.takeDeferred(),
    secrets: wec.secrets.known,
  };
}

type Values = Map<string, ChangedVariable & { readonly name: string }>;

/** By assignment: what is changed inside of an object is not seen. */
function changesSince(before: Values, wec: WorkflowExecutionContext): ChangedVariable[] {
  const changes: ChangedVariable[] = [];
  for (const [key, { name, ...now }] of valuesOf(wec)) {
    const then = before.get(key);
    if (!then) changes.push({ ...now, declaredAs: name });
    else if (then.value !== now.value) changes.push(now);
  }
  return changes;
}

function valuesOf(wec: WorkflowExecutionContext): Values {
  const values: Values = new Map();
  for (const { id, slots } of wec.contexts.values())
    for (const { variable, value } of slots ?? [])
      values.set(`${id}/${variable.id}`, { contextId: id, variableId: variable.id, value, name: variable.name });
  return values;
}

function changedFacts(before: InstanceFacts, now: InstanceFacts): ChangedInstance {
  return {
    ...(now.correlationId !== before.correlationId && { correlationId: now.correlationId }),
    ...(now.name !== before.name && { name: now.name }),
    output: changedMembers(before.output, now.output),
    properties: changedMembers(before.properties, now.properties),
  };
}

function changedMembers(before: Record<string, unknown>, now: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => before[name] !== value));
}

/**
 * Repeats on the instance what a run in the background did, failure included.
 * @returns false without an outcome: the resume did not come from the background work, which continues
 */
export function applyBackground(ctx: ActivityExecutionContext, bookmark: Bookmark): boolean {
  const { workflow } = ctx;
  const outcome = workflow.transient.get(BACKGROUND_OUTCOME) as BackgroundOutcome | undefined;
  if (!outcome) return false;
  workflow.consume(bookmark);
  workflow.secrets.add(outcome.secrets);
  ctx.attempt = outcome.attempt ?? ctx.attempt + Math.max(0, (outcome.cutOff ?? 0) - 1);
  if (outcome.properties) ctx.properties = { ...outcome.properties };
  if (outcome.metadata) ctx.metadata = { ...outcome.metadata };
  if (outcome.journalData) Object.assign(ctx.journalData, outcome.journalData);
  applyVariables(workflow, outcome);
  applyFacts(workflow, outcome);
  for (const { eventName, message, payload } of outcome.log ?? []) ctx.log(eventName, message, payload);
  for (const message of outcome.messages ?? []) workflow.send(message);
  for (const task of outcome.deferred ?? []) workflow.defer(task);
  for (const [name, value] of Object.entries(outcome.outputs ?? {})) ctx.setOutput(name, value);
  applyWaiting(ctx, outcome);
  if (outcome.error) throw outcome.error.thrown;
  if (outcome.isCompleted) ctx.complete(outcome.result);
  return true;
}

function applyVariables(workflow: WorkflowExecutionContext, { variables = [] }: BackgroundOutcome): void {
  for (const { contextId, variableId, value, declaredAs } of variables) {
    const owner = workflow.contexts.get(contextId);
    // Its id may be that of another variable meanwhile.
    const isIt = ({ variable: { id, name } }: VariableSlot): boolean =>
      declaredAs === undefined ? id === variableId : name === declaredAs;
    const slot = owner?.slots?.find(isIt);
    if (slot) slot.value = value;
    else if (owner && declaredAs !== undefined) workflow.declareDynamic(owner, declaredAs, value);
  }
}

function applyFacts(workflow: WorkflowExecutionContext, { instance = {} }: BackgroundOutcome): void {
  if ('correlationId' in instance) workflow.correlationId = instance.correlationId;
  if ('name' in instance) workflow.name = instance.name;
  for (const [name, value] of Object.entries(instance.output ?? {})) workflow.setWorkflowOutput(name, value);
  for (const [name, value] of Object.entries(instance.properties ?? {})) setMember(workflow.properties, name, value);
}

/** What it waits for now: bookmarks and children. */
function applyWaiting(ctx: ActivityExecutionContext, { bookmarks = [], children = [] }: BackgroundOutcome): void {
  const { workflow } = ctx;
  for (const created of bookmarks) {
    // The instance may have moved to another version meanwhile.
    const { id: activityId, nodeId: activityNodeId } = ctx.node;
    workflow.bookmarks.set(created.id, { ...created, activityId, activityNodeId });
    ctx.addBookmarkId(created.id);
  }
  for (const item of children) {
    // The graph may have been compiled anew meanwhile.
    const node = workflow.graph.findByNodeId(item.node.nodeId);
    if (node) workflow.queue.push(new WorkItem(node, ctx, item.callback, item.after, item.details));
  }
}
