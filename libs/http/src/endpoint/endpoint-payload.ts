import type { EndpointRateLimit } from '../throttling/endpoint-rate-limit.js';
import { parseTemplate } from '../routing/route-template.js';
import { trimSlashes } from '../routing/request-path.js';
import { foldTemplate } from '../routing/template-case.js';

/** Stimulus name of HTTP endpoints. */
export const HTTP_ENDPOINT = 'Elsa.HttpEndpoint';

/** Marks the bookmark of an endpoint that was run without a request: a caller that has a request may resume it. */
export const CROSS_BOUNDARY_METADATA: Readonly<Record<string, string>> = { 'X-HttpCrossBoundary': 'true' };

/**
 * What an endpoint waits for, and the conditions for accepting a request: the same for triggers and for bookmarks in the middle of
 * a workflow. Members that are not set are left out.
 */
export interface HttpEndpointPayload {
  /** Template of the path, with a leading slash. In lower case, except for arguments of constraints and default values. */
  readonly path: string;
  /** HTTP method, in lower case. */
  readonly method: string;
  /** If true, a user must be there, as the authorizer decides. */
  readonly authorize: boolean;
  /** Name of a policy of the host. */
  readonly policy?: string;
  /** How long a request may be served, as `[d.]hh:mm:ss`; then its workflow is cancelled. @default no limit */
  readonly requestTimeout?: string;
  /** Largest body of a request, in bytes. @default as the host says */
  readonly requestSizeLimit?: number;
  /** Largest file of a form, in bytes. @default no limit but that of the body */
  readonly fileSizeLimit?: number;
  /** Extensions of files that are accepted, with the dot. @default all */
  readonly allowedFileExtensions?: readonly string[];
  /** Extensions of files that are refused, with the dot. @default none */
  readonly blockedFileExtensions?: readonly string[];
  /** Media types of files that are accepted. @default all */
  readonly allowedMimeTypes?: readonly string[];
  /** Outcomes that the workflow handles itself; the others are answered before anything runs. */
  readonly exposedOutcomes?: readonly string[];
  /** If true, a request that is not answered by its burst is answered 202, with a status URL. @default as the host says */
  readonly respondAsync?: boolean;
  /** If true, `Idempotency-Key` is heeded where the endpoint starts workflows. @default as the host says */
  readonly idempotencyKeys?: boolean;
  /** If true, inputs that break their rules are answered 400. Nodes of older versions drop this member. @default false */
  readonly rejectInvalidInputs?: boolean;
  /** Limits the requests of each client. Nodes of older versions drop this member. @default no limit */
  readonly rateLimit?: EndpointRateLimit;
  /** Type of the variable or output that receives the parsed content; missing when nothing does. */
  readonly contentType?: string;
}

/** A template with one slash at its start and none at its end, in lower case but for constraints and defaults. */
export const normalizePath = (path: string): string => foldTemplate(`/${trimSlashes(path.trim())}`);

/**
 * The members by which requests, triggers and bookmarks find each other. Entirely in lower case, as in earlier versions: the hash
 * must be the same on all nodes. So templates that differ only in the case of a constraint share a hash.
 */
export const hashInputOf = ({ path, method }: Pick<HttpEndpointPayload, 'path' | 'method'>) => ({
  path: normalizePath(path).toLowerCase(),
  method: method.toLowerCase(),
});

/**
 * Equal for endpoints that would compete for the same requests, whatever their parameters are called.
 * @throws RouteTemplateError
 */
export function exclusiveKeyOf({ path, method }: Pick<HttpEndpointPayload, 'path' | 'method'>): string {
  return `http ${method.toUpperCase()} ${parseTemplate(normalizePath(path)).key}`;
}

/** A stored payload; undefined for anything else, such as that of a bookmark which waits for no particular request. */
export function readEndpointPayload(stored: unknown): HttpEndpointPayload | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const payload = stored as HttpEndpointPayload;
  return typeof payload.path === 'string' && typeof payload.method === 'string' ? payload : undefined;
}

/** Returns true if the endpoint requires a user, unless its policy is a signature. A policy applies with and without `authorize`. */
export const asksForUser = ({ authorize, policy }: HttpEndpointPayload): boolean => authorize || policy !== undefined;
