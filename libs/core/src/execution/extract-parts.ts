import type { VariableDefinition } from '../definitions/workflow-definition.js';
import { isPersistingDriver } from '../graph/compile-variable.js';
import { setMember } from '../values/plain-object.js';
import { storableCopy } from '../values/storable-copy.js';
import { ValueNotStorableError } from '../values/value-not-storable-error.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { RECORDED_INPUTS } from './rare-context-parts.js';
import {
  inputPlace,
  propertyPlace,
  scheduledPlace,
  sealBookmarks,
  sealCopies,
  sealCopy,
  sealInput,
  variablePlace,
} from './encrypted-parts.js';
import { Callbacks } from './extract-callbacks.js';
import { triggerToKeep } from './kept-start.js';
import { storedProperties } from './stored-properties.js';
import type { WorkItem } from './work-item.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import type {
  ActivityExecutionContextState,
  Bookmark,
  BurstOriginState,
  ScheduledActivityState,
  WorkflowState,
} from '../state/workflow-state.js';

/** @param bookmarks @default all of the instance */
export function extractInstance(
  wec: WorkflowExecutionContext,
  active: ActivityExecutionContext[],
  { activityExecutionContexts, scheduledActivities, callbacks }: ExtractedParts,
  bookmarks: Bookmark[] = sealBookmarks(wec),
): WorkflowState {
  wec.settleProperties();
  const { definition } = wec.graph;
  const keptTrigger = triggerToKeep(wec);
  const state: WorkflowState = {
    id: wec.id,
    definitionId: definition.definitionId,
    definitionVersionId: definition.id,
    definitionVersion: definition.version,
    status: wec.status,
    subStatus: wec.subStatus,
    isExecuting: wec.isRunning && (wec.queue.size > 0 || wec.queue.isHolding || active.some((ctx) => ctx.isExecuting)),
    bookmarks,
    incidents: [...wec.incidents],
    isSystem: definition.isSystem,
    completionCallbacks: callbacks.all,
    activityExecutionContexts,
    scheduledActivities,
    executionLogSequence: wec.journal?.sequence ?? 0,
    activityExecutionCount: wec.activityExecutionCount,
    input: sealInput(wec, keptTrigger === undefined ? persistedInput(wec) : keptInput(wec)),
    output: wec.output,
    properties: wec.properties,
    createdAt: new Date(wec.createdAt),
    updatedAt: new Date(wec.updatedAt),
  };
  if (wec.parentWorkflowInstanceId) state.parentWorkflowInstanceId = wec.parentWorkflowInstanceId;
  if (wec.correlationId) state.correlationId = wec.correlationId;
  if (wec.name) state.name = wec.name;
  if (keptTrigger !== undefined) state.triggerActivityId = keptTrigger;
  if (wec.burstId !== undefined) {
    state.burstId = wec.burstId;
    state.burstOrigin = wec.origin.stateAt(wec.activityExecutionCount, partsOfRest(wec, keptTrigger));
  } else if (wec.isRunning) addInterrupted(state, wec.interrupted);
  if (wec.finishedAt !== undefined) state.finishedAt = new Date(wec.finishedAt);
  const stored = wec.secrets.stored(state);
  // Added last: it was stored without secrets, and need not be searched for them again.
  return wec.migration ? { ...stored, migration: wec.migration } : stored;
}

/** Only inputs that the definition declares with a persisting driver outlive the burst. */
export function persistedInput(wec: WorkflowExecutionContext): Record<string, unknown> {
  return withDeclaredInput(wec, wec.keepsInput ? storableInput(wec) : {});
}

/** That of the start as well, which is to be repeated. */
function keptInput(wec: WorkflowExecutionContext): Record<string, unknown> {
  const { keptStart } = wec;
  return withDeclaredInput(wec, keptStart ? { ...keptStart.input } : storableInput(wec));
}

function withDeclaredInput(wec: WorkflowExecutionContext, kept: Record<string, unknown>): Record<string, unknown> {
  const { inputs } = wec.graph.definition;
  if (inputs.length === 0) return kept;
  const keys = keysInAnyCase(wec.input);
  for (const { name, storageDriverType } of inputs) {
    const key = keys.get(name.toLowerCase());
    if (key !== undefined && isPersistingDriver(storageDriverType)) setMember(kept, key, wec.input[key]);
  }
  return kept;
}

/** What a node needs that continues with the burst, besides its names. */
function partsOfRest(
  wec: WorkflowExecutionContext,
  keptTrigger: string | undefined,
): Omit<BurstOriginState, 'cause' | 'executions'> {
  const { isTriggerUsedUp, triggerActivityId, repeatsStart, keptStart } = wec;
  const start =
    triggerActivityId === undefined || isTriggerUsedUp
      ? {}
      : { triggerActivityId, ...(repeatsStart && { repeatsStart }) };
  return keptTrigger !== undefined && keptStart ? { ...start, input: sealInput(wec, persistedInput(wec)) } : start;
}

/** What is left of another burst, until that is done. */
function addInterrupted(state: WorkflowState, interrupted: WorkflowExecutionContext['interrupted']): void {
  if (!interrupted || (interrupted.burstId === undefined && !state.isExecuting)) return;
  const { burstId, burstOrigin, input } = interrupted;
  if (burstId !== undefined) state.burstId = burstId;
  if (burstOrigin) state.burstOrigin = burstOrigin;
  if (input) state.input = input;
  if (state.triggerActivityId !== undefined || !burstOrigin?.input) return;
  // The start has been repeated beside it: what is left is the burst alone, with its own input.
  const { input: own, ...origin } = burstOrigin;
  state.burstOrigin = origin;
  state.input = own;
}

/** That of a burst which is not over, but for live objects and what the definition wants to be kept in memory only. */
function storableInput({ input, graph }: WorkflowExecutionContext): Record<string, unknown> {
  const inMemory = new Set(
    graph.definition.inputs
      .filter(({ storageDriverType }) => !isPersistingDriver(storageDriverType))
      .map(({ name }) => name.toLowerCase()),
  );
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !inMemory.has(name.toLowerCase()) && isStorable(value)),
  );
}

/** The first of each name: looked for one by one, thousands of declared inputs in as many given ones take minutes. */
function keysInAnyCase(input: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const key of Object.keys(input)) if (!keys.has(key.toLowerCase())) keys.set(key.toLowerCase(), key);
  return keys;
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

/** What an instance has many of. */
interface ExtractedParts {
  readonly activityExecutionContexts: ActivityExecutionContextState[];
  readonly scheduledActivities: ScheduledActivityState[];
  readonly callbacks: Callbacks;
}

export function extractQueued(
  wec: WorkflowExecutionContext,
  item: WorkItem,
  callbacks: Callbacks,
): ScheduledActivityState {
  if (!item.existing) callbacks.add(item.owner, item.node, item.callback);
  return extractWorkItem(wec, item);
}

/** What many have in common they share: the branches of a loop declare the same variables, and a store writes them once. */
export function sharing(): (ctx: ActivityExecutionContext) => ActivityExecutionContextState {
  let known: Map<string, VariableDefinition[]> | undefined;
  let latest: readonly VariableDefinition[] = [];
  let latestShared: VariableDefinition[] = [];
  return (ctx) => {
    const state = extractContext(ctx);
    const { dynamicVariables } = state;
    if (dynamicVariables.length === 0) return state;
    // Those that were restored have the very same ones in common, which needs no text to be seen.
    if (!hasSameItems(dynamicVariables, latest)) {
      latest = dynamicVariables;
      const text = JSON.stringify(dynamicVariables);
      latestShared = (known ??= new Map()).get(text) ?? dynamicVariables;
      known.set(text, latestShared);
    }
    state.dynamicVariables = latestShared;
    return state;
  };
}

function hasSameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

function extractContext(ctx: ActivityExecutionContext): ActivityExecutionContextState {
  const sealed = sealCopies(ctx.workflow, { ...ctx.existingProperties }, (name) => propertyPlace(ctx.id, name));
  const properties = storedProperties(sealed);
  const variables = persistedVariables(ctx);
  const inputs = inputsToKeep(ctx);
  const withheld = withhold(ctx, inputs);
  const state: ActivityExecutionContextState = {
    id: ctx.id,
    scheduledActivityNodeId: ctx.node.nodeId,
    callStackDepth: ctx.callStackDepth,
    properties: variables ? { ...properties, Variables: variables } : properties,
    metadata: ctx.existingMetadata ?? {},
    activityState: inputs,
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
  if (ctx.attemptsBefore > 0) state.attemptsBefore = ctx.attemptsBefore;
  if (!ctx.id.endsWith(`-${ctx.origin}`)) state.origin = ctx.origin;
  if (ctx.schedulingActivityExecutionId) state.schedulingActivityExecutionId = ctx.schedulingActivityExecutionId;
  if (ctx.schedulingActivityId) state.schedulingActivityId = ctx.schedulingActivityId;
  if (ctx.schedulingWorkflowInstanceId) state.schedulingWorkflowInstanceId = ctx.schedulingWorkflowInstanceId;
  if (ctx.activityInput) state.input = { ...ctx.activityInput };
  if (withheld) state.withheldInputs = withheld;
  if ((ctx.recordedParts & RECORDED_INPUTS) !== 0 || ctx.workflow.journal?.isToRecord(ctx)) state.isRecorded = true;
  return state;
}

/** As the activity has them now: its callbacks find the same values whether the process was restarted in between or not. */
export function inputsToKeep({
  activity,
  notedInputs,
  hidden,
  isRestored,
  node,
}: ActivityExecutionContext): Record<string, unknown> {
  const kept = { ...notedInputs };
  if (isRestored) return kept;
  for (const { name, propertyName, isKept, isEncrypted, isOmitted } of node.inputs)
    if ((isEncrypted || (isKept && !hidden?.has(name))) && Object.hasOwn(activity, propertyName)) {
      const value = (activity as unknown as Record<string, unknown>)[propertyName];
      if (value !== null || !isOmitted) setMember(kept, name, value);
    }
  return kept;
}

/**
 * Encrypts inputs that are declared so, and takes others that hold secrets away from those to be kept. These are evaluated
 * again when the activity continues, like those that are declared sensitive; records still show the rest of them.
 */
function withhold(
  { id, node, withheldInputs, workflow: { secrets, vault } }: ActivityExecutionContext,
  kept: Record<string, unknown>,
): Record<string, unknown> | undefined {
  let withheld = withheldInputs;
  for (const { name, type, isEncrypted } of node.inputs) {
    if (isEncrypted) {
      if (Object.hasOwn(kept, name)) setMember(kept, name, vault.seal(kept[name], inputPlace(id, name)));
      continue;
    }
    if (!secrets.isWithheld(name, type, kept[name])) continue;
    withheld = { ...withheld, ...secrets.shown({ [name]: kept[name] }) };
    delete kept[name];
  }
  return withheld;
}

/**
 * Keyed by variable id. Null is stored only where it hides a default: left out, it would be read as that default.
 * `undefined` when the scope declares nothing.
 */
function persistedVariables(ctx: ActivityExecutionContext): Record<string, unknown> | undefined {
  if (!ctx.slots) return undefined;
  const { workflow } = ctx;
  const values: Record<string, unknown> = {};
  /** They hide others as well. */
  let empty: Set<string> | undefined;
  // The first of an id counts: it hides the others. (Input of a nested workflow named like the variable of a loop.)
  for (const { variable, value, dynamic } of ctx.slots) {
    const { id, isPersisted, isEncrypted } = variable;
    if (!isPersisted || Object.hasOwn(values, id) || empty?.has(id)) continue;
    if (value === null || value === undefined) {
      if (!dynamic && variable.initial() !== null) setMember(values, id, null);
      else (empty ??= new Set()).add(id);
      continue;
    }
    const place = () => variablePlace(ctx.id, id);
    setMember(values, id, isEncrypted ? workflow.vault.seal(value, place()) : sealCopy(workflow, value, place));
  }
  return values;
}

function extractWorkItem(
  wec: WorkflowExecutionContext,
  { node, owner, details = {} }: WorkItem,
): ScheduledActivityState {
  const { tag, variables, existing, input } = details;
  return {
    activityNodeId: node.nodeId,
    ownerContextId: owner?.id,
    tag,
    variables: variables?.map(({ variable: { id, definition }, value }) => ({
      definition,
      value: sealCopy(wec, value, () => scheduledPlace(node.nodeId, id)),
    })),
    existingActivityExecutionContextId: existing?.id,
    input: input && { ...input },
  };
}
