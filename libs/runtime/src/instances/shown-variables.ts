import { type VariableSlot, type WorkflowExecutionContext, type WorkflowState } from '@waymark/core';
import { EncryptedValue, REDACTED } from '@waymark/core/adapter';

/** A variable of an instance as it may be shown: without secrets. */
export interface ShownVariable {
  /** Id of the variable in the definition. */
  readonly id: string;
  /** Name of the variable. */
  readonly name: string;
  /** Missing where it is null. */
  readonly value?: unknown;
}

/** Variables of the workflow itself: those it declares, then those declared at run time. */
export function shownVariables(wec: WorkflowExecutionContext): ShownVariable[] {
  const slots = wec.rootContext?.slots ?? initialSlots(wec);
  return [...slots.filter((s) => !s.dynamic), ...slots.filter((s) => s.dynamic)].map(
    ({ variable: { id, name, isEncrypted }, value }) =>
      value === null || value === undefined
        ? { id, name }
        : { id, name, value: isEncrypted ? REDACTED : wec.secrets.shown(value) },
  );
}

/** The same of an instance whose definition cannot be had: what its state has. Names of declared variables are in the definition alone. */
export function variablesOfState(state: WorkflowState): ShownVariable[] {
  const root = state.activityExecutionContexts.at(-1);
  const { Variables: stored } = root?.properties ?? {};
  if (typeof stored !== 'object' || stored === null) return [];
  const names = new Map(root!.dynamicVariables.map(({ id, name }) => [id, name]));
  return Object.entries(stored).map(([id, value]) => {
    const name = names.get(id) ?? id;
    return value === null || value === undefined ? { id, name } : { id, name, value: shownValue(value) };
  });
}

const shownValue = (value: unknown): unknown => (value instanceof EncryptedValue ? REDACTED : value);

/** An instance that has not run has its defaults. */
const initialSlots = (wec: WorkflowExecutionContext): VariableSlot[] =>
  wec.graph.root.variables.map((variable) => ({ variable, value: variable.initial(), dynamic: false }));
