import { type BodyClaim, bodyMemory, bodyWeight } from '@waymark/runtime/adapter';
import { type HttpRequest, rawRequest } from './http-request.js';

const claims = new WeakMap<object, BodyClaim>();

/** What the request takes of the memory for bodies, until it is handled. Bodies of the API are JSON, or files of it. */
export function bodyClaim(request: HttpRequest): BodyClaim {
  const raw = rawRequest(request);
  const claim = claims.get(raw) ?? bodyMemory.claim(bodyWeight('application/json'));
  claims.set(raw, claim);
  return claim;
}

export function releaseBody(request: HttpRequest): void {
  claims.get(rawRequest(request))?.release();
}
