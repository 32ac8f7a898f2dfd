import { isPlainObject } from '../values/plain-object.js';

/** A function of a workflow in code: evaluates an input (`ExpressionScope` → value), or is the body of an Inline. */
export type WorkflowFunction = (...args: never[]) => unknown;

/** Represents a function in the JSON of a definition. The functions themselves are kept separately. */
export interface FunctionReference {
  /** Key of the function in the table of its workflow. */
  readonly $function: string;
}

/** Returns true if a value of a definition refers to a function of its code. */
export function isFunctionReference(value: unknown): value is FunctionReference {
  return isPlainObject(value) && typeof value.$function === 'string' && Object.keys(value).length === 1;
}

/** Returns a copy of the JSON in which every reference to a function is replaced. */
export function replaceFunctions<T>(json: T, replacement: (key: string) => unknown): T {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (isFunctionReference(value)) return replacement(value.$function);
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replace(member)]));
  };
  return replace(json) as T;
}
