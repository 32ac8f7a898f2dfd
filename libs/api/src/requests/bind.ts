import { setImmediate } from 'node:timers/promises';
import { createParamDecorator, Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { InvalidRequestError, SERIALIZER } from '../answers/api-errors.js';
import { BodyKind, bodyLimit } from './body-limits.js';
import { keepBodyRead } from './body-read.js';
import { queryOf, type HttpRequest } from './http-request.js';
import { parseRequestText } from './json-text.js';
import { isObject } from './json-values.js';
import type { Reader } from './readers.js';
import { hasJsonType, requireJsonType, readText } from './request-body.js';

const requestOf = (context: ExecutionContext): HttpRequest => context.switchToHttp().getRequest<HttpRequest>();

/** Where a reader of a route finds what it reads. */
export type ReadPlace = 'query' | 'body' | 'optional body';

export interface RouteReader {
  readonly place: ReadPlace;
  readonly reader: Reader<unknown>;
}

const ROUTE_READERS = Symbol.for('@waymark/api:route-readers');

/** The readers of a route's parameters. */
export const readersOf = (controller: object, method: string): readonly RouteReader[] =>
  (Reflect.getMetadata(ROUTE_READERS, controller, method) as readonly RouteReader[] | undefined) ?? [];

/** As `createParamDecorator`, but the route knows its reader: its description is made from it. */
function fromPlace(
  place: ReadPlace,
  read: (reader: Reader<unknown>, context: ExecutionContext) => unknown,
): (reader: Reader<unknown>) => ParameterDecorator {
  const decorator = createParamDecorator(read);
  return (reader) => (target, method, index) => {
    decorator(reader)(target, method, index);
    const controller = target.constructor;
    const readers = [...readersOf(controller, method as string), { place, reader }];
    Reflect.defineMetadata(ROUTE_READERS, readers, controller, method!);
  };
}

/** Members of the query, read by the given reader. */
export const FromQuery = fromPlace('query', (reader, context) => reader(queryOf(requestOf(context)), ''));

const fromBody = (kind: BodyKind) =>
  fromPlace('body', async (reader, context) => {
    const request = requestOf(context);
    requireJsonType(request);
    return kept(request, reader(withQuery(await readJson(request, kind), request), ''));
  });

/** A JSON body; members of the query come on top. @throws UnsupportedMediaTypeError without a JSON content type */
export const FromBody = fromBody(BodyKind.Ordinary);

/** The same for routes that need no credentials. @throws BodyTooLargeError beyond 4 KiB */
export const FromSmallBody = fromBody(BodyKind.Login);

/** The same for definitions. */
export const FromDefinitionBody = fromBody(BodyKind.Definition);

/** As `FromBody`, but without a JSON content type only the query counts. */
export const FromOptionalBody = fromPlace('optional body', async (reader, context) => {
  const request = requestOf(context);
  const body = hasJsonType(request) ? await readJson(request, BodyKind.Ordinary, {}) : {};
  return kept(request, reader(withQuery(body, request), ''));
});

function kept(request: HttpRequest, body: unknown): unknown {
  keepBodyRead(request, body);
  return body;
}

@Injectable()
class JsonTypeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    requireJsonType(requestOf(context));
    return true;
  }
}

/** For routes that read no body but, as the reference has it, want a JSON content type. */
export const RequiresJson = (): MethodDecorator => UseGuards(JsonTypeGuard) as MethodDecorator;

/** From there on parsing takes milliseconds. */
const LARGE_TEXT = 250_000;

async function readJson(request: HttpRequest, kind: BodyKind, fallback?: unknown): Promise<unknown> {
  const limit = bodyLimit(request, kind);
  const text = await readText(request, limit);
  if (text.trim() === '') {
    if (fallback !== undefined) return fallback;
    throw InvalidRequestError.at('', 'The body is empty. Send a JSON object, {} at least.');
  }
  const json = await parseRequestText(text, limit);
  // Work on it takes as long again: other requests get their turn before.
  if (text.length > LARGE_TEXT) await setImmediate();
  return json;
}

function withQuery(body: unknown, request: HttpRequest): unknown {
  if (!isObject(body)) throw new InvalidRequestError({ [SERIALIZER]: ['The body must be a JSON object.'] });
  const query = queryOf(request);
  const names = Object.keys(query);
  if (names.length === 0) return body;
  const others = Object.entries(body).filter(([name]) => !(name.toLowerCase() in query));
  return { ...Object.fromEntries(others), ...query };
}
