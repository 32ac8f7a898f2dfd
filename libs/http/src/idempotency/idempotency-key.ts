import { createHash, createHmac } from 'node:crypto';
import type { HttpEndpointPayload } from '../endpoint/endpoint-payload.js';
import type { HttpRequest } from '../requests/http-request.js';

/**
 * Identifies the caller of a request, to whom its `Idempotency-Key` belongs: the same key of two callers counts as two keys. Undefined:
 * the request shares its keys with all callers that are not identified.
 */
export type IdempotencyScope = (request: HttpRequest) => string | undefined;

const MAX_LENGTH = 255;

/**
 * What a request says by `Idempotency-Key`, without the quotes that a structured field has; undefined when it says nothing,
 * and `'malformed'` for what is empty, longer than 255 characters, or holds others than visible ones.
 */
export function readIdempotencyKey(request: HttpRequest): { readonly key: string } | 'malformed' | undefined {
  const given = request.header('idempotency-key')?.trim();
  if (given === undefined) return undefined;
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given;
  return key.length <= MAX_LENGTH && /^[\x21-\x7e]+$/.test(key) ? { key } : 'malformed';
}

/** The user whom a guard has left, by the members that ids usually have. */
export const scopeOfUser: IdempotencyScope = (request) => {
  const user = request.user as Partial<Record<'id' | 'sub' | 'userId', unknown>> | undefined;
  const id = user?.id ?? user?.sub ?? user?.userId;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
};

/** Headers by which callers authenticate. Signatures and the like differ from one repetition to the next. */
const CREDENTIALS = /^(?:proxy-)?authorization$|api-?key$|(?:access|auth|session)-?token$/;

/**
 * The credentials of a request, which distinguish callers who are not identified otherwise; undefined without any. A cookie is
 * one if a guard has found a user.
 * @param salt keeps equal credentials from being seen in what is stored
 * @param requestKey of the request. The state does not have it: else who reads instances could try passwords
 */
export function callerOf({ raw, user }: HttpRequest, salt: string, requestKey: string): string | undefined {
  let found = Object.entries(raw.headers).filter(([name]) => CREDENTIALS.test(name));
  if (found.length === 0 && user !== undefined && raw.headers.cookie !== undefined)
    found = [['cookie', raw.headers.cookie]];
  if (found.length === 0) return undefined;
  found.sort(([left], [right]) => (left < right ? -1 : 1));
  return createHmac('sha256', salt)
    .update(JSON.stringify([requestKey, found]))
    .digest('base64url');
}

/** The request key of a start: one for each endpoint, caller and key. */
export function requestKeyOf(
  definitionId: string,
  { method, path }: Pick<HttpEndpointPayload, 'method' | 'path'>,
  scope: string | undefined,
  key: string,
): string {
  return `http/${sha256([definitionId, method, path, scope ?? null, key])}`;
}

/** Equal for requests that ask for the same: method, path, query and the content of the body. @param body its hash */
export const fingerprintOf = ({ method, path, queryString }: HttpRequest, body: string): string =>
  sha256([method, path, queryString, body]);

const sha256 = (parts: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
