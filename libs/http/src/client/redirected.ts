import type { HeaderValue } from '../responses/http-response-writer.js';
import { InvalidOutgoingRequestError, shownUrl } from './outgoing-errors.js';
import type { OutgoingRequest } from './outgoing-http.js';

/**
 * The request that follows a redirect. Credentials are meant for the original server only: another origin does not get the headers that have
 * one. Undefined: the redirect is not followed, and is the answer. It leads from `https:` to `http:`, where everyone on the way can read
 * along, or would take a body with a secret to another origin.
 * @throws InvalidOutgoingRequestError (`WM5012`) for a place that is not a URL
 */
export function redirected(request: OutgoingRequest, status: number, location: string): OutgoingRequest | undefined {
  const url = URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
  if (!url)
    throw new InvalidOutgoingRequestError(
      `${request.method} ${shownUrl(request.url)} was redirected to "${shownUrl(location)}", which is not a URL. Correct the URL of the request, or the server.`,
    );
  const becomesGet = (status === 303 && request.method !== 'HEAD') || (status < 303 && request.method === 'POST');
  const from = new URL(request.url);
  if (from.protocol === 'https:' && url.protocol === 'http:') return undefined;
  const isElsewhere = url.origin !== from.origin;
  const body = becomesGet ? undefined : request.body;
  if (isElsewhere && body && request.holdsSecret?.(body)) return undefined;
  const isCredential = (name: string, value: HeaderValue) =>
    name === 'authorization' || name === 'cookie' || request.isCredential?.(name, value) === true;
  // So is the name that its request gives a server in place of that of its URL.
  const isOfServer = (name: string, value: HeaderValue) => name === 'host' || isCredential(name, value);
  const dropped = (name: string, value: HeaderValue) =>
    (becomesGet && name.startsWith('content-')) || (isElsewhere && isOfServer(name, value));
  const headers = request.headers.filter(([name, value]) => !dropped(name.toLowerCase(), value));
  return {
    ...request,
    url: url.href,
    headers,
    method: becomesGet ? 'GET' : request.method,
    body,
  };
}
