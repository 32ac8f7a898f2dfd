import { Inject, Injectable } from '@nestjs/common';
import {
  type ActivityExecutionContext,
  Input,
  Output,
  Trigger,
  TriggerBase,
  type TriggerIndexingContext,
  type TimeSpanInput,
} from '@waymark/core';
import { CONTINUES_BURST } from '@waymark/core/adapter';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import type { HttpFile } from '../requests/http-file.js';
import type { HttpRequestData } from '../requests/http-request.js';
import { HttpRequestContext } from '../requests/http-request-context.js';
import type { TextMap } from '../requests/multi-map.js';
import { type Rejection, rejectionResponse } from '../requests/rejection.js';
import { type BodyVerdict, NO_BODY } from '../requests/request-body.js';
import { readRateLimit } from '../throttling/endpoint-rate-limit.js';
import { EndpointThrottle } from '../throttling/endpoint-throttle.js';
import { parseTemplate } from '../routing/route-template.js';
import { boundTypeOf } from './bound-type.js';
import {
  CROSS_BOUNDARY_METADATA,
  exclusiveKeyOf,
  hashInputOf,
  HTTP_ENDPOINT,
  type HttpEndpointPayload,
} from './endpoint-payload.js';
import { bodyRules, buildPayloads, exposedOutcomes } from './build-payloads.js';
import { RequestRejectedError } from './endpoint-errors.js';
import { requireFewExpressions } from './require-few-expressions.js';
import { requirePath, requireReachable } from './require-reachable.js';
import { routeValuesFor, withOriginalNames } from './route-values.js';
import { pathOfWritten } from './written-path.js';

const UPLOAD = { category: 'Upload', order: 0 };
const OUTCOME = { type: 'Boolean', isWrapped: false, category: 'Outcomes', defaultValue: undefined, order: 0 };
/** Elsa's list, and what it leaves out although its endpoints take it as well. */
const METHODS = ['GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'PATCH', 'OPTIONS'].map((value) => ({ text: value, value }));

/**
 * Starts a workflow with an HTTP request, or waits in the middle of a workflow for one.
 *
 * The body is read and checked against the rules of the endpoint before a bookmark is consumed or an instance is created. This
 * class only applies the result.
 */
@Injectable()
@Trigger({
  type: HTTP_ENDPOINT,
  category: 'HTTP',
  displayName: 'HTTP Endpoint',
  description: 'Starts the workflow with an HTTP request to a path, or waits for such a request.',
})
export class HttpEndpoint extends TriggerBase {
  /** Path, with parameters in braces: orders/{id}. */
  @Input({
    type: 'String',
    uiHint: 'singleline',
    description: 'Path, with parameters in braces: orders/{id}.',
    order: 0,
  })
  path: string | null;

  /** Methods that it accepts. @default `GET` */
  @Input({
    type: 'List<String>',
    uiHint: 'checklist',
    // Studio ticks what it finds here, and reads a list only as an Object expression.
    defaultValue: ['GET'],
    defaultSyntax: 'Object',
    uiSpecifications: { checklist: { checkList: { items: METHODS, isFlagsEnum: false } } },
    description: 'HTTP methods that it answers. Default: GET.',
    order: 0,
  })
  supportedMethods: readonly string[] | null;

  /** Requires an authenticated user. */
  @Input({
    type: 'Boolean',
    category: 'Security',
    description: 'Requires an authenticated user.',
    // `yes` would be read as false, and the endpoint be open to all.
    isStrict: true,
    order: 0,
  })
  authorize: boolean | null;

  /** Policy that the user must satisfy. */
  @Input({ type: 'String', category: 'Security', description: 'Policy that the user must satisfy.', order: 0 })
  policy: string | null;

  /** Time limit of the request. */
  @Input({ type: 'TimeSpan', isNonNegative: true, ...UPLOAD, description: 'Time limit of the request.' })
  requestTimeout: TimeSpanInput | null;

  /** Maximum size of the request, in bytes. */
  @Input({ type: 'Int64', ...UPLOAD, description: 'Maximum size of the request, in bytes.' })
  requestSizeLimit: number | bigint | null;

  /** Maximum size of a file, in bytes. */
  @Input({ type: 'Int64', ...UPLOAD, description: 'Maximum size of a file, in bytes.' })
  fileSizeLimit: number | bigint | null;

  /** Allowed file extensions, with the dot. */
  @Input({
    type: 'List<String>',
    uiHint: 'multitext',
    ...UPLOAD,
    description: 'Allowed file extensions, with the dot.',
  })
  allowedFileExtensions: readonly string[] | null;

  /** Blocked file extensions, with the dot. */
  @Input({
    type: 'List<String>',
    uiHint: 'multitext',
    ...UPLOAD,
    description: 'Blocked file extensions, with the dot.',
  })
  blockedFileExtensions: readonly string[] | null;

  /** Allowed MIME types. */
  @Input({ type: 'List<String>', uiHint: 'multitext', ...UPLOAD, description: 'Allowed MIME types.' })
  allowedMimeTypes: readonly string[] | null;

  /**
   * Answers 202 with a status URL when the workflow suspends before it has answered; Prefer: wait=N waits for the answer.
   */
  @Input({
    type: 'Boolean',
    category: 'Answer',
    description:
      'Answers 202 with a status URL when the workflow suspends before it has answered; Prefer: wait=N waits for the answer.',
    order: 0,
    isOmittedUnset: true,
  })
  respondAsync: boolean | null;

  /** Requests with the same Idempotency-Key start one instance, and get the same answer. */
  @Input({
    type: 'Boolean',
    category: 'Answer',
    description: 'Requests with the same Idempotency-Key start one instance, and get the same answer.',
    order: 0,
    isOmittedUnset: true,
  })
  idempotencyKeys: boolean | null;

  /**
   * Answers 400 with the code and the message of the fault when inputs of an activity break their rules (`WM2005`) or do not
   * fit their types (`WM2001`) before the workflow has answered. @default false: 500 without content
   */
  @Input({
    type: 'Boolean',
    category: 'Answer',
    description: 'Answers 400 with the reason when inputs of an activity are invalid. Otherwise the answer is 500.',
    order: 0,
    isOmittedUnset: true,
  })
  rejectInvalidInputs?: boolean | null;

  /** Adds an outcome for requests that are too large. */
  @Input({ ...OUTCOME, description: 'Adds an outcome for requests that are too large.' })
  exposeRequestTooLargeOutcome?: boolean;
  /** Adds an outcome for files that are too large. */
  @Input({ ...OUTCOME, description: 'Adds an outcome for files that are too large.' })
  exposeFileTooLargeOutcome?: boolean;
  /** Adds an outcome for refused extensions. */
  @Input({ ...OUTCOME, description: 'Adds an outcome for refused extensions.' })
  exposeInvalidFileExtensionOutcome?: boolean;
  /** Adds an outcome for refused MIME types. */
  @Input({ ...OUTCOME, description: 'Adds an outcome for refused MIME types.' })
  exposeInvalidFileMimeTypeOutcome?: boolean;

  /** The parsed body: the fields of a form, or the content by its type. */
  @Output({
    type: 'Object',
    description: 'The parsed body: the fields of a form, or the content by its type.',
    order: 0,
  })
  parsedContent: unknown;
  /** Uploaded files. */
  @Output({ type: 'FormFile[]', isSerializable: false, description: 'Uploaded files.', order: 0 })
  files?: readonly HttpFile[];
  /** The first uploaded file. */
  @Output({ type: 'FormFile', isSerializable: false, description: 'The first uploaded file.', order: 0 })
  file?: HttpFile;
  /** Path parameters, with names in lower case; a catch-all one that takes nothing is null. */
  @Output({ type: 'ObjectDictionary', description: 'Path parameters, with names in lower case.', order: 0 })
  routeData?: Record<string, string>;
  /** The query. */
  @Output({ type: 'ObjectDictionary', description: 'The query.', order: 0 }) queryStringData?: TextMap;
  /** The headers, with names as they were sent. */
  @Output({ type: 'ObjectDictionary', description: 'The headers, with names as they were sent.', order: 0 })
  headers?: TextMap;
  /** The request. */
  @Output({ type: 'HttpRequest', isSerializable: false, description: 'The request.', order: 0 })
  result?: HttpRequestData;

  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    private readonly throttle: EndpointThrottle,
  ) {
    super();
  }

  getTriggerPayloads({ execution }: TriggerIndexingContext): HttpEndpointPayload[] | Promise<HttpEndpointPayload[]> {
    requireReachable(this);
    requirePath(this);
    requireFewExpressions(execution.workflow.graph, execution.node, this.path ?? '');
    return this.payloads(execution);
  }

  override getExclusiveKey(payload: HttpEndpointPayload): string | undefined {
    return exclusiveKeyOf(payload);
  }

  override getHashInput(payload: HttpEndpointPayload): unknown {
    return hashInputOf(payload);
  }

  execute(ctx: ActivityExecutionContext): unknown {
    // A start that is repeated has no request any more: it waits for another one.
    const isAgain = ctx.workflow.repeatsStart && !HttpRequestContext.of(ctx);
    return ctx.isTriggerOfWorkflow() && !isAgain ? this.handle(ctx) : this.wait(ctx);
  }

  /** Called by the engine when a request has come. */
  onResume(ctx: ActivityExecutionContext): unknown {
    return this.handle(ctx);
  }

  private wait(ctx: ActivityExecutionContext): void | Promise<void> {
    requireReachable(this);
    // Publishing checks the paths of triggers only. With a path that is not a template, the instance would wait for requests that cannot come.
    parseTemplate(pathOfWritten(this.path ?? ''));
    const payloads = this.payloads(ctx);
    return payloads instanceof Promise ? payloads.then((all) => this.open(ctx, all)) : this.open(ctx, payloads);
  }

  /** At once where no limit is declared. @throws RateLimitFormatError (`WM5061`), ThrottlerMissingError (`WM5060`) */
  private payloads(ctx: ActivityExecutionContext): HttpEndpointPayload[] | Promise<HttpEndpointPayload[]> {
    const { id, customProperties } = ctx.node;
    const rateLimit = readRateLimit(customProperties, id);
    const payloads = buildPayloads(this, boundTypeOf(ctx, 'ParsedContent'), rateLimit);
    return rateLimit ? this.throttle.requireThrottler(id).then(() => payloads) : payloads;
  }

  private open(ctx: ActivityExecutionContext, payloads: readonly HttpEndpointPayload[]): void {
    for (const payload of payloads)
      ctx.createBookmark({
        stimulus: payload,
        hashInput: hashInputOf(payload),
        name: HTTP_ENDPOINT,
        callback: this.onResume,
      });
  }

  private handle(ctx: ActivityExecutionContext): unknown {
    const http = HttpRequestContext.of(ctx);
    if (!http) {
      ctx.createBookmark({
        name: HTTP_ENDPOINT,
        metadata: { ...CROSS_BOUNDARY_METADATA, [CONTINUES_BURST]: 'true' },
        includeActivityInstanceId: true,
        callback: this.onResume,
      });
      return undefined;
    }
    http.take(ctx.workflow);
    const { request } = http;
    this.result = request.toData();
    const values = http.routeValues ?? routeValuesFor(this.path ?? '', ctx.getInput('Path'), this.options.basePath);
    this.routeData = withOriginalNames(values, this.path) as Record<string, string>;
    this.queryStringData = request.query;
    this.headers = request.headers;
    ctx.workflow.secrets.noteReceivedHeaders(this.headers);
    ctx.workflow.secrets.noteReceived(this.queryStringData);
    const verdict = http.body.isPresent
      ? http.body.examine(bodyRules(this, boundTypeOf(ctx, 'ParsedContent')))
      : NO_BODY;
    return verdict instanceof Promise
      ? verdict.then((v) => this.conclude(ctx, http, v))
      : this.conclude(ctx, http, verdict);
  }

  private conclude(ctx: ActivityExecutionContext, http: HttpRequestContext, verdict: BodyVerdict): unknown {
    if (verdict.rejection) return this.reject(ctx, http, verdict.rejection);
    this.parsedContent = verdict.content;
    ctx.workflow.secrets.noteContent(verdict.content);
    const [first] = verdict.files ?? [];
    if (first) {
      this.files = verdict.files!;
      this.file = first;
    }
    return ctx.complete();
  }

  /** Who asked gets the answer, and the instance ends as faulted instead of waiting without end. */
  private reject(ctx: ActivityExecutionContext, http: HttpRequestContext, rejection: Rejection): unknown {
    if (rejection.outcome && exposedOutcomes(this).includes(rejection.outcome))
      return ctx.completeWithOutcomes(rejection.outcome);
    http.response.write(rejectionResponse(rejection));
    throw new RequestRejectedError(rejection);
  }
}
