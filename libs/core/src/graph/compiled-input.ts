import type { CompiledExpression } from '../expressions/expression.js';
import type { ValueType } from '../values/value-type.js';

/** One input of one activity in a graph, ready to be evaluated again and again. */
export interface CompiledInput {
  /** PascalCase name. */
  readonly name: string;
  /** Class property that receives the value. */
  readonly propertyName: string;
  /** Type that the value is converted to. */
  readonly type: ValueType;
  /** Set for constants: nothing is evaluated. The value is already converted. */
  readonly constant: { readonly value: unknown } | undefined;
  /** Evaluates its expression; undefined for constants. */
  readonly evaluate: CompiledExpression | undefined;
  /** If false, the activity evaluates it itself. */
  readonly autoEvaluate: boolean;
  /** If true, its value is known to the running burst alone. */
  readonly isSensitive: boolean;
  /** If true, it is stored with the state, encrypted, and sensitive besides. */
  readonly isEncrypted: boolean;
  /** If true, it is shown in the journal and stored with the state. False for secrets and for what cannot be stored. */
  readonly isKept: boolean;
  /** If true, it has no value and is left out of both, unless the activity gives it one while it runs. */
  readonly isOmitted: boolean;
}
