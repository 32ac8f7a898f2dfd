import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BodyClaim, bodyMemory, bodyWeight } from '@waymark/runtime/adapter';

/** Of bodies that were read before the request came to its endpoint. */
const early = new WeakMap<IncomingMessage, BodyClaim>();

/** For the one who works on the body, and releases it. */
export function takeClaim(raw: IncomingMessage, contentType: string | undefined): BodyClaim {
  const claim = early.get(raw) ?? bodyMemory.claim(bodyWeight(contentType));
  early.delete(raw);
  return claim;
}

/** For a body that is read early: whether the request comes to an endpoint is not known. Released with the response, if not. */
export function earlyClaim(raw: IncomingMessage, response: ServerResponse, contentType: string | undefined): BodyClaim {
  const claim = bodyMemory.claim(bodyWeight(contentType));
  // The client has left already, and its response closes no second time.
  if (response.destroyed) claim.release();
  early.set(raw, claim);
  response.once('close', () => early.get(raw)?.release());
  return claim;
}
