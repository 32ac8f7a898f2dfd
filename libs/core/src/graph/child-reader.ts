import type { CompiledExpression, Expression } from '../expressions/expression.js';
import type { ActivityNode } from './activity-node.js';
import type { CompiledInput } from './compiled-input.js';

/**
 * Handed to a static `readNode` of an activity class whose JSON holds more than inputs, ports and child lists (Switch
 * cases, flowchart connections, expected status codes): what it returns is set on the activity as properties.
 */
export interface NodeReader {
  /** Compiles a nested activity and makes it a child; null and undefined give undefined. */
  child(json: unknown, portName: string): ActivityNode | undefined;
  /** Compiles a wrapped input (`{ typeName, expression }`, a raw value, or nothing). */
  input(json: unknown, typeName: string, defaultValue?: unknown): CompiledInput;
  /** Compiles a bare expression `{ type, value }`. */
  expression(expression: Expression): CompiledExpression;
  /** Children compiled so far, by id. */
  childById(id: string): ActivityNode | undefined;
}

/** Static side of an activity class with a JSON shape of its own. */
export interface NodeReadingActivity {
  /** What is set on the activity besides its inputs, ports and lists of children. */
  readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown>;
}
