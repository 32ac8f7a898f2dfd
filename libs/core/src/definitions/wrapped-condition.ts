import { isPlainObject, prop } from '../values/plain-object.js';

/**
 * A condition as a wrapped input. Cases of a Switch have the bare expression, `{ type, value }`, transitions of a state machine the wrapped
 * one, and authors take the one for the other: a guard that is not read must not count as one that holds.
 */
export function wrappedCondition(json: unknown): unknown {
  if (!isPlainObject(json)) return json;
  const expression = prop(json, 'expression');
  if (expression === undefined)
    return prop(json, 'type') === undefined ? json : { typeName: 'Boolean', expression: json };
  return prop(json, 'typeName') === undefined ? { typeName: 'Boolean', ...json } : json;
}

/** Null where the expression has no text, as Studio leaves it when an author clears a field. */
export function conditionOrNull(json: unknown): unknown {
  const wrapped = wrappedCondition(json);
  if (!isPlainObject(wrapped)) return wrapped;
  const value = prop(prop(wrapped, 'expression'), 'value');
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '') ? null : wrapped;
}

/** The other way round: the bare expression of a condition that is wrapped. */
export function bareCondition(json: unknown): unknown {
  const expression = prop(json, 'expression');
  return isPlainObject(expression) && prop(json, 'type') === undefined ? expression : json;
}
