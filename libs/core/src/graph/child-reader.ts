import type { CompiledExpression, Expression } from '../expressions/expression.js';
import type { ActivityNode } from './activity-node.js';
import type { CompiledInput } from './compiled-input.js';

/**
 * Passed to a static `readNode` of an activity class whose JSON has more than inputs, ports and child lists (Switch cases,
 * flowchart connections, expected status codes). The object that `readNode` returns is assigned to the properties of the
 * activity.
 */
export interface NodeReader {
  /** Compiles a nested activity and makes it a child. Returns undefined for null and undefined. */
  child(json: unknown, portName: string): ActivityNode | undefined;
  /** Compiles a wrapped input (`{ typeName, expression }`, a raw value, or nothing). */
  input(json: unknown, typeName: string, defaultValue?: unknown): CompiledInput;
  /** Compiles a bare expression `{ type, value }`. */
  expression(expression: Expression): CompiledExpression;
  /** Children compiled so far, by id. */
  childById(id: string): ActivityNode | undefined;
}

/** Static side of an activity class with its own JSON format. */
export interface NodeReadingActivity {
  /** Returns members to set on the activity besides its inputs, ports and lists of children. */
  readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown>;
}
