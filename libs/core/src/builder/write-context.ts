import type { FunctionReference, WorkflowFunction } from './function-reference.js';

// Registered symbols, not classes to compare with: two copies of this package understand each other's parts.
/** Key of the method that turns a part of a workflow in code into JSON. */
export const WRITE: unique symbol = Symbol.for('@waymark/core:builder.write');
/** Key that marks objects which represent an activity. */
export const ACTIVITY: unique symbol = Symbol.for('@waymark/core:builder.activity');

/** A part of a workflow in code that can write its own JSON. @param at the activity and member it is written for */
export interface Writable {
  [WRITE](context: WriteContext, at: string): unknown;
}

/** Something that is declared once and referred to by name or id: a variable, an input or an output. */
export interface Declared {
  readonly kind: 'variable' | 'input' | 'output';
  readonly name: string;
}

/** The workflow into which parts are written, as they see it. */
export interface WriteContext {
  idOf(activity: object, at: string): string;
  /** Adds a function to the table of the workflow. */
  reference(run: WorkflowFunction, at: string): FunctionReference;
  /** @throws WorkflowBuildError WM1202 unless it is in scope of the activity that is being written */
  requireDeclared(declared: Declared, at: string): void;
  /** @throws WorkflowBuildError WM1208 unless the nearest loop that sets that name is the given one */
  requireNearestLoop(loop: object | undefined, name: string, at: string): void;
}

export function isWritable(value: unknown): value is Writable {
  return typeof value === 'object' && value !== null && WRITE in value;
}
