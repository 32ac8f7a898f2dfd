import type { InputDescriptor } from '../activities/activity-descriptor.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { builtinExpressions } from '../expressions/builtin-expressions.js';
import type { CompiledExpression, Expression } from '../expressions/expression.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import type { ExpressionRegistry } from '../expressions/expression-registry.js';
import { isPromiseLike } from '../values/promise-like.js';
import { type ConversionOptions, convertValue } from '../values/convert-value.js';
import type { TypeRegistry } from '../values/type-registry.js';
import type { ValueType } from '../values/value-type.js';
import type { CompiledInput } from './compiled-input.js';

export interface InputCompiler {
  readonly expressions: ExpressionRegistry;
  readonly types: TypeRegistry;
  /** How the definition wants its values converted. @default as in Elsa, unless the host is strict */
  readonly conversion?: ConversionOptions;
}

type InputFacts = Pick<
  InputDescriptor,
  | 'name'
  | 'propertyName'
  | 'typeName'
  | 'defaultValue'
  | 'autoEvaluate'
  | 'isSensitive'
  | 'isEncrypted'
  | 'isSerializable'
  | 'isStrict'
  | 'isOmittedUnset'
>;

type InputValue = Partial<Pick<CompiledInput, 'constant' | 'evaluate'>>;

/**
 * Compiles a wrapped input. Nothing here throws for bad source text or a value that does not convert: such an error
 * belongs to the activity, at the moment it runs.
 */
export function compileInput(json: unknown, facts: InputFacts, compiler: InputCompiler): CompiledInput {
  const type = compiler.types.resolve(facts.typeName) ?? compiler.types.resolve('Object')!;
  const isSecret = isSecretExpression(json, compiler);
  // A secret of the host is asked for again, as it is then.
  const isEncrypted = facts.isEncrypted === true && !isSecret;
  const isSensitive = facts.isSensitive || isEncrypted || isSecret;
  const conversion = facts.isStrict ? strictly(compiler.conversion, type) : compiler.conversion;
  return toInput({ ...facts, isSensitive, isEncrypted }, type, valueOf(json, facts, type, { ...compiler, conversion }));
}

/** What does not fit is an error. What fits is decided as before: as on that host, and in that definition. */
function strictly(conversion: ConversionOptions | undefined, type: ValueType): ConversionOptions {
  const lossless = conversion?.lossless ?? conversion?.strict ?? type.isStrict ?? false;
  return { ...conversion, strict: true, lossless };
}

/** Always the same members in the same order: the loop over inputs, the hottest of the engine, then meets one shape. */
function toInput(facts: InputFacts, type: ValueType, { constant, evaluate }: InputValue): CompiledInput {
  const { name, propertyName, autoEvaluate, isSensitive, isEncrypted = false, isSerializable } = facts;
  const isKept = autoEvaluate && isSerializable && !isSensitive;
  const isOmitted = facts.isOmittedUnset === true && constant?.value === null;
  return { name, propertyName, type, constant, evaluate, autoEvaluate, isSensitive, isEncrypted, isKept, isOmitted };
}

function isSecretExpression(json: unknown, { expressions }: InputCompiler): boolean {
  const expression = expressionOf(json);
  return expression ? expressions.find(expression.type)?.isSensitive === true : false;
}

function valueOf(json: unknown, facts: InputFacts, type: ValueType, compiler: InputCompiler): InputValue {
  const expression = expressionOf(json);
  if (expression === undefined) return constantOrLate(facts.defaultValue ?? null, type, compiler);
  if (expression === null) return { constant: { value: null } };
  if (expression.type === 'Literal') {
    const { value } = expression;
    const source = typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
    return constantOrLate(source, type, compiler);
  }
  // Object-typed inputs receive the text of an Object expression itself, unparsed: a rule of the definition format.
  if (
    (expression.type === 'Object' || expression.type === 'Json') &&
    type.kind === 'object' &&
    typeof expression.value === 'string'
  )
    return { constant: { value: expression.value.trim() === '' ? null : expression.value } };
  return { evaluate: converting(compileExpression(expression, compiler, type), type, compiler) };
}

/** Compiles any expression; entries of a dictionary that are expressions themselves are evaluated as well. */
export function compileExpression(
  expression: Expression,
  compiler: InputCompiler,
  type?: ValueType,
): CompiledExpression {
  const handler = compiler.expressions.find(expression.type);
  if (!handler)
    return () => {
      throw new WorkflowExecutionError(
        'WM2013',
        `Expressions of type '${expression.type}' are not supported here. Use one of: ${compiler.expressions
          .descriptors()
          .map((d) => d.type)
          .join(', ')}.`,
      );
    };
  const compiled = builtinExpressions.includes(handler)
    ? handler.compile(expression)
    : inItsTurn(handler.compile(expression));
  if (type?.kind !== 'dictionary' || (expression.type !== 'Object' && expression.type !== 'Json')) return compiled;
  // Only the text of the standard handlers is sure to be the same for each evaluation.
  const isConstant = builtinExpressions.includes(handler);
  let read: Entries | undefined;
  return (scope) => {
    if (read) return evaluateEntries(read, scope);
    const value = compiled(scope);
    if (read === false) return value;
    const entries = readEntries(value, compiler);
    if (isConstant) read = entries;
    return entries ? evaluateEntries(entries, scope) : value;
  };
}

/** The expressions of an activity follow one another. Each may hold the process for a while, but they may not together. */
function inItsTurn(compiled: CompiledExpression): CompiledExpression {
  return (scope) => {
    const turn = scope.turn?.();
    return turn ? turn.then(() => compiled(scope)) : compiled(scope);
  };
}

/** Compiled entries of a dictionary; `false` when none of them is an expression. */
type Entries = readonly (readonly [key: string, evaluate: CompiledExpression])[] | false;

/** `{ "key": { "type": "JavaScript", "value": "…" } }`: what Studio's dictionary editor writes. */
function readEntries(value: unknown, compiler: InputCompiler): Entries {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  const isExpression = (v: unknown): v is Expression =>
    typeof v === 'object' &&
    v !== null &&
    Object.keys(v).every((k) => k === 'type' || k === 'value') &&
    compiler.expressions.find(String((v as Expression).type)) !== undefined;
  if (!entries.some(([, v]) => isExpression(v))) return false;
  return entries.map(([key, v]) => [key, isExpression(v) ? compileExpression(v, compiler) : anew(v)]);
}

/** A constant that no two executions share. */
function anew(value: unknown): CompiledExpression {
  return typeof value === 'object' && value !== null ? () => structuredClone(value) : () => value;
}

/**
 * One after the other: two scripts of one activity must not run at the same time. And what was begun before one that fails at once would
 * have no handler for its own failure, which ends the process.
 */
function evaluateEntries(
  entries: Exclude<Entries, false>,
  scope: ExpressionScope,
  values: unknown[] = [],
): Record<string, unknown> | Promise<Record<string, unknown>> {
  while (values.length < entries.length) {
    const value = entries[values.length]![1](scope);
    if (isPromiseLike(value))
      return value.then((v) => {
        values.push(v);
        return evaluateEntries(entries, scope, values);
      });
    values.push(value);
  }
  return Object.fromEntries(entries.map(([key], i) => [key, values[i]]));
}

function converting(compiled: CompiledExpression, type: ValueType, { conversion }: InputCompiler): CompiledExpression {
  // Anything fits an Object: nothing to convert.
  if (type.kind === 'object' && type.alias === 'Object') return compiled;
  return (scope) => {
    const value = compiled(scope);
    return isPromiseLike(value)
      ? value.then((v) => convertValue(v, type, conversion))
      : convertValue(value, type, conversion);
  };
}

/** `undefined`: nothing given, the default applies. `null`: given, but empty. */
function expressionOf(json: unknown): Expression | null | undefined {
  if (json === undefined || json === null) return undefined;
  if (typeof json !== 'object' || Array.isArray(json)) return { type: 'Literal', value: json };
  if (!('typeName' in json)) return undefined;
  const expression = (json as { expression?: unknown }).expression;
  if (typeof expression !== 'object' || expression === null) return null;
  const { type, value } = expression as { type?: unknown; value?: unknown };
  return { type: typeof type === 'string' ? type : 'Literal', value };
}

function constantOrLate(value: unknown, type: ValueType, { conversion }: InputCompiler): InputValue {
  try {
    const converted = convertValue(value, type, conversion);
    if (typeof converted !== 'object' || converted === null) return { constant: { value: converted } };
    return {
      evaluate: () => convertValue(typeof value === 'object' ? structuredClone(value) : value, type, conversion),
    };
  } catch (error) {
    return {
      evaluate: () => {
        throw error;
      },
    };
  }
}
