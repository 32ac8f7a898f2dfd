import { type VariableSlot, type WorkflowExecutionContext } from '@waymark/core';
import { convertValue, keepUnchanged } from '@waymark/core/adapter';
import { VariableNotStoredError } from '@waymark/runtime';
import { recordAlteration } from '@waymark/runtime/adapter';
import { InvalidRequestError } from '../answers/api-errors.js';
import { requireNoMark } from '../requests/redaction-mark.js';

export interface VariableChange {
  readonly id: string;
  readonly value?: unknown;
}

/**
 * Gives variables new values, converted to their types, and says so in the journal, as alterations do. Unknown ids are
 * ignored.
 * @throws InvalidRequestError for a value that does not convert
 * @throws VariableNotStoredError
 */
export function changeVariables(wec: WorkflowExecutionContext, changes: readonly VariableChange[]): void {
  const root = wec.rootContext;
  // The first of an id, as elsewhere. Not looked for anew for each change: there may be thousands of both.
  const slots = new Map((root?.slots ?? []).toReversed().map((slot) => [slot.variable.id, slot]));
  for (const [i, change] of changes.entries()) {
    const slot = slots.get(change.id);
    if (!slot) continue;
    requireNoMark(change.value, `variables[${i}].value`);
    if (!slot.variable.isPersisted) throw new VariableNotStoredError(slot.variable.name);
    assign(slot, change.value, `variables[${i}].value`);
    recordAlteration(wec, { type: 'ModifyVariable', variableId: change.id, value: change.value });
  }
  if (root) root.isDirty = true;
}

function assign(slot: VariableSlot, value: unknown, path: string): void {
  try {
    // What was sent is the whole value, as it was shown: dates and the like in it that were not changed are still such.
    const kept = keepUnchanged(slot.value, value) ?? null;
    slot.value = convertValue(kept, slot.variable.type, slot.variable.conversion);
  } catch (error) {
    const message = `The value does not fit variable '${slot.variable.name}' of type ${slot.variable.type.alias}: ${slot.variable.isEncrypted ? 'it is not shown' : (error as Error).message}`;
    throw new InvalidRequestError({ [path]: [message] }, { cause: error });
  }
}
