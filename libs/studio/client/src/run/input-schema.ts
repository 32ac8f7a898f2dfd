import type { ArgumentJson } from '../api/definitions.js';
import type { FormSchema } from '../parts/form-values.js';

/** By the names that inputs have in definitions; others are filled in as JSON. */
const SCHEMAS: Readonly<Record<string, FormSchema>> = {
  string: { type: 'string' },
  guid: { type: 'string' },
  uri: { type: 'string' },
  timespan: { type: 'string' },
  boolean: { type: 'boolean' },
  int16: { type: 'integer' },
  int32: { type: 'integer' },
  int64: { type: 'integer' },
  byte: { type: 'integer' },
  single: { type: 'number' },
  double: { type: 'number' },
  decimal: { type: 'number' },
  datetime: { type: 'string', format: 'date-time' },
  datetimeoffset: { type: 'string', format: 'date-time' },
  dateonly: { type: 'string', format: 'date' },
  timeonly: { type: 'string', format: 'time' },
};

/** A form for the inputs that a workflow declares; `undefined` for none. */
export function inputSchema(inputs: readonly ArgumentJson[] = []): FormSchema | undefined {
  if (inputs.length === 0) return undefined;
  return { type: 'object', properties: Object.fromEntries(inputs.map((input) => [input.name, schemaOf(input)])) };
}

/** Of one input. */
export function schemaOf({ name, displayName, description, type, isArray, defaultValue }: ArgumentJson): FormSchema {
  // `System.Int32, System.Private.CoreLib`, `Int32?`
  const simple = type.split(',')[0]!.split('.').at(-1)!.replace('?', '').toLowerCase();
  const one = SCHEMAS[simple] ?? {};
  const schema: FormSchema = isArray === true ? { type: 'array', items: one } : one;
  return {
    ...schema,
    title: displayName || name,
    ...(description ? { description } : {}),
    ...(defaultValue === undefined || defaultValue === null ? {} : { default: defaultValue }),
  };
}
