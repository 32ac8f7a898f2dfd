import { createHash, createHmac } from 'node:crypto';
import type { HttpEndpointPayload } from '../endpoint/endpoint-payload.js';
import type { HttpRequest } from '../requests/http-request.js';
import type { HttpIdSelector } from '../requests/request-ids.js';

/**
 * Identifies the caller of a request, to whom its `Idempotency-Key` belongs: the same key of two callers counts as two keys. Undefined:
 * the request shares its keys with all callers that are not identified.
 */
export type IdempotencyScope = (request: HttpRequest) => string | undefined;

const MAX_LENGTH = 255;

/**
 * What a request says by `Idempotency-Key`, or by the first of the application's selectors that finds something, without the quotes that
 * a structured field has; undefined when it says nothing, and `'malformed'` for what is empty, longer than 255 characters, or
 * holds others than visible ones.
 */
export function readIdempotencyKey(
  request: HttpRequest,
  selectors: readonly HttpIdSelector[],
): { readonly key: string } | 'malformed' | undefined {
  const given = givenKey(request, selectors)?.trim();
  if (given === undefined) return undefined;
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given;
  return key.length <= MAX_LENGTH && /^[\x21-\x7e]+$/.test(key) ? { key } : 'malformed';
}

/** As the request has it, or undefined. */
export function givenKey(request: HttpRequest, selectors: readonly HttpIdSelector[]): string | undefined {
  for (const select of selectors) {
    const key = select(request);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** The user whom a guard has left, by the members that ids usually have. */
export const scopeOfUser: IdempotencyScope = (request) => {
  const user = request.user as Partial<Record<'id' | 'sub' | 'userId', unknown>> | undefined;
  const id = user?.id ?? user?.sub ?? user?.userId;
  // That of an empty id, or of none that is a number, would be shared by all who have such a one.
  return (typeof id === 'string' && id !== '') || Number.isFinite(id) ? String(id) : undefined;
};

/** Headers by which callers authenticate, beside `Authorization`, and which are the same in a repetition. */
const CREDENTIALS = /api-?key$|(?:access|auth|session)-?token$/;
/** Schemes whose credentials are the same in a repetition. Those of others, such as Digest or AWS4, sign each request anew. */
const STEADY_SCHEMES = /^(?:basic|bearer|apikey|api-key|token)\s/i;
/** By which users are known where they have no id. */
const NAMES = ['email', 'username', 'login', 'name'] as const;

/**
 * What distinguishes callers who are not identified otherwise: the credentials of a request, or else the name of the user whom a guard has
 * found, or its id where that is not a plain one; undefined without any. Cookies do not count: they change from one request to the next.
 * @param salt keeps equal credentials from being seen in what is stored
 * @param requestKey of the request. The state does not have it: else who reads instances could try passwords
 */
export function callerOf({ raw, user }: HttpRequest, salt: string, requestKey: string): string | undefined {
  const found = Object.entries(raw.headers).flatMap(([name, value]): [string, unknown][] => {
    if (CREDENTIALS.test(name)) return [[name, value]];
    if (name !== 'authorization' && name !== 'proxy-authorization') return [];
    const text = String(value);
    return STEADY_SCHEMES.test(text) ? [[name, subjectOf(text) ?? text]] : [];
  });
  if (found.length === 0) found.push(...namesOf(user));
  if (found.length === 0) found.push(...idsOf(user));
  if (found.length === 0) return undefined;
  found.sort(([left], [right]) => (left < right ? -1 : 1));
  return hashed(found, salt, requestKey);
}

/**
 * Distinguishes users whom a guard has found by their id, likewise; undefined without one. Beside `callerOf`: two people may have the same
 * name, and one API key may be that of a page which many users have opened.
 */
export function userOf({ user }: HttpRequest, salt: string, requestKey: string): string | undefined {
  const found = idsOf(user);
  return found.length === 0 ? undefined : hashed(found, salt, requestKey);
}

/** Claims that tell issuers of ids apart: their users may have the same ids. */
const ISSUERS = ['iss', 'tid'] as const;

/**
 * Distinguishes users whom `scopeOfUser` takes for one, likewise: by who has issued their ids, and their tenant. Undefined without such claims.
 * It stands beside the scope: otherwise, nodes of the version before would take a repetition for another request.
 */
export function issuerOf({ user }: HttpRequest, salt: string, requestKey: string): string | undefined {
  if (typeof user !== 'object' || user === null) return undefined;
  const members = user as Partial<Record<string, unknown>>;
  const found = ISSUERS.filter((name) => typeof members[name] === 'string').map(
    (name) => [name, members[name]] as [string, unknown],
  );
  return found.length === 0 ? undefined : hashed(found, salt, requestKey);
}

const hashed = (found: readonly [string, unknown][], salt: string, requestKey: string): string =>
  createHmac('sha256', salt)
    .update(JSON.stringify([requestKey, found]))
    .digest('base64url');

/**
 * Of a JSON Web Token whom it is about: a client renews its token between two repetitions. What the token says is not believed for more than
 * that; it is for guards to check it.
 */
function subjectOf(authorization: string): unknown {
  const [, payload] = /^bearer\s+[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(authorization) ?? [];
  if (payload === undefined) return undefined;
  try {
    const { iss, sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iss?: unknown; sub?: unknown };
    return typeof sub === 'string' ? ['sub', iss, sub] : undefined;
  } catch {
    return undefined;
  }
}

function namesOf(user: unknown): [string, unknown][] {
  if (typeof user !== 'object' || user === null) return [];
  const members = user as Partial<Record<string, unknown>>;
  return NAMES.filter((name) => typeof members[name] === 'string').map((name) => [`user.${name}`, members[name]]);
}

/** Where users have neither a name nor an id of `scopeOfUser`: documents of MongoDB, and claims of other names. */
const IDS = ['id', 'sub', 'userId', '_id', 'uid', 'oid', 'user_id'] as const;

function idsOf(user: unknown): [string, unknown][] {
  if (typeof user !== 'object' || user === null) return [];
  const members = user as Partial<Record<string, unknown>>;
  for (const name of IDS) {
    const id = textOf(members[name]);
    if (id !== undefined) return [[`user.${name}`, id]];
  }
  return [];
}

/** Of an object, such as an `ObjectId`, only if it says itself what its text is: `[object Object]` is that of all. */
function textOf(id: unknown): string | undefined {
  if (typeof id === 'string') return id === '' ? undefined : id;
  if (typeof id === 'number' || typeof id === 'bigint') return String(id);
  if (typeof id !== 'object' || id === null || Array.isArray(id) || id.toString === Object.prototype.toString)
    return undefined;
  // oxlint-disable-next-line typescript/no-base-to-string -- it has one of its own
  return String(id);
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
