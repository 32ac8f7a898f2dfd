import { type OpenApiDocument, type OpenApiOperation, type OpenApiSchema } from '@waymark/runtime';
import { OPEN_API_METHODS } from '@waymark/runtime/adapter';

/** A route, and what it reads besides the names in its path. */
export interface Operation {
  readonly method: string;
  /** Below the prefix of the API, with `{names}`. */
  readonly path: string;
  /** Members of the query, and of the body where there is one; undefined: it reads neither, or no JSON. */
  readonly request?: OpenApiSchema;
}

const PREFIX = '/elsa/api';

/** The routes of the document that the API gives of itself. */
export const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    OPEN_API_METHODS.flatMap((method): Operation[] => {
      const operation = item[method];
      if (!operation) return [];
      const request = requestOf(operation, document);
      return [{ method: method.toUpperCase(), path: path.slice(PREFIX.length), ...(request && { request }) }];
    }),
  );

function requestOf({ parameters = [], requestBody }: OpenApiOperation, document: OpenApiDocument) {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = requestBody?.content['application/json']?.schema;
  const known = body && resolve(body, document);
  if (query.length === 0) return known;
  return {
    type: 'object',
    properties: { ...known?.properties, ...Object.fromEntries(query.map(({ name, schema }) => [name, schema])) },
    required: [...(known?.required ?? []), ...query.flatMap(({ name, required }) => (required ? [name] : []))],
  } as const;
}

/** With what it refers to in place of the references. */
function resolve(schema: OpenApiSchema, document: OpenApiDocument): OpenApiSchema {
  const { $ref, properties, items } = schema;
  if ($ref !== undefined) return resolve(document.components.schemas[$ref.split('/').at(-1)!]!, document);
  return {
    ...schema,
    ...(items && { items: resolve(items, document) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, resolve(one, document)])),
    }),
  };
}
