import type { FunctionReference, WorkflowFunction } from './function-reference.js';

// Registered symbols, not classes to compare with: two copies of this package understand each other's parts.
/** Turns a part of a workflow in code into JSON. */
export const WRITE: unique symbol = Symbol.for('@waymark/core:builder.write');
/** Marks what stands for an activity. */
export const ACTIVITY: unique symbol = Symbol.for('@waymark/core:builder.activity');

/** A part that knows its JSON. @param at the activity and member it is written for */
export interface Writable {
  [WRITE](context: WriteContext, at: string): unknown;
}

/** Something that is declared once and used by name or id: a variable, an input or an output. */
export interface Declared {
  readonly kind: 'variable' | 'input' | 'output';
  readonly name: string;
}

/** What parts may ask of the workflow that they are written into. */
export interface WriteContext {
  idOf(activity: object, at: string): string;
  /** Takes a function into the table of the workflow. */
  reference(run: WorkflowFunction, at: string): FunctionReference;
  /** @throws WorkflowBuildError WM1202 unless it can be seen from the activity that is being written */
  requireDeclared(declared: Declared, at: string): void;
  /** @throws WorkflowBuildError WM1208 unless the nearest loop that sets that name is the given one */
  requireNearestLoop(loop: object | undefined, name: string, at: string): void;
}

export function isWritable(value: unknown): value is Writable {
  return typeof value === 'object' && value !== null && WRITE in value;
}
