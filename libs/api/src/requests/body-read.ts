import type { HttpRequest } from './http-request.js';

const BODY = Symbol('waymark.api.body');

/** What the handler of a request is given as its body. */
export function keepBodyRead(request: HttpRequest, body: unknown): void {
  (request as { [BODY]?: unknown })[BODY] = body;
}

/** Undefined: it has not been read, or could not be. */
export const bodyRead = (request: HttpRequest): unknown => (request as { [BODY]?: unknown })[BODY];
