import { type HttpRequest, rawRequest } from '../requests/http-request.js';
import type { AnswerClaim } from './answer-memory.js';

const claims = new WeakMap<object, AnswerClaim>();

export function keepAnswerClaim(request: HttpRequest, claim: AnswerClaim): void {
  claims.set(rawRequest(request), claim);
}

/** Notes the length of an answer before it is compressed, or replaced by a 304 without a body: the next one like it needs as much. */
export function noteAnswerText(request: HttpRequest, text: string): void {
  claims.get(rawRequest(request))?.made(text.length);
}
