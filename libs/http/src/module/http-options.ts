import { InvalidOptionError } from '@waymark/core';
import { checkOptions, withoutCredentials } from '@waymark/core/adapter';
import { defaultBodyMemoryBytes } from '@waymark/runtime/adapter';
import { type OutgoingAddressOptions, OutgoingAddresses } from '../client/outgoing-addresses.js';
import { type IdempotencyScope, scopeOfUser } from '../idempotency/idempotency-key.js';
import type { WebhookSignature } from '../signatures/webhook-signature.js';
import { defaultUploadDirectory } from '../uploads/upload-directory.js';
import type { HttpIdSelector } from '../requests/request-ids.js';
import type { EndpointPolicy } from '../serving/endpoint-authorizer.js';
import type { RetryStrategy } from '../client/retry-strategy.js';
import { HTTP_OPTION_KINDS } from './http-option-kinds.js';

/** Settings of the OpenAPI document of the endpoints. */
export interface EndpointOpenApiOptions {
  /** Title of the document. @default 'Workflow endpoints' */
  readonly title?: string | undefined;
  /** Version of the document, chosen by the application. @default '1.0' */
  readonly version?: string | undefined;
  /** Description of the document, in Markdown. @default none */
  readonly description?: string | undefined;
  /**
   * OpenAPI security scheme of endpoints with `authorize`. It must match the guards of the application. @default `{ type:
   * 'http', scheme: 'bearer' }`
   */
  readonly securityScheme?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of HTTP workflows. All of them have defaults. */
export interface HttpWorkflowsOptions {
  /**
   * Path below which all endpoints are served; it is reserved for workflows. If empty, endpoints are served beside the routes
   * of the application, which take precedence. @default '/workflows'
   */
  basePath?: string | undefined;
  /** Absolute URL of this server as clients see it, with its path if it has one. @default 'http://localhost:3000' */
  baseUrl?: string | undefined;
  /** Maximum size of a request body in bytes; an endpoint may set a lower limit, but not a higher one. @default 30000000 */
  bodyBytes?: number | undefined;
  /**
   * Maximum size of a request body in bytes for endpoints without a `requestSizeLimit`. Reading and storing a body blocks the
   * process for about 10 ms for each megabyte. @default 10000000, or `bodyBytes` if that is less
   */
  defaultBodyBytes?: number | undefined;
  /**
   * Maximum number of JSON values (members, items, and the lists and objects that contain them) in the body of a request. The
   * cost of processing and storing a body grows with their number. @default 30000
   */
  bodyValues?: number | undefined;
  /**
   * Memory in bytes that the bodies of requests may take in this process at the same time, of endpoints and of the management
   * API; further ones are answered 503 before they are read. A byte of JSON or of an encoded form counts as 6, of text and of a
   * multipart form (without what is in a temporary file) as 4, of anything else as 3. A quarter of it is reserved for bodies of
   * up to 64 KiB; a single large body is always accepted. @default a quarter of the heap that Node may use
   * (`--max-old-space-size`)
   */
  bodyMemoryBytes?: number | undefined;
  /**
   * Maximum size of a multipart request in bytes, with all its files; an endpoint may set a lower limit, but not a higher one.
   * Such a request is not held in memory, so it may be larger than others. @default `bodyBytes`
   */
  uploadBytes?: number | undefined;
  /**
   * Size in bytes above which the files of a multipart request are kept in a temporary file until the end of its burst.
   * @default 1048576
   */
  uploadMemoryBytes?: number | undefined;
  /**
   * Disk space for concurrent uploads, in bytes; further ones are answered 503. @default 1000000000, or `uploadBytes` if that
   * is more
   */
  uploadDiskBytes?: number | undefined;
  /**
   * Folder for temporary files, made if it is not there. @default `waymark-uploads-<user>` in the system's temporary folder,
   * for this user alone
   */
  uploadDirectory?: string | undefined;
  /** How long a client may pause while it sends a body, in milliseconds, before the request is answered 408. @default 30000 */
  bodyIdleTimeoutMs?: number | undefined;
  /** How long a body may take to arrive, in milliseconds, before the request is answered 408. @default 300000 */
  bodyTimeoutMs?: number | undefined;
  /**
   * How many bytes per second a client must read of an answer, apart from 30 s in which it may pause. Slower clients are
   * disconnected, since their answers take memory until they are read. @default 4096
   */
  answerBytesPerSecond?: number | undefined;
  /**
   * Memory in bytes for answers that their clients have not read yet. Beyond it, connections are ended, beginning with those
   * that have read least for their time. @default a quarter of the heap that Node may use (`--max-old-space-size`)
   */
  answerMemoryBytes?: number | undefined;
  /**
   * If true, WriteHttpResponse sends the answer at once; if false, the answer is sent when the burst is committed. @default false
   */
  writeResponseSynchronously?: boolean | undefined;
  /**
   * Default of the input `respondAsync` of endpoints. If true, a request whose workflow waits before it has answered is
   * answered 202 with a status URL, and the answer is kept for it; if false, it is answered 200 without content, as by Elsa.
   * @default false
   */
  respondAsync?: boolean | undefined;
  /**
   * Maximum time in milliseconds for which a request with `Prefer: wait=N` waits for its answer; 0 disables waiting. @default
   * 30000
   */
  maxWaitMs?: number | undefined;
  /** Maximum number of requests that wait so in one process; further ones are answered 202 at once. @default 1000 */
  maxWaiting?: number | undefined;
  /**
   * Maximum size of the content of an answer that is kept for a client, in bytes; it is part of the state of the instance.
   * @default 1000000
   */
  maxKeptAnswerBytes?: number | undefined;
  /**
   * Default of the input `idempotencyKeys` of endpoints. If true, requests that start a workflow with the same
   * `Idempotency-Key` start one instance and get the same answer. @default false
   */
  idempotencyKeys?: boolean | undefined;
  /**
   * Identifies the caller of a request, so that one caller cannot use the key of another. @default `id`, `sub` or `userId` of
   * `request.user`
   */
  idempotencyScope?: IdempotencyScope | undefined;
  /**
   * Functions that read the idempotency key from a request, before its body is read; the first result is used. For senders that name
   * their deliveries otherwise, such as GitHub: `[(request) => request.header('x-github-delivery')]`. @default header Idempotency-Key
   */
  idempotencyKeySelectors?: readonly HttpIdSelector[] | undefined;
  /**
   * Policies that endpoints may name: functions that return true to accept a request, or `webhookSignature(…)`. @default none
   */
  policies?: Readonly<Record<string, EndpointPolicy | WebhookSignature>> | undefined;
  /**
   * Functions that read the workflow instance id from a request; the first result is used. @default header
   * X-Workflow-Instance-ID, query workflowInstanceId
   */
  instanceIdSelectors?: readonly HttpIdSelector[] | undefined;
  /**
   * Functions that read the correlation id from a request; the first result is used. @default header X-Correlation-ID, query
   * correlationId
   */
  correlationIdSelectors?: readonly HttpIdSelector[] | undefined;
  /** How long an outgoing request may take, in milliseconds. @default 100000 */
  requestTimeoutMs?: number | undefined;
  /**
   * Maximum size of an answer to an outgoing request, in bytes; a larger one faults the activity (WM5014). @default 10000000
   */
  maxResponseBytes?: number | undefined;
  /**
   * How many JSON values (members, items, lists and objects) the answer to an outgoing request may hold where its output is bound as data; more
   * fault the activity (WM5006). Bound to a variable of type String, the answer is not parsed, and has no such limit. Distinct member names, which cost
   * more, are limited in proportion: 30,000 by default. @default 250000
   */
  maxResponseValues?: number | undefined;
  /**
   * Maximum size of a file that DownloadHttpFile and WriteFileHttpResponse fetch, and of all files that WriteFileHttpResponse packs into one
   * archive (WM5016), in bytes. @default 100000000
   */
  maxDownloadBytes?: number | undefined;
  /**
   * Maximum number of files that WriteFileHttpResponse packs into one archive; more fault the activity (WM5016). @default 1000
   */
  maxArchiveFiles?: number | undefined;
  /** The addresses to which outgoing requests are allowed. @default everywhere; the reference host: public addresses only */
  outgoing?: OutgoingAddressOptions | undefined;
  /** How `WorkflowOpenApi` describes the endpoints. @default see `EndpointOpenApiOptions` */
  openApi?: EndpointOpenApiOptions | undefined;
  /** Retry strategies that outgoing requests may name by id. @default none */
  retryStrategies?: readonly RetryStrategy[] | undefined;
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
    idempotencyKeySelectors: options.idempotencyKeySelectors ?? [header('idempotency-key')],
    policies: options.policies ?? {},
    instanceIdSelectors: options.instanceIdSelectors ?? [header('x-workflow-instance-id'), query('workflowInstanceId')],
    correlationIdSelectors: options.correlationIdSelectors ?? [header('x-correlation-id'), query('correlationId')],
    requestTimeoutMs: options.requestTimeoutMs ?? 100_000,
    maxResponseBytes: options.maxResponseBytes ?? 10_000_000,
    maxResponseValues: options.maxResponseValues ?? 250_000,
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
    throw new InvalidOptionError(
      'WorkflowModule',
      'http.baseUrl',
      'an http or https URL',
      `'${withoutCredentials(resolved.baseUrl)}'`,
    );
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
