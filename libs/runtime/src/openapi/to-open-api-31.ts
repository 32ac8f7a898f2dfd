/** What stands in a document, whatever it is. */
type Json = unknown;

/**
 * Converts a schema or document to OpenAPI 3.1, whose schemas are JSON Schemas: a type `null` instead of `nullable`. A validator of JSON
 * Schema understands the result.
 */
export function toOpenApi31(value: Json): Json {
  if (Array.isArray(value)) return value.map(toOpenApi31);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...members } = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, toOpenApi31(member)]),
  );
  // A property of that name is a schema, not a word of one.
  if (nullable !== true) return nullable === undefined || nullable === false ? members : { ...members, nullable };
  const { type, enum: values } = members;
  if (type === undefined) return { anyOf: [members, { type: 'null' }] };
  const widened = { ...members, type: [type, 'null'] };
  return Array.isArray(values) ? { ...widened, enum: [...(values as Json[]), null] } : widened;
}
