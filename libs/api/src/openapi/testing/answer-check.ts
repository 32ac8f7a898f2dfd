import { dereference, type Schema, validate } from '@cfworker/json-schema';
import { type OpenApiDocument, type OpenApiOperation, type OpenApiSchema } from '@waymark/runtime';
import { toOpenApi31 } from '@waymark/runtime/adapter';

/** What a server has answered. */
export interface CheckedAnswer {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Answered before any route is asked: wrong verbs, and heads that are too large. */
const BEFORE_ROUTES = [405, 431];

const isJson = (type: string): boolean => /[/+]json$/.test(type);

/** Returns false if the adapter refuses the path before it looks for a route. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Schemas by their addresses. */
type Lookup = ReturnType<typeof dereference>;

interface Route {
  readonly pattern: RegExp;
  readonly operation: OpenApiOperation;
  readonly name: string;
}

/**
 * Compares answers with what a document says of them. Stricter than the document: an answer with a member that the document does
 * not name is wrong as well.
 */
export class AnswerCheck {
  private readonly routes = new Map<string, Route[]>();
  private readonly lookup: Lookup;
  private readonly schemas = new Map<string, Schema>();

  constructor(private readonly document: OpenApiDocument) {
    this.lookup = Object.create(lookupOf(document.components.schemas)) as Lookup;
    // A path with fixed names stands before one with parameters.
    const paths = Object.entries(document.paths).sort(([a], [b]) => a.split('{').length - b.split('{').length);
    for (const [path, item] of paths)
      for (const [method, operation] of Object.entries(item)) {
        const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`, 'i');
        const known = this.routes.get(method) ?? [];
        known.push({ pattern, operation: operation as OpenApiOperation, name: `${method} ${path}` });
        this.routes.set(method, known);
      }
  }

  /** What is wrong with an answer; empty: nothing, or no route of the document was asked. */
  problemsOf({ method, path, status, contentType, text }: CheckedAnswer): string[] {
    const [own = ''] = path.split('?', 1);
    const route = this.routes.get(method.toLowerCase())?.find(({ pattern }) => pattern.test(own));
    if (!route || BEFORE_ROUTES.includes(status) || !isDecodable(own)) return [];
    const { operation, name } = route;
    const isWritten = operation['x-waymark-written-by-workflow'] === true;
    const stated = operation.responses[status];
    if (!stated && status < 400) return isWritten ? [] : [`${name} does not say that it answers ${status}`];
    const response = this.resolve(stated ?? operation.responses.default!);
    if (isWritten) return [];
    if (text === '') {
      // An export without rows is an empty text; no JSON is empty.
      const wantsJson = status < 400 && Object.keys(response.content ?? {}).some(isJson);
      return wantsJson ? [`${name} ${status} is empty, and is not described so`] : [];
    }
    const type = contentType.split(';', 1)[0]!.trim();
    const content = response.content?.[type];
    if (!content)
      return stated || status < 400 ? [`${name} does not say that it answers ${status} with ${contentType}`] : [];
    if (!isJson(type)) return [];
    const schema = this.schemaOf(`${name} ${status} ${type}`, content.schema);
    const { valid, errors } = validate(JSON.parse(text), schema, '2020-12', this.lookup);
    if (valid) return [];
    const deepest = errors.slice(-4).map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
    return [`${name} ${status} is not as described: ${deepest.join(' | ')} in ${text.slice(0, 1500)}`];
  }

  private resolve(response: OpenApiOperation['responses'][string]) {
    if (!('$ref' in response)) return response;
    return this.document.components.responses[response.$ref.split('/').at(-1)!]!;
  }

  private schemaOf(key: string, schema: OpenApiSchema): Schema {
    const known = this.schemas.get(key);
    if (known) return known;
    const made = closed(toOpenApi31(schema)) as Schema;
    dereference(made, this.lookup, undefined, `/answers/${this.schemas.size}`);
    this.schemas.set(key, made);
    return made;
  }
}

/** Looked through once for all servers of a process: that costs more than most of the tests which ask. */
const lookups = new WeakMap<object, Lookup>();

function lookupOf(schemas: OpenApiDocument['components']['schemas']): Lookup {
  const known = lookups.get(schemas);
  if (known) return known;
  const made = dereference({ components: { schemas: closed(toOpenApi31(schemas)) } } as Schema);
  lookups.set(schemas, made);
  return made;
}

/** Objects with members that are named have no others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isObject = members.type === 'object' || (Array.isArray(members.type) && members.type.includes('object'));
  return isObject && 'properties' in members && !('additionalProperties' in members)
    ? { ...members, additionalProperties: false }
    : members;
}
