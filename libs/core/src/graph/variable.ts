import type { VariableDefinition } from '../definitions/workflow-definition.js';
import type { ConversionOptions } from '../values/convert-value.js';
import type { ValueType } from '../values/value-type.js';

/** A declared variable, compiled: its type resolved and its default converted. */
export interface Variable {
  /** Id within its definition. */
  readonly id: string;
  /** Name by which expressions find it. */
  readonly name: string;
  /** Type that values are converted to. */
  readonly type: ValueType;
  /** How the definition wants values converted that are assigned to it. */
  readonly conversion?: ConversionOptions;
  /** Gives a fresh default for every scope, so that two instances never share an object. */
  readonly initial: () => unknown;
  /** If false, the value is lost when the instance is suspended. */
  readonly isPersisted: boolean;
  /** If true, what is stored is encrypted. */
  readonly isEncrypted: boolean;
  /** The JSON that it was compiled from. */
  readonly definition: VariableDefinition;
}

/** A variable with its value in one scope. */
export interface VariableSlot {
  /** The variable. */
  readonly variable: Variable;
  /** Its value. */
  value: unknown;
  /** Declared at run time, not by the definition. */
  readonly dynamic: boolean;
  /** Of a variable as it was at an earlier time: the one that there is now, to which assignments go as well. */
  living?: VariableSlot | undefined;
}
