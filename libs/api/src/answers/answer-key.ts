import type { ExecutionContext } from '@nestjs/common';
import { readersOf } from '../requests/bind.js';
import { type HttpRequest, queryOf } from '../requests/http-request.js';
import { shapeOf } from '../requests/reader-schemas.js';
import { requestBody } from '../requests/request-body.js';

type RoutedRequest = HttpRequest & { readonly params?: unknown; readonly body?: unknown };

/**
 * Of answers that are likely as large as each other: the route, and what it reads of the URL. Anything else changes nothing.
 * @returns undefined where a body says what is asked for: it is not read yet, and the next one may ask for more
 */
export function answerKey(context: ExecutionContext): string | undefined {
  const request = context.switchToHttp().getRequest<RoutedRequest>();
  const [controller, route] = [context.getClass(), context.getHandler().name];
  const readers = readersOf(controller, route);
  if (readers.some(({ place }) => place !== 'query') && hasBody(request)) return undefined;
  const query = queryOf(request);
  const read = readers
    .flatMap(({ reader }) => Object.keys(shapeOf(reader).schema.properties ?? {}))
    .map((name) => name.toLowerCase())
    .filter((name) => name in query)
    .map((name) => [name, query[name]]);
  return JSON.stringify([controller.name, route, request.params, read]);
}

/** One to be read, or that a parser of the application has read. */
const hasBody = (request: RoutedRequest): boolean =>
  requestBody(request).isPresent || (request.body !== undefined && request.body !== null);
