import type { VariableSlot, WorkflowExecutionContext } from '@waymark/core';
import { REDACTED } from '@waymark/core/adapter';

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

/** An instance that has not run has its defaults. */
const initialSlots = (wec: WorkflowExecutionContext): VariableSlot[] =>
  wec.graph.root.variables.map((variable) => ({ variable, value: variable.initial(), dynamic: false }));
