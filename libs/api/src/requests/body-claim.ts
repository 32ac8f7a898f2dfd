import { type BodyClaim, bodyMemory, bodyWeight } from '@waymark/runtime/adapter';
import { type HttpRequest, rawRequest } from './http-request.js';

/** Of requests that are handled, and of those that were. */
const claims = new WeakMap<object, BodyClaim>();

/**
 * Lets the body of a request be read. A client that leaves ends nothing: what it has sent is in memory until it is handled.
 * @returns ends it: what is read of the body afterwards is not counted
 */
export function openBody(request: HttpRequest): () => void {
  const claim = bodyMemory.claim(bodyWeight('application/json'));
  claims.set(rawRequest(request), claim);
  return () => claim.release();
}

/** What the request takes of the memory for bodies, until it is handled. Bodies of the API are JSON, or files of it. */
export function bodyClaim(request: HttpRequest): BodyClaim {
  const claim = claims.get(rawRequest(request));
  // A claim made here would never be released.
  if (!claim) throw new Error('The body of a request can be read only while the request is handled.');
  return claim;
}
