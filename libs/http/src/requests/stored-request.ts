import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { REDACTED, type Redaction, redactQuery, withoutAddressCredentials } from '@waymark/core/adapter';
import type { PreparedResponse, ResponseTarget } from '../responses/http-response-writer.js';
import type { RouteValues } from '../routing/template-variant.js';
import { HttpRequest } from './http-request.js';
import { HttpRequestContext, type Keeping } from './http-request-context.js';
import { type BodyLimits, RequestBody } from './request-body.js';

/** A request as a message holds it, for a node that runs what it is for. Its client has been answered. */
export interface StoredRequest {
  readonly method: string;
  /** As it came, with the query. */
  readonly url: string;
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly routeValues?: RouteValues;
  readonly body?: string;
}

/**
 * What is stored of a request; undefined when a message cannot take its body: a file, or more than 1 MiB, or no text.
 * @param redaction leaves out the credentials among headers and parameters. Undefined: they may be stored
 */
export async function storeRequest(
  { request, body, routeValues }: HttpRequestContext,
  redaction: Redaction | undefined,
): Promise<StoredRequest | undefined> {
  const text = await body.text(MAX_STORED_BYTES);
  if (text === undefined) return undefined;
  const { path, queryString, raw } = request;
  const storable = <T>(name: string, value: T): T | string => {
    if (!redaction) return value;
    return redaction.isSensitive(name) ? REDACTED : withoutAddressCredentials(name, value, redaction.isListed);
  };
  const query = redaction ? redactQuery(queryString, redaction.isListed) : queryString;
  return {
    method: request.method,
    url: query === '' ? path : `${path}?${query}`,
    rawHeaders: raw.rawHeaders.map((value, index, all) => (index % 2 === 1 ? storable(all[index - 1]!, value) : value)),
    headers: Object.fromEntries(Object.entries(raw.headers).map(([name, value]) => [name, storable(name, value)])),
    ...(routeValues && { routeValues }),
    ...(text !== '' && { body: text }),
  };
}

const MAX_STORED_BYTES = 1024 * 1024;

/**
 * The request for a burst of this node. What that writes as its response reaches no client by itself.
 * @param keeping of a request whose client may ask for the answer later
 */
export function restoreRequest(stored: StoredRequest, limits: BodyLimits, keeping?: Keeping): HttpRequestContext {
  const { method, url, rawHeaders, headers, routeValues, body } = stored;
  const raw = { method, url, rawHeaders, headers } as unknown as IncomingMessage;
  const request = new HttpRequest(raw, url, undefined);
  const source = body === undefined ? undefined : Readable.from([Buffer.from(body)]);
  const requestBody = new RequestBody(request, source, limits);
  return new HttpRequestContext(request, requestBody, new NoClient(), routeValues, undefined, keeping);
}

/** In place of the reply to a client that has its answer. */
class NoClient implements ResponseTarget {
  isSent = false;

  send({ body }: PreparedResponse): void {
    this.isSent = true;
    if (body instanceof Readable) body.destroy();
  }
}
