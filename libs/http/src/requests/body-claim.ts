import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BodyClaim, bodyMemory, bodyWeight, whenClosed } from '@waymark/runtime/adapter';

/** Claims of bodies that were read before the endpoint of the request was known. */
const early = new WeakMap<IncomingMessage, BodyClaim>();

/** Hands the claim over to the caller, which has to release it. */
export function takeClaim(raw: IncomingMessage, contentType: string | undefined): BodyClaim {
  const claim = early.get(raw) ?? bodyMemory.claim(bodyWeight(contentType));
  early.delete(raw);
  return claim;
}

/** For a body that is read before the endpoint is known. Released when the response closes, unless an endpoint takes it over. */
export function earlyClaim(raw: IncomingMessage, response: ServerResponse, contentType: string | undefined): BodyClaim {
  const claim = bodyMemory.claim(bodyWeight(contentType));
  // The client has left already, and its response closes no second time.
  if (response.destroyed) claim.release();
  early.set(raw, claim);
  whenClosed(response, () => early.get(raw)?.release());
  return claim;
}
