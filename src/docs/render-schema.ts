import type { OpenApiSchema } from '@waymark/runtime';
import { type Html, markup } from './html.js';

const COMPONENT = '#/components/schemas/';

/** A schema in the way TypeScript writes types; named ones are links. @param prefix of the anchors of its document */
export function renderSchema(schema: OpenApiSchema, prefix: string, indent = ''): Html {
  const { nullable, $ref } = schema;
  if ($ref?.startsWith(COMPONENT)) {
    const name = $ref.slice(COMPONENT.length);
    return markup`<a href="#${anchorOf(prefix, name)}">${name}</a>`;
  }
  return markup`${renderType(schema, prefix, indent)}${nullable ? ' | null' : undefined}${constraintOf(schema)}`;
}

export const anchorOf = (prefix: string, name: string): string => `${prefix}-schema-${name}`;

function renderType(schema: OpenApiSchema, prefix: string, indent: string): Html {
  const { type, format, enum: values, items, oneOf } = schema;
  if (oneOf) {
    const parts = oneOf.map((one, i) => markup`${i > 0 ? ' | ' : ''}${renderSchema(one, prefix, indent)}`);
    return markup`${parts}`;
  }
  if (values) return markup`${values.map((value) => JSON.stringify(value)).join(' | ')}`;
  if (type === 'array') return markup`${renderSchema(items ?? {}, prefix, indent)}[]`;
  if (type === 'object') return renderObject(schema, prefix, indent);
  return markup`${type ?? 'any'}${format === undefined ? undefined : ` (${format})`}`;
}

function renderObject(
  { properties, required = [], additionalProperties }: OpenApiSchema,
  prefix: string,
  indent: string,
): Html {
  const inner = `${indent}  `;
  const members = Object.entries(properties ?? {}).map(
    ([name, member]) =>
      markup`${inner}<b>${name}</b>${required.includes(name) ? '' : '?'}: ${renderSchema(member, prefix, inner)}\n`,
  );
  const others = additionalProperties === true ? {} : additionalProperties || undefined;
  const rest = others && markup`${inner}[name]: ${renderSchema(others, prefix, inner)}\n`;
  return members.length === 0 && !rest ? markup`{}` : markup`{\n${members}${rest}${indent}}`;
}

function constraintOf({
  minimum,
  maximum,
  minLength,
  maxLength,
  pattern,
  default: fallback,
  description,
}: OpenApiSchema) {
  const notes = [
    minimum === undefined ? '' : `from ${minimum}`,
    maximum === undefined ? '' : `to ${maximum}`,
    minLength === undefined ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    pattern === undefined ? '' : `like ${pattern}`,
    fallback === undefined ? '' : `default ${JSON.stringify(fallback)}`,
    description ?? '',
  ].filter((note) => note !== '');
  return notes.length === 0 ? undefined : markup` <i>${notes.join(', ')}</i>`;
}
