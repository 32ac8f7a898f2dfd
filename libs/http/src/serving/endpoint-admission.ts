import { Inject, Injectable } from '@nestjs/common';
import { asksForUser, type HttpEndpointPayload } from '../endpoint/endpoint-payload.js';
import { RuntimeGate, WorkflowClock } from '@waymark/runtime';
import { givenKey } from '../idempotency/idempotency-key.js';
import { IdempotentStarts } from '../idempotency/idempotent-starts.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import type { AdapterExchange } from '../requests/adapter-exchange.js';
import type { BodyLimits, RequestBody } from '../requests/request-body.js';
import { jsonResponse, rejectionResponse } from '../requests/rejection.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';
import type { WebhookSignature } from '../signatures/webhook-signature.js';
import { type SignedEndpoint, WebhookSignatures } from '../signatures/webhook-signatures.js';
import { EndpointThrottle } from '../throttling/endpoint-throttle.js';
import { UploadFiles } from '../uploads/upload-files.js';
import { HttpEndpointAuthorizer } from './endpoint-authorizer.js';
import { bodyLimitsOf, deadlineOf } from './endpoint-input.js';
import { type Endpoint, EndpointFinder } from './find-endpoint.js';

/** An endpoint that a request can start or resume. */
export type Reachable = Extract<Endpoint, { kind: 'resume' | 'start' }>;

/** A request that is let in: what it leads to, and its body. */
export interface Admitted {
  readonly endpoint: Reachable;
  readonly body: RequestBody;
}

/**
 * Decides whether a request is let in, before a bookmark is consumed or an instance made: how many there were, then user or
 * signature, then the body, then whether it has been here before.
 */
@Injectable()
export class EndpointAdmission {
  private readonly bodyLimits: BodyLimits;

  constructor(
    private readonly finder: EndpointFinder,
    private readonly authorizer: HttpEndpointAuthorizer,
    private readonly signatures: WebhookSignatures,
    private readonly idempotent: IdempotentStarts,
    private readonly throttle: EndpointThrottle,
    clock: WorkflowClock,
    gate: RuntimeGate,
    files: UploadFiles,
    @Inject(HTTP_OPTIONS) options: ResolvedHttpOptions,
  ) {
    this.bodyLimits = {
      ...bodyLimitsOf(options),
      deadline: deadlineOf(options, clock, gate),
      uploads: {
        files,
        bytes: options.uploadBytes,
        memoryBytes: options.uploadMemoryBytes,
        hasKey: (request) => givenKey(request, options.idempotencyKeySelectors) !== undefined,
      },
    };
  }

  /**
   * At once where there is nothing to ask, as for most requests: a promise in between costs each as much as an activity.
   * @returns the response to a request that goes no further
   * @throws RequestAbortedError
   */
  admit(
    exchange: AdapterExchange,
    endpoint: Reachable,
  ): Admitted | PreparedResponse | Promise<Admitted | PreparedResponse> {
    const { payload } = endpoint;
    const signature = this.signatures.of(payload);
    const hasKey = endpoint.kind === 'start' && this.idempotent.areKept(payload);
    // Taken once: a body that a parser of the application has read is written again for it.
    return payload.rateLimit || asksForUser(payload) || signature || hasKey || exchange.request.hasBody
      ? this.examine(exchange, endpoint, signature)
      : { endpoint, body: exchange.body(this.bodyLimits) };
  }

  private async examine(
    exchange: AdapterExchange,
    endpoint: Reachable,
    signature: WebhookSignature | undefined,
  ): Promise<Admitted | PreparedResponse> {
    const { payload } = endpoint;
    // Before anything else, so that attempts which are refused count as well.
    const tooMany = payload.rateLimit && (await this.throttle.refusal(exchange, payload));
    if (tooMany) return tooMany;
    if (asksForUser(payload) && !signature && !(await this.isAuthorized(exchange, endpoint)))
      return unauthorized(payload);
    const body = exchange.body(this.bodyLimits);
    let admitted: Admitted | PreparedResponse | undefined;
    try {
      admitted = await this.examineBody(exchange, endpoint, body, signature);
      return admitted;
    } finally {
      if (!admitted || 'status' in admitted) body.discard();
    }
  }

  private async examineBody(
    exchange: AdapterExchange,
    endpoint: Reachable,
    body: RequestBody,
    signature: WebhookSignature | undefined,
  ): Promise<Admitted | PreparedResponse> {
    const { payload } = endpoint;
    // Before anything is made of a body that a stranger may have sent.
    const unsigned = signature && (await this.signatureRefusal(signature, exchange, endpoint, body));
    if (unsigned) return unsigned;
    if (body.isPresent) {
      const { rejection } = await body.examine(payload);
      const isHandled = rejection?.outcome !== undefined && payload.exposedOutcomes?.includes(rejection.outcome);
      if (rejection && !isHandled) return rejectionResponse(rejection);
    }
    return endpoint.kind === 'start' ? this.admitStart(exchange, endpoint, body) : { endpoint, body };
  }

  private async admitStart(
    { request }: AdapterExchange,
    endpoint: Extract<Endpoint, { kind: 'start' }>,
    body: RequestBody,
  ): Promise<Admitted | PreparedResponse> {
    const { payload, trigger, routeValues } = endpoint;
    if (!this.idempotent.areKept(payload)) return { endpoint, body };
    const { workflowInstanceId } = this.finder.idsOf(request);
    const start = await this.idempotent.read(request, body, payload, trigger, workflowInstanceId);
    if (!start) return { endpoint, body };
    if ('status' in start) return start;
    const replay = await this.idempotent.replay(start, request, payload);
    if (!replay) return { endpoint: { ...endpoint, once: start }, body };
    if (replay.kind === 'answer') return replay.response;
    const { bookmark, token } = replay;
    return { endpoint: { kind: 'resume', bookmark, payload, routeValues, token }, body };
  }

  private async signatureRefusal(
    signature: WebhookSignature,
    exchange: AdapterExchange,
    endpoint: Reachable,
    body: RequestBody,
  ): Promise<PreparedResponse | undefined> {
    const missing = this.signatures.refusalUnread(signature, exchange.request);
    if (missing) return missing;
    // Asked before it is read.
    const { hasRawBody } = exchange;
    const bytes = await body.raw(endpoint.payload);
    if (bytes)
      return this.signatures.refusal(signature, exchange.request, hasRawBody ? bytes : undefined, whose(endpoint));
    // Too large to be checked: it counts as not signed, even where the workflow handles bodies that are too large.
    const { rejection } = await body.examine(endpoint.payload);
    if (rejection) return rejectionResponse(rejection);
    // A body that cannot be read is not signed.
    return unauthorized(endpoint.payload);
  }

  private isAuthorized({ request }: AdapterExchange, endpoint: Reachable): boolean | Promise<boolean> {
    return this.authorizer.authorize({ request, policy: endpoint.payload.policy, ...whose(endpoint) });
  }
}

/** Does not tell a user who is not known from one without the policy, nor names the policy. */
const unauthorized = ({ method, path }: HttpEndpointPayload): PreparedResponse =>
  jsonResponse(401, {
    code: 'WM5063',
    message: `${method.toUpperCase()} ${path} requires a user whom its policy admits. Sign in, or use an account that it admits.`,
  });

const whose = (endpoint: Reachable): SignedEndpoint =>
  endpoint.kind === 'start'
    ? { workflowDefinitionId: endpoint.trigger.workflowDefinitionId }
    : { workflowInstanceId: endpoint.bookmark.workflowInstanceId };
