import type { Expression } from '../expressions/expression.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import { objectKind } from '../values/object-kind.js';
import { isPlainObject } from '../values/plain-object.js';
import { WorkflowBuildError } from './build-error.js';
import { isFunctionReference, type WorkflowFunction } from './function-reference.js';
import { isWritable, WRITE, type Writable, type WriteContext } from './write-context.js';

/** A value that is computed when the activity runs: a variable, an input, a script. */
export abstract class ValueSource<T> implements Writable {
  /**
   * Never set. It gives the compiler the type of the value. It is not private, because declaration files leave out the types of
   * private members.
   */
  declare protected readonly valueType: T;

  abstract [WRITE](context: WriteContext, at: string): Expression;
}

/**
 * A TypeScript function that returns the value. Its position is part of the version of the workflow; its source text is not.
 */
export type Evaluated<T> = (scope: ExpressionScope) => T | Promise<T>;

/** A value of that type, or an expression or reference that gives one. */
export type TypedValue<T> = T | ValueSource<T> | Evaluated<T>;

/** A date as ISO 8601 text, such as `2030-01-31T08:00:00Z` or `2030-01-31`. Text without an offset is read as UTC. */
export type DateText = `${number}-${number}-${number}` | `${number}-${number}-${number}${'T' | ' '}${string}`;

/**
 * What an input of that type accepts. Constants must be JSON, in which a date is text (`DateText`); other values come from a
 * function or a reference. For an input that is a date, these may also give text, such as text from the body of a request; text
 * that is not a date faults the activity.
 */
export type Value<T> = unknown extends T
  ? string | number | boolean | bigint | object | null | undefined | Evaluated<unknown>
  : [Extract<T, Date>] extends [never]
    ? TypedValue<T>
    : T | DateText | ValueSource<T | string> | Evaluated<T | string>;

/** An expression of a given type, as returned by `expression`, `js` and `liquid`. */
class ExpressionSource<T> extends ValueSource<T> {
  constructor(private readonly expression: Expression) {
    super();
  }

  [WRITE](): Expression {
    return this.expression;
  }
}
export type { ExpressionSource };

/**
 * Makes an expression of any syntax that the host supports.
 * @param type name of the syntax, such as `JavaScript`
 * @param value text of the expression, or another value that the syntax requires
 */
export function expression<T>(type: string, value: unknown): ExpressionSource<T> {
  return new ExpressionSource<T>({ type, value });
}

/**
 * Makes a JavaScript expression, which runs in the sandbox: `js<number>('getVariable("Total") * 1.2')`.
 * @param source an expression, or statements with `return`
 */
export function js<T>(source: string): ExpressionSource<T> {
  return expression<T>('JavaScript', source);
}

/** Makes an expression from a Liquid template: `liquid('Dear {{ Variables.Name }}')`. @param template its text */
export function liquid<T = string>(template: string): ExpressionSource<T> {
  return expression<T>('Liquid', template);
}

/**
 * Marks a value as a constant, where a function or an object would otherwise be taken for something else.
 * @param value the constant; it is stored with the definition
 */
export function literal<T>(value: T): ValueSource<T> {
  return new Constant<T>(value);
}

class Constant<T> extends ValueSource<T> {
  constructor(private readonly value: T) {
    super();
  }

  [WRITE](_context: WriteContext, at: string): Expression {
    return constantExpression(this.value, at, true);
  }
}

/**
 * The expression for whatever an input was given.
 * @param isConverted false for an input of any type: it would keep the text that a date is written as
 */
export function writeExpression(value: unknown, context: WriteContext, at: string, isConverted = true): Expression {
  if (isWritable(value)) return value[WRITE](context, at) as Expression;
  if (typeof value === 'function') return { type: 'Delegate', value: context.reference(value as WorkflowFunction, at) };
  return constantExpression(value, at, isConverted);
}

function constantExpression(value: unknown, at: string, isConverted: boolean): Expression {
  if (value === null || value === undefined) return { type: 'Literal' };
  const text = isConverted ? constantText(value) : undefined;
  const json = text ?? jsonConstant(value, at);
  // Not as text, in which form an input of type Object would stay text.
  return typeof json === 'object' ? { type: 'Object', value: json } : { type: 'Literal', value: json };
}

/** Text of values that are not JSON but are written as text all the same, to be converted to the type of an input or variable. */
export function constantText(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  return isDate(value) && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
}

export const isDate = (value: unknown): value is Date =>
  typeof value === 'object' && value !== null && objectKind(value) === 'date';

const MAX_DEPTH = 100;

/** A copy of a constant that is nothing but JSON. @throws WorkflowBuildError WM1204 */
export function jsonConstant(value: unknown, at: string, depth = 0): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (depth > MAX_DEPTH) throw notJson(at, 'is nested too deeply, or contains itself');
  if (Array.isArray(value))
    return Array.from(value, (item: unknown, i) => jsonConstant(item ?? null, `${at}[${i}]`, depth + 1));
  if (typeof value === 'function' || isWritable(value))
    throw notJson(at, 'is computed at run time, but is part of a constant', 'the whole input');
  if (!isPlainObject(value)) throw notJson(at, `is not JSON (${describe(value)})`);
  if (isFunctionReference(value)) throw notJson(at, 'has the form { $function: … }, which is reserved for functions');
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, jsonConstant(member, `${at}.${name}`, depth + 1)]));
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  return (value.constructor as { name?: string } | undefined)?.name ?? 'object';
}

function notJson(at: string, what: string, whole = 'it'): WorkflowBuildError {
  return new WorkflowBuildError(
    'WM1204',
    at,
    `The value of '${at}' ${what}. A definition holds JSON only: give a function for ${whole}, e.g. (scope) => ({ … }).`,
  );
}
