import type {
  OpenApiContent,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiReference,
  OpenApiResponse,
  OpenApiSchema,
} from '@waymark/runtime';
import type { RouteAccess } from '../identity/permissions.js';
import type { RouteReader } from '../requests/bind.js';
import { shapeOf } from '../requests/reader-schemas.js';
import { json, type RouteDescription } from './operations/route-description.js';
import { ref } from './schemas/words.js';

/** All that is known of a route. */
export interface RouteFacts {
  readonly verb: string;
  /** As its controller declares it, with `:names`. */
  readonly path: string;
  readonly readers: readonly RouteReader[];
  readonly access: RouteAccess | undefined;
  readonly tag: string;
  readonly description: RouteDescription;
}

/** What many routes answer when they do not do what they are asked. */
export const REFUSALS: Readonly<Record<string, OpenApiResponse>> = {
  BadRequest: {
    description: 'The request is malformed, or its members contradict each other.',
    content: { 'application/problem+json': { schema: ref('Problem') } },
  },
  Unauthenticated: {
    description: 'There are no valid credentials.',
    headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
    content: json(ref('CodedError')),
  },
  Forbidden: { description: 'The credentials do not allow this.', content: json(ref('CodedError')) },
  NotFound: { description: 'The resource of this path does not exist.', content: json(ref('CodedError')) },
  Conflict: { description: 'The current state does not allow this.', content: json(ref('CodedError')) },
  TooLarge: { description: 'The body exceeds the limit of the server.', content: json(ref('CodedError')) },
  UnsupportedMediaType: {
    description: 'The body is not JSON, or its content type is not.',
    content: json(ref('CodedError')),
  },
  TooSlow: { description: 'The body did not arrive in time.', content: json(ref('CodedError')) },
  Failed: { description: 'Any other error, with a code.', content: json(ref('CodedError')) },
};

const refusal = (name: string): OpenApiReference => ({ $ref: `#/components/responses/${name}` });

/** The operation of a route, as an OpenAPI document has it. */
export function describeRoute(facts: RouteFacts): OpenApiOperation {
  const { description: described, access, tag } = facts;
  const permissions = access?.permissions ?? [];
  const parameters = [...pathParameters(facts.path), ...queryParameters(facts), ...(described.headers ?? [])];
  const body = bodyOf(facts);
  const texts = [described.description, permissionText(access)].filter((text) => text !== undefined);
  return {
    operationId: described.id,
    summary: described.summary,
    ...(texts.length > 0 && { description: texts.join(' ') }),
    tags: [tag],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: body.isRequired ?? false, content: body.content } }),
    responses: responsesOf(facts, body !== undefined, parameters.length > 0),
    ...(access?.isAnonymous && { security: [] }),
    ...(described.isWritten && { 'x-waymark-written-by-workflow': true }),
    ...(permissions.length > 0 && { 'x-waymark-permissions': permissions }),
  };
}

function permissionText(access: RouteAccess | undefined): string | undefined {
  if (!access || access.isAnonymous) return undefined;
  if (access.token === 'refresh') return 'Requires the refresh token instead of the access token.';
  if (access.permissions.length === 0) return 'For every logged-in user.';
  return `Needs the permission ${access.permissions.map((permission) => `\`${permission}\``).join(' or ')}.`;
}

export const templateOf = (path: string): string => `/${path}`.replaceAll(/:(\w+)/g, '{$1}');

const pathParameters = (path: string): OpenApiParameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    // As its pipe has it.
    schema: { type: name === 'version' ? 'integer' : 'string' },
  }));

/** GET and DELETE have no body in a document; what is read from one there can stand in the query as well. */
function queryParameters({ verb, readers, description }: RouteFacts): OpenApiParameter[] {
  const ofReaders = readers
    .filter(({ place }) => place === 'query' || (place === 'optional body' && verb === 'GET'))
    .flatMap(({ reader }) => membersOf(shapeOf(reader).schema));
  const own = Object.entries(description.query ?? {}).map(([name, schema]) => ({ name, schema, required: false }));
  const all = new Map([...ofReaders, ...own].map((member) => [member.name, member]));
  return [...all.values()]
    .filter(({ schema }) => !isNested(schema))
    .map(({ name, schema, required }) => ({ name, in: 'query', ...(required && { required }), schema }));
}

/** An object in a query has no agreed form. */
const isNested = ({ type, items, properties }: OpenApiSchema): boolean =>
  properties !== undefined || type === 'object' || (items !== undefined && isNested(items));

const membersOf = ({ properties = {}, required = [] }: OpenApiSchema) =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }));

function bodyOf({
  verb,
  readers,
  description,
}: RouteFacts): { content: OpenApiContent; isRequired?: boolean } | undefined {
  if (verb === 'GET') return undefined;
  if (description.body) return description.body;
  const found = readers.find(({ place }) => place !== 'query');
  if (!found) return undefined;
  return { content: json(shapeOf(found.reader).schema), isRequired: found.place === 'body' };
}

function responsesOf(
  { path, access, description }: RouteFacts,
  hasBody: boolean,
  hasParameters: boolean,
): Record<string, OpenApiResponse | OpenApiReference> {
  const answers = description.answers.map(({ status, ...answer }) => [String(status), answer] as const);
  return {
    ...((hasBody || hasParameters) && { 400: refusal('BadRequest') }),
    ...(!access?.isAnonymous && { 401: refusal('Unauthenticated'), 403: refusal('Forbidden') }),
    ...(path.includes(':') && { 404: refusal('NotFound') }),
    ...(path.includes(':') && hasBody && { 409: refusal('Conflict') }),
    ...(hasBody && { 408: refusal('TooSlow'), 413: refusal('TooLarge'), 415: refusal('UnsupportedMediaType') }),
    ...Object.fromEntries(answers),
    default: refusal('Failed'),
  };
}
