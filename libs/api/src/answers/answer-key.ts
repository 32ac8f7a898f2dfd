import type { ExecutionContext } from '@nestjs/common';
import { readersOf } from '../requests/bind.js';
import { type HttpRequest, queryOf } from '../requests/http-request.js';
import { shapeOf } from '../requests/reader-schemas.js';

/** Of answers that are likely as large as each other: the route, and what it reads of the URL. Anything else changes nothing. */
export function answerKey(context: ExecutionContext): string {
  const request = context.switchToHttp().getRequest<HttpRequest & { readonly params?: unknown }>();
  const [controller, route] = [context.getClass(), context.getHandler().name];
  const query = queryOf(request);
  const read = readersOf(controller, route)
    .flatMap(({ reader }) => Object.keys(shapeOf(reader).schema.properties ?? {}))
    .map((name) => name.toLowerCase())
    .filter((name) => name in query)
    .map((name) => [name, query[name]]);
  return JSON.stringify([controller.name, route, request.params, read]);
}
