import { parseJsonText } from '../values/json-text.js';
import { isPlainObject, prop } from '../values/plain-object.js';
import type { Expression } from '../expressions/expression.js';
import { readArgumentReference } from './argument-json.js';
import type { DefinitionContext, Reading } from './definition-context.js';
import { assertDepth } from './json-members.js';
import { readVariableReference } from './variable-json.js';

const RUNNABLE = [
  'Literal',
  'Object',
  'Json',
  'Variable',
  'Input',
  'JavaScript',
  'Liquid',
  'Delegate',
  'Output',
] as const;
/** Languages of Elsa that a host may not have: their text is kept, so that validation can name them. */
const ELSEWHERE = ['CSharp', 'Python', 'Secret'] as const;

/** True when this host can evaluate expressions of that type. */
export function canEvaluate(type: string, ctx: DefinitionContext): boolean {
  return ctx.expressions ? Boolean(ctx.expressions.find(type)) : RUNNABLE.some((known) => known === type);
}

/** Name of an expression type in any casing; an unknown one stays as it is. */
function expressionType(name: string, ctx: DefinitionContext): string {
  if (canEvaluate(name, ctx)) return name;
  const wanted = name.trim().toLowerCase();
  return [...RUNNABLE, ...ELSEWHERE].find((known) => known.toLowerCase() === wanted) ?? name;
}

/**
 * An expression in its canonical form; null when there is none. One of an unknown type is kept: a host with its handler
 * can evaluate it, and without one it has to be an error, since null would be a value that was never given.
 */
export function readExpression(json: unknown, at: string, run: Reading): Expression | null {
  if (json === null || json === undefined) return null;
  const given = isPlainObject(json) ? prop(json, 'type') : undefined;
  if (given === null) return literal(prop(json, 'value'));
  if (typeof given !== 'string' || given.trim() === '') {
    run.warn(at, 'An expression without a type is left out.');
    return null;
  }
  return withValue(expressionType(given, run.ctx), prop(json, 'value'), at, run);
}

/** Makes a constant. Objects and lists are kept as JSON text, the only form in which their types are unambiguous. */
export function literal(value: unknown): Expression {
  return expression('Literal', jsonTextOf(value));
}

function withValue(type: string, value: unknown, at: string, run: Reading): Expression {
  switch (type) {
    case 'Literal':
    case 'Object':
    case 'Json':
      return expression(type, jsonTextOf(value));
    case 'Variable':
      return expression(
        type,
        reference(value, (json) => readVariableReference(json, `${at}.value`, run)),
      );
    case 'Input':
      return expression(
        type,
        reference(value, (json) => readArgumentReference(json, `${at}.value`, run)),
      );
    default:
      return expression(type, value);
  }
}

const expression = (type: string, value: unknown): Expression =>
  value === null || value === undefined ? { type } : { type, value };

const jsonTextOf = (value: unknown): unknown =>
  Array.isArray(value) || isPlainObject(value) ? JSON.stringify(value) : value;

/** Studio writes references as JSON text; they are stored as objects. Text that is not an object is left as it is. */
function reference(value: unknown, read: (json: Readonly<Record<string, unknown>>) => unknown): unknown {
  let json = value;
  if (typeof value === 'string')
    try {
      json = parseJsonText(value);
      assertDepth(json);
    } catch {
      return value;
    }
  return isPlainObject(json) ? read(json) : value;
}
