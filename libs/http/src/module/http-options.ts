import { InvalidOptionError } from '@waymark/core';
import { checkOptions } from '@waymark/core/adapter';
import { defaultBodyMemoryBytes } from '@waymark/runtime/adapter';
import { type OutgoingAddressOptions, OutgoingAddresses } from '../client/outgoing-addresses.js';
import { type IdempotencyScope, scopeOfUser } from '../idempotency/idempotency-key.js';
import type { WebhookSignature } from '../signatures/webhook-signature.js';
import { defaultUploadDirectory } from '../uploads/upload-directory.js';
import type { HttpIdSelector } from '../requests/request-ids.js';
import type { EndpointPolicy } from '../serving/endpoint-authorizer.js';
import type { RetryStrategy } from '../client/retry-strategy.js';
import { HTTP_OPTION_KINDS } from './http-option-kinds.js';

/** What the host alone knows about the document of the endpoints. */
export interface EndpointOpenApiOptions {
  /** Title of the document. @default 'Workflow endpoints' */
  readonly title?: string;
  /** Version of the document, as the application counts it. @default '1.0' */
  readonly version?: string;
  /** What the document says about itself, in Markdown. @default none */
  readonly description?: string;
  /**
   * How users of endpoints with `authorize` show who they are, as an OpenAPI security scheme: the application's guards decide on
   * that. @default `{ type: 'http', scheme: 'bearer' }`
   */
  readonly securityScheme?: Readonly<Record<string, unknown>>;
}

/** What a host may set for HTTP workflows. Everything has a default. */
export interface HttpWorkflowsOptions {
  /**
   * Path under which all endpoints live; it belongs to workflows alone. Empty: endpoints live beside the application's
   * own routes, which win. @default '/workflows'
   */
  basePath?: string;
  /** Absolute URL of this server as clients see it, with its path if it has one. @default 'http://localhost:3000' */
  baseUrl?: string;
  /** Largest request body in bytes; an endpoint may ask for less, not for more. @default 30000000 */
  bodyBytes?: number;
  /**
   * Largest request body in bytes for endpoints that say nothing (`requestSizeLimit`): reading and storing a body holds the
   * process up, by about 10 ms for each megabyte. @default 10000000, or `bodyBytes` if that is less
   */
  defaultBodyBytes?: number;
  /**
   * Most JSON values (members, items, and the lists and objects that hold them) in the body of a request; work on it, and
   * storing it, grows with them. @default 30000
   */
  bodyValues?: number;
  /**
   * Memory in bytes that the bodies of requests may take in this process at the same time, of endpoints and of the management
   * API; further ones are answered 503 before they are read. A byte of JSON or of an encoded form counts as 6, of text and of a
   * multipart form (without what is in a temporary file) as 4, of anything else as 3. A quarter of it is for bodies of 64 KiB at
   * most; a single large one is always let in. @default a quarter of the heap that Node may use (`--max-old-space-size`)
   */
  bodyMemoryBytes?: number;
  /**
   * Largest multipart request in bytes, with all its files; an endpoint may ask for less, not for more. Such a request is not
   * held in memory, so it may be larger than others. @default `bodyBytes`
   */
  uploadBytes?: number;
  /** A multipart request of more bytes than that has its files in a temporary file until its burst is over. @default 1048576 */
  uploadMemoryBytes?: number;
  /** Room on the disk for uploads at the same time, in bytes; further ones are answered 503. @default 1000000000, or `uploadBytes` if that is more */
  uploadDiskBytes?: number;
  /** Folder for temporary files, made if it is not there. @default `waymark-uploads-<user>` in the system's temporary folder, for this user alone */
  uploadDirectory?: string;
  /** How long in milliseconds nothing of a body may arrive, before it is answered 408. @default 30000 */
  bodyIdleTimeoutMs?: number;
  /** How long in milliseconds a body may take to arrive, before it is answered 408. @default 300000 */
  bodyTimeoutMs?: number;
  /**
   * How many bytes a second a client has to read of an answer, beside 30 s in which it may pause: a slower one is disconnected, since
   * its answer takes memory until it is read. @default 4096
   */
  answerBytesPerSecond?: number;
  /**
   * Memory in bytes that answers may take which their clients have not read yet. Beyond it, connections are ended, those first that
   * have read least for their time. @default a quarter of the heap that Node may use (`--max-old-space-size`)
   */
  answerMemoryBytes?: number;
  /** True: WriteHttpResponse answers at once; false: the answer goes out when the burst is committed. @default false */
  writeResponseSynchronously?: boolean;
  /**
   * For endpoints that do not say (`respondAsync`): whether a request whose workflow waits before it has answered is answered
   * 202 with the URL of a status, and the answer is kept for it; else 200 without content, as by Elsa. @default false
   */
  respondAsync?: boolean;
  /** Longest time in milliseconds that a request is held which asks for that by `Prefer: wait=N`; 0: none is. @default 30000 */
  maxWaitMs?: number;
  /** Most requests that one process holds so at a time; further ones are answered 202 at once. @default 1000 */
  maxWaiting?: number;
  /** Largest content of an answer that is kept for a client, in bytes; it is part of the instance's state. @default 1000000 */
  maxKeptAnswerBytes?: number;
  /**
   * For endpoints that do not say (`idempotencyKeys`): whether requests that start a workflow and have the same
   * `Idempotency-Key` start one instance and get the same answer. @default false
   */
  idempotencyKeys?: boolean;
  /** Tells callers apart, so that one cannot use the key of another. @default `id`, `sub` or `userId` of `request.user` */
  idempotencyScope?: IdempotencyScope;
  /** Policies that endpoints may name: true lets the request in. Or a signature of a webhook, in place of a user. @default none */
  policies?: Readonly<Record<string, EndpointPolicy | WebhookSignature>>;
  /** Where a request names the workflow instance, first hit. @default header X-Workflow-Instance-ID, query workflowInstanceId */
  instanceIdSelectors?: readonly HttpIdSelector[];
  /** Where a request names the correlation id, first hit. @default header X-Correlation-ID, query correlationId */
  correlationIdSelectors?: readonly HttpIdSelector[];
  /** How long an outgoing request may take, in milliseconds. @default 100000 */
  requestTimeoutMs?: number;
  /** Largest answer to an outgoing request, in bytes; a larger one is a fault (WM5014). @default 10000000 */
  maxResponseBytes?: number;
  /** Largest file that DownloadHttpFile and WriteFileHttpResponse fetch, in bytes. @default 100000000 */
  maxDownloadBytes?: number;
  /** Most files that WriteFileHttpResponse packs into one archive; more are a fault (WM5016). @default 1000 */
  maxArchiveFiles?: number;
  /** Where outgoing requests may go. @default everywhere; the reference host: public addresses only */
  outgoing?: OutgoingAddressOptions;
  /** How `WorkflowOpenApi` describes the endpoints. @default see `EndpointOpenApiOptions` */
  openApi?: EndpointOpenApiOptions;
  /** Retry strategies that outgoing requests may name by id. @default none */
  retryStrategies?: readonly RetryStrategy[];
}

/** `HttpWorkflowsOptions` with the defaults applied, as it is under `HTTP_OPTIONS`. */
export type ResolvedHttpOptions = Readonly<Required<Omit<HttpWorkflowsOptions, 'openApi'>>> & {
  readonly openApi: Required<Omit<EndpointOpenApiOptions, 'description'>> & Pick<EndpointOpenApiOptions, 'description'>;
};

/** Token of the resolved options. */
export const HTTP_OPTIONS = Symbol.for('@waymark/http:options');

/**
 * Applies defaults and rejects values that cannot work.
 * @throws InvalidOptionError (`WM1090`), UnknownOptionError (`WM1091`)
 */
export function resolveHttpOptions(given: HttpWorkflowsOptions = {}): ResolvedHttpOptions {
  const options = checkOptions({ name: 'WorkflowModule', option: 'http' }, given, HTTP_OPTION_KINDS);
  const resolved: ResolvedHttpOptions = {
    basePath: trimmedPath(options.basePath ?? '/workflows'),
    baseUrl: (options.baseUrl ?? 'http://localhost:3000').replace(/\/+$/, ''),
    bodyBytes: options.bodyBytes ?? 30_000_000,
    defaultBodyBytes: options.defaultBodyBytes ?? Math.min(10_000_000, options.bodyBytes ?? Infinity),
    bodyValues: options.bodyValues ?? 30_000,
    bodyMemoryBytes: options.bodyMemoryBytes ?? defaultBodyMemoryBytes(),
    uploadBytes: options.uploadBytes ?? options.bodyBytes ?? 30_000_000,
    uploadMemoryBytes: options.uploadMemoryBytes ?? 1_048_576,
    uploadDiskBytes: options.uploadDiskBytes ?? Math.max(1_000_000_000, options.uploadBytes ?? 0),
    uploadDirectory: options.uploadDirectory ?? defaultUploadDirectory(),
    bodyIdleTimeoutMs: options.bodyIdleTimeoutMs ?? 30_000,
    bodyTimeoutMs: options.bodyTimeoutMs ?? 300_000,
    answerBytesPerSecond: options.answerBytesPerSecond ?? 4096,
    answerMemoryBytes: options.answerMemoryBytes ?? defaultBodyMemoryBytes(),
    writeResponseSynchronously: options.writeResponseSynchronously ?? false,
    respondAsync: options.respondAsync ?? false,
    maxWaitMs: options.maxWaitMs ?? 30_000,
    maxWaiting: options.maxWaiting ?? 1000,
    maxKeptAnswerBytes: options.maxKeptAnswerBytes ?? 1_000_000,
    idempotencyKeys: options.idempotencyKeys ?? false,
    idempotencyScope: options.idempotencyScope ?? scopeOfUser,
    policies: options.policies ?? {},
    instanceIdSelectors: options.instanceIdSelectors ?? [header('x-workflow-instance-id'), query('workflowInstanceId')],
    correlationIdSelectors: options.correlationIdSelectors ?? [header('x-correlation-id'), query('correlationId')],
    requestTimeoutMs: options.requestTimeoutMs ?? 100_000,
    maxResponseBytes: options.maxResponseBytes ?? 10_000_000,
    maxDownloadBytes: options.maxDownloadBytes ?? 100_000_000,
    maxArchiveFiles: options.maxArchiveFiles ?? 1000,
    outgoing: options.outgoing ?? {},
    retryStrategies: options.retryStrategies ?? [],
    openApi: {
      ...options.openApi,
      title: options.openApi?.title ?? 'Workflow endpoints',
      version: options.openApi?.version ?? '1.0',
      securityScheme: options.openApi?.securityScheme ?? { type: 'http', scheme: 'bearer' },
    },
  };
  OutgoingAddresses.of(resolved.outgoing);
  // "localhost:3000" is a URL as well, of the protocol "localhost:".
  if (!URL.canParse(resolved.baseUrl) || !/^https?:$/.test(new URL(resolved.baseUrl).protocol))
    throw new InvalidOptionError('WorkflowModule', 'http.baseUrl', 'an http or https URL', `'${options.baseUrl}'`);
  if (/[{}*:?#]/.test(resolved.basePath))
    throw new InvalidOptionError(
      'WorkflowModule',
      'http.basePath',
      'a path without parameters, `?` and `#`',
      `'${options.basePath}'`,
    );
  return resolved;
}

/** `''` for the root, else with a leading and no trailing slash. */
function trimmedPath(path: string): string {
  const inner = path.trim().replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}

const header =
  (name: string): HttpIdSelector =>
  (request) =>
    request.header(name);

const query =
  (name: string): HttpIdSelector =>
  (request) =>
    request.queryValue(name);
