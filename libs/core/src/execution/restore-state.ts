import type { ActivityNode } from '../graph/activity-node.js';
import { compileVariable } from '../graph/compile-variable.js';
import { eachInParts } from '../values/in-parts.js';
import { entriesOf, linkToLiving, undosOf } from './compensation.js';
import { RECORDED } from './rare-context-parts.js';
import { DYNAMIC_STORAGE, dynamicVariable, ENCRYPTED_STORAGE } from './dynamic-variable.js';
import {
  inputPlace,
  openBookmark,
  openInput,
  propertyPlace,
  scheduledPlace,
  variablePlace,
} from './encrypted-parts.js';
import type { Variable, VariableSlot } from '../graph/variable.js';
import type { CompletionCallback } from './work-item.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { ownMember } from '../values/plain-object.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import type { ActivityExecutionContextState, CompletionCallbackState, WorkflowState } from '../state/workflow-state.js';
import { withoutVariables } from './stored-properties.js';
import { NewerFormatError } from '../errors/newer-format-error.js';
import { ActivityStatus, STATE_FORMAT, WorkflowSubStatus } from '../state/workflow-state.js';

type Types = Parameters<typeof compileVariable>[1];
type DynamicVariables = ActivityExecutionContextState['dynamicVariables'];

/** What a state is restored with. */
export class Restoring {
  private readonly compiled = new Map<DynamicVariables, readonly Variable[]>();

  constructor(readonly types: Types) {}

  /** The branches of a loop share the list of what they declare: it is compiled once for all of them. */
  variablesOf(definitions: DynamicVariables): readonly Variable[] {
    const known = this.compiled.get(definitions);
    if (known) return known;
    const variables = definitions.map((definition) => compileVariable(definition, this.types));
    this.compiled.set(definitions, variables);
    return variables;
  }
}

/**
 * Brings a stored state back. An activity that the definition does not have is left out with a warning: the state belongs to
 * another version.
 * @throws NewerFormatError, before anything is changed
 */
export function restoreState(wec: WorkflowExecutionContext, state: WorkflowState, types: Types): void {
  restoreInstance(wec, state);
  const restoring = new Restoring(types);
  for (const contextState of fromTheRoot(state)) restoreContext(wec, contextState, restoring);
  restoreReferences(wec, state, types);
}

/** The same of a large state, with a pause after each part of it. */
export async function restoreInParts(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  types: Types,
  pause: () => Promise<void>,
): Promise<void> {
  restoreInstance(wec, state);
  const restoring = new Restoring(types);
  await eachInParts(fromTheRoot(state), (contextState) => restoreContext(wec, contextState, restoring), pause);
  await pause();
  if (wec.journal) restoreRecorded(wec, state);
  await eachInParts(state.bookmarks, (bookmark) => restoreBookmark(wec, bookmark), pause);
  await pause();
  restoreCallbacksAndQueue(wec, state, types);
}

const fromTheRoot = (state: WorkflowState): ActivityExecutionContextState[] =>
  [...state.activityExecutionContexts].reverse();

export function restoreInstance(wec: WorkflowExecutionContext, state: WorkflowState): void {
  if (state.formatVersion !== undefined && state.formatVersion > STATE_FORMAT)
    throw new NewerFormatError(`The state of instance "${wec.id}"`);
  wec.status = state.status;
  wec.subStatus = state.subStatus;
  wec.ownCorrelationId = state.correlationId;
  wec.ownName = state.name;
  wec.parentWorkflowInstanceId = state.parentWorkflowInstanceId;
  wec.createdAt = state.createdAt.getTime();
  wec.updatedAt = state.updatedAt.getTime();
  wec.finishedAt = state.finishedAt?.getTime();
  wec.burstId = state.burstId;
  wec.keepsInput = state.burstId !== undefined || state.subStatus === WorkflowSubStatus.Pending;
  wec.input = openInput(wec, state.input);
  wec.output = { ...state.output };
  wec.properties = { ...state.properties };
  wec.incidents.push(...state.incidents);
  wec.activityExecutionCount = state.activityExecutionCount ?? 0;
  if (wec.journal) wec.journal.sequence = state.executionLogSequence;
}

/** What refers to executions. */
function restoreReferences(wec: WorkflowExecutionContext, state: WorkflowState, types: Types): void {
  if (wec.journal) restoreRecorded(wec, state);
  for (const bookmark of state.bookmarks) restoreBookmark(wec, bookmark);
  restoreCallbacksAndQueue(wec, state, types);
}

function restoreBookmark(wec: WorkflowExecutionContext, bookmark: WorkflowState['bookmarks'][number]): void {
  wec.bookmarks.set(bookmark.id, openBookmark(wec, bookmark));
  const ctx = wec.contexts.get(bookmark.activityInstanceId);
  ctx?.addBookmarkId(bookmark.id);
}

/** @param index see `adoptContext` */
export function restoreContext(
  wec: WorkflowExecutionContext,
  s: ActivityExecutionContextState,
  restoring: Restoring,
  index?: number,
): ActivityExecutionContext | undefined {
  const node = wec.graph.findByNodeId(s.scheduledActivityNodeId);
  const parent = s.parentContextId === undefined ? undefined : wec.contexts.get(s.parentContextId);
  if (!node || (s.parentContextId !== undefined && !parent)) {
    wec.engine.warn?.(
      `Instance '${wec.id}': activity '${s.scheduledActivityNodeId}' is not part of version ${wec.graph.definition.version} and is left out.`,
    );
    return undefined;
  }
  const ctx = wec.adoptContext(s.id, node, parent, s.startedAt.getTime(), index);
  ctx.properties = wec.vault.openMembers(withoutVariables(s.properties), (name) => propertyPlace(s.id, name));
  ctx.metadata = { ...s.metadata };
  ctx.activityState = wec.vault.openMembers(s.activityState, (name) => inputPlace(s.id, name));
  for (const { name, isEncrypted } of node.inputs) if (isEncrypted) ctx.hide(name);
  ctx.withheldInputs = s.withheldInputs;
  ctx.status = s.status;
  ctx.isExecuting = s.isExecuting;
  ctx.faultCount = s.faultCount;
  ctx.callStackDepth = s.callStackDepth;
  ctx.tag = s.tag;
  ctx.attempt = s.attempt ?? 1;
  ctx.attemptsBefore = s.attemptsBefore ?? 0;
  ctx.storedOrigin = s.origin ?? s.id.slice(s.id.lastIndexOf('-') + 1);
  ctx.completedAt = s.completedAt?.getTime();
  ctx.activityInput = s.input;
  const { schedulingActivityExecutionId, schedulingActivityId, schedulingWorkflowInstanceId } = s;
  ctx.scheduledBy = { schedulingActivityExecutionId, schedulingActivityId, schedulingWorkflowInstanceId };
  ctx.isDirty = false;
  const variables = wec.vault.openMembers(variablesOf(s.properties), (id) => variablePlace(s.id, id));
  ctx.slots = restoreSlots(node, s, variables, restoring);
  if (ctx.activity.outlivesCancel || entriesOf(ctx).length > 0 || undosOf(ctx)) wec.hasScopes = true;
  linkToLiving(ctx);
  if (ctx.isFinal) wec.retireContext(ctx);
  return ctx;
}

const variablesOf = ({ Variables }: Record<string, unknown>): Record<string, unknown> =>
  (Variables ?? {}) as Record<string, unknown>;

/** Not after a migration: the other version may have other rules about what its records keep. */
function restoreRecorded(wec: WorkflowExecutionContext, state: WorkflowState): void {
  if (state.definitionVersionId !== wec.graph.definition.id) return;
  for (const { id, isRecorded } of state.activityExecutionContexts) {
    const ctx = isRecorded && wec.contexts.get(id);
    if (ctx) ctx.recordedParts = RECORDED;
  }
}

function restoreSlots(
  node: ActivityNode,
  state: ActivityExecutionContextState,
  values: Record<string, unknown>,
  restoring: Restoring,
): VariableSlot[] | undefined {
  const dynamic = restoring
    .variablesOf(state.dynamicVariables ?? [])
    .map((variable): VariableSlot => ({ variable, value: ownMember(values, variable.id) ?? null, dynamic: true }));
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
  const { inputNames, encryptedNames, memoryNames, outputs } = node.nestedWorkflow!;
  const names = new Set([...inputNames, ...outputs.map((o) => o.name)]);
  const [encrypted, inMemory] = [new Set(encryptedNames), new Set(memoryNames)];
  const storageOf = (name: string) =>
    encrypted.has(name) ? ENCRYPTED_STORAGE : inMemory.has(name) ? null : DYNAMIC_STORAGE;
  const variableOf = (name: string) => dynamicVariable(name, name, storageOf(name));
  return [...names].map((name) => ({
    variable: variableOf(name),
    // Of an output that is named `constructor`, the host's own function would be read by expressions.
    value: ownMember(values, name) ?? null,
    dynamic: false,
  }));
}

export const toCallback = (c: CompletionCallbackState | undefined): CompletionCallback | undefined =>
  c && { method: c.methodName, tag: c.tag };

function restoreCallbacksAndQueue(wec: WorkflowExecutionContext, state: WorkflowState, types: Types): void {
  const byChild = new Map(state.completionCallbacks.map((c) => [c.childInstanceId, c] as const));
  const callbacks = state.completionCallbacks.filter((c) => c.childInstanceId === undefined);
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
        value: wec.vault.open(v.value, () => scheduledPlace(node.nodeId, v.definition.id)),
        dynamic: true,
      })),
    });
  }
}
