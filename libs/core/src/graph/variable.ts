import type { VariableDefinition } from '../definitions/workflow-definition.js';
import type { ValueType } from '../values/value-type.js';

/** A declared variable, compiled: its type resolved and its default converted. */
export interface Variable {
  readonly id: string;
  readonly name: string;
  readonly type: ValueType;
  /** Gives a fresh default for every scope, so that two instances never share an object. */
  readonly initial: () => unknown;
  /** False: the value is lost when the instance is suspended. */
  readonly isPersisted: boolean;
  /** True: what is stored is encrypted. */
  readonly isEncrypted: boolean;
  readonly definition: VariableDefinition;
}

/** A variable with its value in one scope. */
export interface VariableSlot {
  readonly variable: Variable;
  value: unknown;
  /** Declared at run time, not by the definition. */
  readonly dynamic: boolean;
}
