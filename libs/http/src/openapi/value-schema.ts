import type { ValueType } from '@waymark/core';
import type { OpenApiContent, OpenApiSchema } from '@waymark/runtime';

const TEXT: OpenApiSchema = { type: 'string' };
const BINARY: OpenApiSchema = { type: 'string', format: 'binary' };
const FREE: OpenApiSchema = { type: 'object', additionalProperties: true };

/** What a value of that type is in JSON. */
export function schemaOfType({ kind, element, members, nullable }: ValueType): OpenApiSchema {
  const schema = schemaOfKind(kind, element, members);
  return nullable ? { ...schema, nullable } : schema;
}

function schemaOfKind(
  kind: ValueType['kind'],
  element: ValueType | undefined,
  members: readonly string[] | undefined,
): OpenApiSchema {
  switch (kind) {
    case 'string':
    case 'timespan':
    case 'guid':
      return kind === 'guid' ? { type: 'string', format: 'uuid' } : TEXT;
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'integer' };
    case 'bigint':
      return { type: 'integer', format: 'int64' };
    case 'double':
      return { type: 'number' };
    case 'date':
      return { type: 'string', format: 'date-time' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'enum':
      return { type: 'string', enum: members ?? [] };
    case 'list':
      return { type: 'array', items: element ? schemaOfType(element) : {} };
    case 'dictionary':
      return { type: 'object', additionalProperties: element ? schemaOfType(element) : true };
    case 'json':
    case 'object':
    case 'opaque':
      return {};
  }
}

/**
 * The forms in which an endpoint takes a body: by the type of the variable or output that receives it; without one the workflow
 * does with it what it likes.
 * @param hasFiles whether the workflow uses uploaded files
 */
export function bodyContent(type: ValueType | undefined, hasFiles: boolean): OpenApiContent {
  const files = { type: 'object', additionalProperties: true, properties: { file: BINARY } } as const;
  const upload = hasFiles ? { 'multipart/form-data': { schema: files } } : undefined;
  if (!type) return upload ?? { '*/*': { schema: {} } };
  switch (type.kind) {
    case 'opaque':
    case 'bytes':
      return { ...upload, '*/*': { schema: BINARY } };
    case 'string':
      return {
        ...upload,
        'text/plain': { schema: TEXT },
        'application/json': { schema: {} },
        'application/xml': { schema: TEXT },
      };
    case 'object':
    case 'json':
    case 'dictionary': {
      const schema = schemaOfType(type);
      const form = { schema: type.kind === 'dictionary' ? schema : FREE };
      return {
        'application/json': { schema },
        'application/x-www-form-urlencoded': form,
        ...(upload ?? { 'multipart/form-data': form }),
      };
    }
    default:
      return { ...upload, 'application/json': { schema: schemaOfType(type) } };
  }
}
