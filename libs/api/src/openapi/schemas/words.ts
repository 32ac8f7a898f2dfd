import type { OpenApiSchema } from '@waymark/runtime';

// Words in which the answers of the API are described.

export type Schemas = Readonly<Record<string, OpenApiSchema>>;

export const text: OpenApiSchema = { type: 'string' };
export const flag: OpenApiSchema = { type: 'boolean' };
export const integer: OpenApiSchema = { type: 'integer' };
export const number: OpenApiSchema = { type: 'number' };
export const date: OpenApiSchema = { type: 'string', format: 'date-time' };
export const texts: OpenApiSchema = { type: 'array', items: text };
/** Whatever a workflow holds. */
export const anything: OpenApiSchema = {};
/** An object whose members nothing here knows. */
export const bag: OpenApiSchema = { type: 'object', additionalProperties: true };

export const oneOf = (values: readonly string[]): OpenApiSchema => ({ type: 'string', enum: values });
export const listOf = (items: OpenApiSchema): OpenApiSchema => ({ type: 'array', items });
export const mapOf = (additionalProperties: OpenApiSchema): OpenApiSchema => ({ type: 'object', additionalProperties });
export const nullable = (schema: OpenApiSchema): OpenApiSchema => ({ ...schema, nullable: true });
export const ref = (name: string): OpenApiSchema => ({ $ref: `#/components/schemas/${name}` });

/** Members by name; a question mark after a name: it may be missing. */
export function object(members: Schemas): OpenApiSchema {
  const names = Object.keys(members);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), members[name]!])),
    ...(required.length > 0 && { required }),
  };
}

/** The usual list of everything. */
export const listed = (items: OpenApiSchema): OpenApiSchema => object({ items: listOf(items), count: integer });
/** One page of a longer list. */
export const paged = (items: OpenApiSchema): OpenApiSchema => object({ items: listOf(items), totalCount: integer });
