import type { OpenApiParameter, OpenApiSchema } from '@waymark/runtime';
import { withSlashes } from '../routing/encoded-slash.js';
import {
  isParameter,
  parseTemplate,
  type RouteParameter,
  type RouteTemplate,
  type Segment,
} from '../routing/route-template.js';
import { withoutOptionalEnd } from '../routing/template-variant.js';

/** A path as OpenAPI writes it. */
export interface DescribedPath {
  readonly path: string;
  readonly parameters: readonly OpenApiParameter[];
}

/**
 * The paths of a template: with each parameter at its end that may be missing there is a shorter one, as without an extension
 * (`{name}.{ext?}`). The longest comes first.
 * @throws RouteTemplateError
 */
export function describePaths(template: string): DescribedPath[] {
  const parsed: RouteTemplate = parseTemplate(template);
  const paths: DescribedPath[] = [];
  for (let length = parsed.segments.length; ; length--) {
    const before = parsed.segments.slice(0, length - 1);
    const last = parsed.segments[length - 1];
    paths.push(describe(last ? [...before, last] : []));
    const shorter = last && withoutOptionalEnd(last);
    if (shorter) paths.push(describe([...before, shorter]));
    if (!last?.every((part) => isParameter(part) && isOmittable(part.parameter))) return paths;
  }
}

const isOmittable = ({ kind, defaultValue }: RouteParameter): boolean =>
  kind !== 'required' || defaultValue !== undefined;

function describe(segments: readonly Segment[]): DescribedPath {
  const texts = segments.map((segment) =>
    segment.map((part) => (isParameter(part) ? `{${part.parameter.name}}` : encoded(part.literal))).join(''),
  );
  const parameters = segments.flatMap((segment) =>
    segment.flatMap((part) => (isParameter(part) ? [describeParameter(part.parameter)] : [])),
  );
  return { path: `/${texts.join('/')}`, parameters };
}

/** As a URL has it; an encoded slash is part of its segment. */
const encoded = (literal: string): string => encodeURI(withSlashes(literal)).replaceAll(/[/?#]/g, encodeURIComponent);

function describeParameter({ name, kind, constraints, defaultValue }: RouteParameter): OpenApiParameter {
  const schemas = constraints.map(({ text }) => schemaOfConstraint(text));
  const schema: OpenApiSchema = Object.assign({ type: 'string' }, ...schemas) as OpenApiSchema;
  return {
    name,
    in: 'path',
    required: true,
    ...(kind === 'rest' && { description: 'The rest of the path, slashes included.' }),
    schema: defaultValue === undefined ? schema : { ...schema, default: defaultValue },
  };
}

/** Of those that OpenAPI has words for; the others are met by some texts only. */
function schemaOfConstraint(text: string): OpenApiSchema {
  const [, name = '', list = ''] = /^(\w+)(?:\((.*)\))?$/s.exec(text) ?? [];
  const [first = NaN, second = first] = list.split(',').map(Number);
  switch (name) {
    case 'int':
      return { type: 'integer', format: 'int32' };
    case 'long':
      return { type: 'integer', format: 'int64' };
    case 'bool':
      return { type: 'boolean' };
    case 'decimal':
    case 'double':
    case 'float':
      return { type: 'number' };
    case 'guid':
      return { type: 'string', format: 'uuid' };
    case 'alpha':
      return { type: 'string', pattern: '^[A-Za-z]+$' };
    case 'min':
      return { type: 'integer', minimum: first };
    case 'max':
      return { type: 'integer', maximum: first };
    case 'range':
      return { type: 'integer', minimum: first, maximum: second };
    case 'minlength':
      return { minLength: first };
    case 'maxlength':
      return { maxLength: first };
    case 'length':
      return { minLength: list.includes(',') ? first : second, maxLength: second };
    case 'regex':
      return { pattern: list };
    default:
      return {};
  }
}

/** The same path with other names of its parameters is the same path to OpenAPI. */
export const shapeOfPath = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}').toLowerCase();

/** The parameters under the names that another path of the same shape has given them, by their place. */
export function renamedAs(path: string, { path: own, parameters }: DescribedPath): DescribedPath {
  if (path === own) return { path, parameters };
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
  return { path, parameters: parameters.map((parameter, i) => ({ ...parameter, name: names[i] ?? parameter.name })) };
}
