import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** What Express and Fastify requests have in common. */
export interface HttpRequest {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** As the client sent it; `url` may have been changed on the way. */
  readonly originalUrl?: string;
  /** Fastify: the request of Node itself. */
  readonly raw?: IncomingMessage;
}

/** What Express and Fastify responses have in common. */
export interface HttpReply {
  status(code: number): unknown;
  header(name: string, value: string): unknown;
  getHeader(name: string): unknown;
  /** Fastify: the response of Node itself. */
  readonly raw?: ServerResponse;
}

export const rawReply = (reply: HttpReply): ServerResponse => reply.raw ?? (reply as unknown as ServerResponse);

export const rawRequest = (request: HttpRequest): IncomingMessage =>
  request.raw ?? (request as unknown as IncomingMessage);

/** Of the client, as the adapter sees it: behind a proxy that it trusts, what the proxy says. */
export const clientAddress = (request: HttpRequest): string | undefined =>
  (request as { ip?: string }).ip ?? rawRequest(request).socket?.remoteAddress;

/** The query, names in lower case: they are matched in any casing. */
export function queryOf(request: HttpRequest): Record<string, string | string[]> {
  const url = request.originalUrl ?? request.url;
  const question = url.indexOf('?');
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  if (question < 0) return query;
  for (const [name, value] of new URLSearchParams(url.slice(question + 1))) {
    const key = name.toLowerCase();
    const earlier = query[key];
    // Not by a new list: the cost of a name that comes often would grow with the square.
    if (Array.isArray(earlier)) earlier.push(value);
    else query[key] = earlier === undefined ? value : [earlier, value];
  }
  return query;
}
