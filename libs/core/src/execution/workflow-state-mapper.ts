import type { ActivityNode } from '../graph/activity-node.js';
import { compileVariable, isPersistingDriver } from '../graph/compile-variable.js';
import { storableCopy } from '../values/storable-copy.js';
import { ValueNotStorableError } from '../values/value-not-storable-error.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { dynamicVariable } from './dynamic-variable.js';
import type { VariableSlot } from './variable.js';
import type { CompletionCallback, WorkItem } from './work-item.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import type {
  ActivityExecutionContextState,
  CompletionCallbackState,
  ScheduledActivityState,
  WorkflowState,
} from './workflow-state.js';
import { ActivityStatus, WorkflowSubStatus } from './workflow-state.js';

/** What must be stored of a running instance: contexts innermost first, the root last. */
export function extractState(wec: WorkflowExecutionContext): WorkflowState {
  const { definition } = wec.graph;
  const active = wec.contexts.values().reverse();
  if (wec.rootContext && !wec.contexts.has(wec.rootContext)) active.push(wec.rootContext);
  const state: WorkflowState = {
    id: wec.id,
    definitionId: definition.definitionId,
    definitionVersionId: definition.id,
    definitionVersion: definition.version,
    status: wec.status,
    subStatus: wec.subStatus,
    isExecuting: wec.isRunning && (wec.queue.size > 0 || active.some((ctx) => ctx.isExecuting)),
    bookmarks: [...wec.bookmarks.values()],
    incidents: [...wec.incidents],
    isSystem: definition.isSystem,
    completionCallbacks: callbacksOf(wec, active),
    activityExecutionContexts: active.map(extractContext),
    scheduledActivities: wec.queue.list().map(extractWorkItem),
    executionLogSequence: wec.journal?.sequence ?? 0,
    activityExecutionCount: wec.activityExecutionCount,
    input: persistedInput(wec),
    output: wec.output,
    properties: wec.properties,
    createdAt: new Date(wec.createdAt),
    updatedAt: new Date(wec.updatedAt),
  };
  if (wec.parentWorkflowInstanceId) state.parentWorkflowInstanceId = wec.parentWorkflowInstanceId;
  if (wec.correlationId) state.correlationId = wec.correlationId;
  if (wec.name) state.name = wec.name;
  if (wec.burstId !== undefined) {
    state.burstId = wec.burstId;
    state.burstOrigin = wec.origin.stateAt(wec.activityExecutionCount);
  }
  if (wec.finishedAt !== undefined) state.finishedAt = new Date(wec.finishedAt);
  return state;
}

/** Only inputs that the definition declares with a persisting driver outlive the burst. */
function persistedInput(wec: WorkflowExecutionContext): Record<string, unknown> {
  const kept = wec.keepsInput ? storableInput(wec) : {};
  for (const input of wec.graph.definition.inputs) {
    const key = Object.keys(wec.input).find((k) => k.toLowerCase() === input.name.toLowerCase());
    if (key !== undefined && isPersistingDriver(input.storageDriverType)) kept[key] = wec.input[key];
  }
  return kept;
}

/** That of a burst which is not over, but for live objects and what the definition wants to be kept in memory only. */
function storableInput({ input, graph }: WorkflowExecutionContext): Record<string, unknown> {
  const inMemory = graph.definition.inputs
    .filter(({ storageDriverType }) => !isPersistingDriver(storageDriverType))
    .map(({ name }) => name.toLowerCase());
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !inMemory.includes(name.toLowerCase()) && isStorable(value)),
  );
}

function isStorable(value: unknown): boolean {
  try {
    storableCopy(value, 'input');
    return true;
  } catch (error) {
    if (error instanceof ValueNotStorableError) return false;
    throw error;
  }
}

function callbacksOf(wec: WorkflowExecutionContext, active: ActivityExecutionContext[]): CompletionCallbackState[] {
  const all: CompletionCallbackState[] = [];
  const add = (
    owner: ActivityExecutionContext | undefined,
    node: ActivityNode,
    callback: CompletionCallback | undefined,
    childId?: string,
  ) => {
    if (!owner || !callback) return;
    const { method: methodName, tag } = callback;
    all.push({ ownerInstanceId: owner.id, childNodeId: node.nodeId, childInstanceId: childId, methodName, tag });
  };
  for (const ctx of [...active].reverse()) if (!ctx.isFinal) add(ctx.parent, ctx.node, ctx.callback, ctx.id);
  for (const item of wec.queue.list()) if (!item.existing) add(item.owner, item.node, item.callback);
  return all;
}

function extractContext(ctx: ActivityExecutionContext): ActivityExecutionContextState {
  const variables = persistedVariables(ctx);
  const state: ActivityExecutionContextState = {
    id: ctx.id,
    scheduledActivityNodeId: ctx.node.nodeId,
    callStackDepth: ctx.callStackDepth,
    properties: variables ? { ...ctx.existingProperties, Variables: variables } : { ...ctx.existingProperties },
    metadata: ctx.existingMetadata ?? {},
    activityState: inputsToKeep(ctx),
    dynamicVariables: ctx.slots?.filter((s) => s.dynamic).map((s) => s.variable.definition) ?? [],
    status: ctx.status,
    isExecuting: ctx.isExecuting,
    faultCount: ctx.faultCount,
    startedAt: new Date(ctx.startedAt),
  };
  if (ctx.parent) {
    state.parentContextId = ctx.parent.id;
    state.ownerActivityNodeId = ctx.parent.node.nodeId;
  }
  if (ctx.completedAt !== undefined) state.completedAt = new Date(ctx.completedAt);
  if (ctx.tag !== undefined) state.tag = ctx.tag;
  if (ctx.attempt > 1) state.attempt = ctx.attempt;
  if (!ctx.id.endsWith(`-${ctx.origin}`)) state.origin = ctx.origin;
  if (ctx.schedulingActivityExecutionId) state.schedulingActivityExecutionId = ctx.schedulingActivityExecutionId;
  if (ctx.schedulingActivityId) state.schedulingActivityId = ctx.schedulingActivityId;
  if (ctx.schedulingWorkflowInstanceId) state.schedulingWorkflowInstanceId = ctx.schedulingWorkflowInstanceId;
  if (ctx.activityInput) state.input = { ...ctx.activityInput };
  return state;
}

/** As the activity has them now: its callbacks find the same values whether the process was restarted in between or not. */
function inputsToKeep({
  activity,
  activityState,
  isRestored,
  node,
}: ActivityExecutionContext): Record<string, unknown> {
  const kept = { ...activityState };
  if (isRestored) return kept;
  for (const { name, propertyName, isKept } of node.inputs)
    if (isKept && Object.hasOwn(activity, propertyName))
      kept[name] = (activity as unknown as Record<string, unknown>)[propertyName];
  return kept;
}

/** Keyed by variable id; null values are left out. `undefined` when the scope declares nothing. */
function persistedVariables(ctx: ActivityExecutionContext): Record<string, unknown> | undefined {
  if (!ctx.slots) return undefined;
  const values: Record<string, unknown> = {};
  // The first of an id counts: it hides the others. (Input of a nested workflow named like the variable of a loop.)
  for (const { variable, value } of ctx.slots)
    if (variable.isPersisted && value !== null && value !== undefined && !Object.hasOwn(values, variable.id))
      values[variable.id] = value;
  return values;
}

function extractWorkItem({ node, owner, details = {} }: WorkItem): ScheduledActivityState {
  const { tag, variables, existing, input } = details;
  return {
    activityNodeId: node.nodeId,
    ownerContextId: owner?.id,
    tag,
    variables: variables?.map((s) => ({ definition: s.variable.definition, value: s.value })),
    existingActivityExecutionContextId: existing?.id,
    input: input && { ...input },
  };
}

/**
 * Brings a stored state back. An activity that the definition no longer has is left out with a warning, so that an
 * instance can be moved to another version.
 */
export function restoreState(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  types: Parameters<typeof compileVariable>[1],
): void {
  wec.status = state.status;
  wec.subStatus = state.subStatus;
  wec.correlationId = state.correlationId;
  wec.name = state.name;
  wec.parentWorkflowInstanceId = state.parentWorkflowInstanceId;
  wec.createdAt = state.createdAt.getTime();
  wec.updatedAt = state.updatedAt.getTime();
  wec.finishedAt = state.finishedAt?.getTime();
  wec.burstId = state.burstId;
  wec.keepsInput = state.burstId !== undefined || state.subStatus === WorkflowSubStatus.Pending;
  wec.input = { ...state.input };
  wec.output = { ...state.output };
  wec.properties = { ...state.properties };
  wec.incidents.push(...state.incidents);
  wec.activityExecutionCount = state.activityExecutionCount ?? 0;
  if (wec.journal) wec.journal.sequence = state.executionLogSequence;
  for (const contextState of [...state.activityExecutionContexts].reverse()) restoreContext(wec, contextState, types);
  for (const bookmark of state.bookmarks) {
    wec.bookmarks.set(bookmark.id, bookmark);
    const ctx = wec.contexts.get(bookmark.activityInstanceId);
    ctx?.addBookmarkId(bookmark.id);
  }
  restoreCallbacksAndQueue(wec, state, types);
}

function restoreContext(
  wec: WorkflowExecutionContext,
  s: ActivityExecutionContextState,
  types: Parameters<typeof compileVariable>[1],
): void {
  const node = wec.graph.findByNodeId(s.scheduledActivityNodeId);
  const parent = s.parentContextId === undefined ? undefined : wec.contexts.get(s.parentContextId);
  if (!node || (s.parentContextId !== undefined && !parent)) {
    wec.engine.warn?.(
      `Instance '${wec.id}': activity '${s.scheduledActivityNodeId}' is not part of version ${wec.graph.definition.version} and is left out.`,
    );
    return;
  }
  const ctx = wec.adoptContext(s.id, node, parent, s.startedAt.getTime());
  const { Variables, ...properties } = s.properties as { Variables?: Record<string, unknown> };
  ctx.properties = properties;
  ctx.metadata = { ...s.metadata };
  ctx.activityState = s.activityState;
  ctx.status = s.status;
  ctx.isExecuting = s.isExecuting;
  ctx.faultCount = s.faultCount;
  ctx.callStackDepth = s.callStackDepth;
  ctx.tag = s.tag;
  ctx.attempt = s.attempt ?? 1;
  ctx.storedOrigin = s.origin ?? s.id.slice(s.id.lastIndexOf('-') + 1);
  ctx.completedAt = s.completedAt?.getTime();
  ctx.activityInput = s.input;
  const { schedulingActivityExecutionId, schedulingActivityId, schedulingWorkflowInstanceId } = s;
  ctx.scheduledBy = { schedulingActivityExecutionId, schedulingActivityId, schedulingWorkflowInstanceId };
  ctx.isDirty = false;
  ctx.slots = restoreSlots(node, s, Variables ?? {}, types);
  if (ctx.isFinal) wec.retireContext(ctx);
}

function restoreSlots(
  node: ActivityNode,
  state: ActivityExecutionContextState,
  values: Record<string, unknown>,
  types: Parameters<typeof compileVariable>[1],
): VariableSlot[] | undefined {
  const dynamic = (state.dynamicVariables ?? []).map((d): VariableSlot => {
    const variable = compileVariable(d, types);
    return { variable, value: values[d.id] ?? null, dynamic: true };
  });
  const declared = node.variables.map((variable): VariableSlot => ({
    variable,
    value: variable.isPersisted && Object.hasOwn(values, variable.id) ? values[variable.id] : variable.initial(),
    dynamic: false,
  }));
  const nested = node.nestedWorkflow && node.parent ? nestedSlots(node, values) : [];
  const all = [...nested, ...dynamic, ...declared];
  return all.length ? all : undefined;
}

/** Inputs and outputs of a workflow used as an activity are variables of its scope, with their names as ids. */
export function nestedSlots(node: ActivityNode, values: Record<string, unknown>): VariableSlot[] {
  const { inputNames, outputs } = node.nestedWorkflow!;
  const names = new Set([...inputNames, ...outputs.map((o) => o.name)]);
  return [...names].map((name) => ({ variable: dynamicVariable(name), value: values[name] ?? null, dynamic: false }));
}

function restoreCallbacksAndQueue(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  types: Parameters<typeof compileVariable>[1],
): void {
  const byChild = new Map(state.completionCallbacks.map((c) => [c.childInstanceId, c] as const));
  const callbacks = state.completionCallbacks.filter((c) => c.childInstanceId === undefined);
  const toCallback = (c: CompletionCallbackState | undefined) => c && { method: c.methodName, tag: c.tag };
  const take = (ownerId: string | undefined, nodeId: string, tag: unknown): CompletionCallback | undefined => {
    let index = callbacks.findIndex((c) => c.ownerInstanceId === ownerId && c.childNodeId === nodeId && c.tag === tag);
    if (index < 0) index = callbacks.findIndex((c) => c.ownerInstanceId === ownerId && c.childNodeId === nodeId);
    return toCallback(index < 0 ? undefined : callbacks.splice(index, 1)[0]);
  };
  for (const ctx of wec.contexts.values())
    if (ctx.parent && ctx.status !== ActivityStatus.Canceled)
      ctx.callback = toCallback(byChild.get(ctx.id)) ?? take(ctx.parent.id, ctx.node.nodeId, ctx.tag);
  for (const scheduled of state.scheduledActivities) {
    const node = wec.graph.findByNodeId(scheduled.activityNodeId);
    if (!node) continue;
    const owner = scheduled.ownerContextId === undefined ? undefined : wec.contexts.get(scheduled.ownerContextId);
    const existing =
      scheduled.existingActivityExecutionContextId === undefined
        ? undefined
        : wec.contexts.get(scheduled.existingActivityExecutionContextId);
    wec.queue.add({
      node,
      owner,
      existing,
      tag: scheduled.tag,
      input: scheduled.input,
      callback: existing ? undefined : take(owner?.id, node.nodeId, scheduled.tag),
      variables: scheduled.variables?.map((v) => ({
        variable: compileVariable(v.definition, types),
        value: v.value,
        dynamic: true,
      })),
    });
  }
}
