import type { ActivityNode } from '../graph/activity-node.js';
import type { Variable, VariableSlot } from '../graph/variable.js';
import { EncryptedValue } from '../values/encrypted-value.js';
import { deserialize, serialize } from '../values/storage-codec.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { DYNAMIC_STORAGE, dynamicVariable, ENCRYPTED_STORAGE } from './dynamic-variable.js';
import { sealCopy } from './encrypted-parts.js';

/** Property of a scope: steps that were completed in it, in that order, and can be undone. */
export const ENTRIES = 'Compensations';
/** Property of a scope: entries that it is to undo or confirm, the next one last. */
export const UNDOS = 'Undos';
/** Property of an execution whose variables are those of an earlier time. */
const OF_THEN = 'HasVariablesOfThen';
/** Name of the input of an execution that undoes or confirms. */
export const ENTRY = 'Compensation';
/** Variable of an undo: outputs of the body, by name. */
export const STEP_OUTPUTS = 'StepOutputs';

/** A completed step that can be undone, with the variables and outputs that it saw at that time. */
export interface CompensationEntry {
  readonly nodeId: string;
  /** Of the execution that was completed: its values are encrypted for it. */
  readonly contextId: string;
  readonly variables: readonly { readonly id: string; readonly name: string; readonly value: unknown }[];
  readonly outputs: unknown;
  /** If true, it is not undone, but confirmed. */
  readonly isConfirmed?: true;
  /** If true, it cannot be undone. */
  readonly isConfirmOnly?: true;
  /** If true, there is a branch for its confirmation. */
  readonly hasConfirm?: true;
}

export function entriesOf(ctx: ActivityExecutionContext): readonly CompensationEntry[] {
  return (ctx.existingProperties?.[ENTRIES] as CompensationEntry[] | undefined) ?? [];
}

export function undosOf(ctx: ActivityExecutionContext): CompensationEntry[] | undefined {
  return ctx.existingProperties?.[UNDOS] as CompensationEntry[] | undefined;
}

/** Behind those that are there, which are not copied: a loop adds ten thousands to its scope, one after the other. */
export function addEntries(scope: ActivityExecutionContext, entries: readonly CompensationEntry[]): void {
  if (entries.length === 0) return;
  const own = scope.existingProperties?.[ENTRIES] as CompensationEntry[] | undefined;
  if (own) for (const entry of entries) own.push(entry);
  else scope.properties[ENTRIES] = [...entries];
  scope.isDirty = true;
  scope.workflow.hasScopes = true;
}

/** All that was completed in the scope is to be undone, the latest first. */
export function planUndo(scope: ActivityExecutionContext): void {
  if (entriesOf(scope).length === 0) return;
  const entries = entriesOf(scope).filter(({ isConfirmOnly }) => !isConfirmOnly);
  delete scope.properties[ENTRIES];
  if (entries.length > 0) scope.properties[UNDOS] = [...(undosOf(scope) ?? []), ...entries];
}

/** @param keep names of the variables to keep. @default all that are stored with the instance */
export function makeEntry(
  ctx: ActivityExecutionContext,
  outputs: Readonly<Record<string, unknown>> | undefined,
  keep: readonly string[] | null | undefined,
): CompensationEntry {
  const { id: contextId, workflow } = ctx;
  const known = new Set<string>();
  const variables: { id: string; name: string; value: unknown }[] = [];
  for (const { variable, value } of visibleSlots(ctx)) {
    const { id, name, isPersisted, isEncrypted } = variable;
    if (known.has(id)) continue;
    known.add(id);
    if (!isPersisted || (keep && !keep.includes(name))) continue;
    const place = placeOf(contextId, id);
    const own = copyOf(value ?? null);
    variables.push({
      id,
      name,
      value: isEncrypted ? workflow.vault.seal(own, place) : sealCopy(workflow, own, () => place),
    });
  }
  const sealed = sealCopy(workflow, copyOf(outputs ?? {}), () => placeOf(contextId, STEP_OUTPUTS));
  return { nodeId: ctx.node.nodeId, contextId, variables, outputs: sealed };
}

export const entryInput = (entry: CompensationEntry): Record<string, unknown> => ({ [ENTRY]: entry });

/** Gives the execution what the entry in its input has kept. @returns undefined when there is none */
export function takeEntry(ctx: ActivityExecutionContext): CompensationEntry | undefined {
  const entry = ctx.activityInput?.[ENTRY] as CompensationEntry | undefined;
  if (!entry) return undefined;
  const { vault } = ctx.workflow;
  const slots = entry.variables.map(({ id, name, value }): VariableSlot => ({
    variable: variableOf(ctx.node, id, name, value instanceof EncryptedValue),
    value: vault.open(value, () => placeOf(entry.contextId, id)),
    dynamic: true,
  }));
  const outputs = vault.open(entry.outputs, () => placeOf(entry.contextId, STEP_OUTPUTS));
  ctx.slots = [{ variable: dynamicVariable(STEP_OUTPUTS), value: outputs, dynamic: true }, ...slots];
  ctx.properties[OF_THEN] = true;
  ctx.activityInput = undefined;
  linkToLiving(ctx);
  return entry;
}

/** What is assigned to a variable of then is assigned to the living one as well. */
export function linkToLiving(ctx: ActivityExecutionContext): void {
  if (ctx.existingProperties?.[OF_THEN] !== true) return;
  for (const slot of ctx.slots ?? []) slot.living = findById(ctx.parent, slot.variable.id);
}

/**
 * An input of the workflow used as an activity in which the undone step stood; that one is over. As in the step itself: in any case of its
 * name, and never an input of the workflow around in its place. What was not kept is null.
 */
export function inputOfThen(from: ActivityExecutionContext, name: string): Pick<VariableSlot, 'value'> | undefined {
  for (let c: ActivityExecutionContext | undefined = from; c; c = c.parent) {
    if (c.node.nestedWorkflow && c.parent) return undefined;
    if (c.existingProperties?.[OF_THEN] !== true) continue;
    const inputNames = nestedNode(c.node)?.nestedWorkflow?.inputNames;
    if (!inputNames) return undefined;
    const wanted = name.toLowerCase();
    const known = inputNames.includes(name) ? name : inputNames.find((each) => each.toLowerCase() === wanted);
    if (known === undefined) return { value: c.workflow.getInput(name) };
    return c.slots?.find((slot) => slot.variable.name === known) ?? { value: null };
  }
  return undefined;
}

function nestedNode(node: ActivityNode): ActivityNode | undefined {
  for (let n: ActivityNode | undefined = node.parent; n?.parent; n = n.parent) if (n.nestedWorkflow) return n;
  return undefined;
}

/** As the definition declares it, or as it was declared at run time. @param isSealed what was kept encrypted stays so */
function variableOf(from: ActivityNode, id: string, name: string, isSealed: boolean): Variable {
  for (let node: ActivityNode | undefined = from; node; node = node.parent) {
    const declared = node.variables.find((variable) => variable.id === id);
    if (declared) return declared;
    if (node.nestedWorkflow?.encryptedNames.includes(id)) return dynamicVariable(name, id, ENCRYPTED_STORAGE);
  }
  return dynamicVariable(name, id, isSealed ? ENCRYPTED_STORAGE : DYNAMIC_STORAGE);
}

function* visibleSlots(from: ActivityExecutionContext): Generator<VariableSlot> {
  for (let c: ActivityExecutionContext | undefined = from; c; c = c.parent) if (c.slots) yield* c.slots;
}

function findById(from: ActivityExecutionContext | undefined, id: string): VariableSlot | undefined {
  for (let c = from; c; c = c.parent) {
    const slot = c.slots?.find(({ variable }) => variable.id === id);
    if (slot) return slot;
  }
  return undefined;
}

const placeOf = (contextId: string, id: string): string => `variable ${id} as of ${contextId}`;

/** Objects may be changed in place by what comes after. */
const copyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? deserialize(serialize(value)) : value;
