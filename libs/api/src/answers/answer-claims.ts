import { type HttpRequest, rawRequest } from '../requests/http-request.js';
import type { AnswerClaim } from './answer-memory.js';

const claims = new WeakMap<object, AnswerClaim>();

export function keepAnswerClaim(request: HttpRequest, claim: AnswerClaim): void {
  claims.set(rawRequest(request), claim);
}

/** The text of an answer is there, whatever becomes of it: compressed, it is shorter, and a client that has it gets none. */
export function noteAnswerText(request: HttpRequest, text: string): void {
  claims.get(rawRequest(request))?.made(text.length);
}
