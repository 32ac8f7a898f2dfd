import type { InputDescriptor, OutputDescriptor } from '../activities/activity-descriptor.js';
import { isPlainObject, prop } from '../values/plain-object.js';
import type { Reading } from './definition-context.js';
import { DefinitionFormatError } from './definition-format-error.js';
import { literal, readExpression } from './expression-json.js';
import { join } from './json-members.js';
import type { InputJson, OutputJson } from './workflow-definition.js';

/**
 * An input in its canonical wrapper. The type is always that of the property: what the document claims is not looked
 * at, so names of types that no longer exist do no harm. Null: nothing given, the default applies.
 */
export function readInput(
  json: unknown,
  descriptor: Pick<InputDescriptor, 'typeName' | 'isSynthetic'>,
  at: string,
  run: Reading,
): InputJson | null {
  if (json === null || json === undefined) return null;
  const typeName = typeAlias(descriptor.typeName, run);
  if (!isPlainObject(json)) return { typeName, expression: literal(json) };
  if (prop(json, 'typeName') === undefined) {
    run.warn(at, "The input is left out because it has no member 'typeName'.");
    return null;
  }
  const expression = readExpression(prop(json, 'expression'), `${at}.expression`, run);
  if (expression === null) return null;
  const id = descriptor.isSynthetic ? prop(prop(json, 'memoryReference'), 'id') : undefined;
  return { typeName, expression, ...(typeof id === 'string' && id !== '' ? { memoryReference: { id } } : {}) };
}

/** Where an output goes, or null when it is not bound to anything. */
export function readOutput(
  json: unknown,
  descriptor: Pick<OutputDescriptor, 'typeName'>,
  at: string,
  run: Reading,
): OutputJson | null {
  if (!isPlainObject(json)) return null;
  const hasType = prop(json, 'typeName') !== undefined;
  const reference = prop(json, 'memoryReference');
  // Null and an empty object are what some tools write for "not bound"; without the member it is a slip.
  if (hasType && reference === undefined)
    throw new DefinitionFormatError(
      join(at, 'memoryReference'),
      `The output '${at}' is not bound. Give it a memoryReference with the id of a variable, or make it null.`,
    );
  const id = prop(reference, 'id');
  const missing = typeof id !== 'string' || id === '' ? 'memoryReference.id' : hasType ? undefined : 'typeName';
  if (typeof id !== 'string' || missing !== undefined) {
    run.warn(at, `The output is left unbound because it has no '${missing}'.`);
    return null;
  }
  const converter = readConverter(prop(json, 'converter'));
  return {
    typeName: typeAlias(descriptor.typeName, run),
    memoryReference: { id },
    ...(converter ? { converter } : {}),
  };
}

function readConverter(json: unknown): OutputJson['converter'] {
  const id = prop(json, 'id');
  if (typeof id !== 'string' || id === '') return undefined;
  const settings = prop(json, 'settings');
  return { id, ...(isPlainObject(settings) ? { settings } : {}) };
}

export const typeAlias = (typeName: string, run: Reading): string => run.ctx.types.resolve(typeName)?.alias ?? typeName;
