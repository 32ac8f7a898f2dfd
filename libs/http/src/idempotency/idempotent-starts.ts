import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { WorkflowState } from '@waymark/core';
import { WorkflowPersistence, type StoredBookmark, type StoredTrigger } from '@waymark/runtime';
import { idOfRequest, SealedProperties, toStoredBookmark, WorkflowLogger } from '@waymark/runtime/adapter';
import {
  asksForUser,
  CROSS_BOUNDARY_METADATA,
  HTTP_ENDPOINT,
  type HttpEndpointPayload,
} from '../endpoint/endpoint-payload.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { isAnswered, KEPT_REQUESTS, type KeptRequest, keptRequests } from '../pending/kept-requests.js';
import { PendingRequests } from '../pending/pending-requests.js';
import { RequestToken } from '../pending/request-token.js';
import type { HttpRequest } from '../requests/http-request.js';
import type { RequestBody } from '../requests/request-body.js';
import { jsonResponse } from '../requests/rejection.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';
import { invalidInputs } from '../serving/fault-handler.js';
import { WebhookSignatures } from '../signatures/webhook-signatures.js';
import {
  callerOf,
  fingerprintOf,
  issuerOf,
  readIdempotencyKey,
  requestKeyOf,
  scopeOfUser,
  userOf,
} from './idempotency-key.js';
import { forgottenAnswer, OTHER_CALLER, renewedAnswers } from './repeated-answers.js';

/** A start that happens once, however often its request comes. */
export interface IdempotentStart {
  readonly workflowInstanceId: string;
  readonly requestKey: string;
  readonly fingerprint: string;
  /** Of a form with files: the same when it is sent again with another boundary, as clients do. */
  readonly formFingerprint?: string;
  readonly salt: string;
  /** Whether callers whose id is not known share the key. */
  readonly isShared: boolean;
  /** Then, the credentials of this one. */
  readonly caller?: string;
  /** And the id of its user; of a caller whose id is known, who has issued it. */
  readonly user?: string;
  /** Whether the endpoint asks for a user, so that one who cannot be distinguished from others gets no answer to another request. */
  readonly isForUsers: boolean;
  readonly token: RequestToken;
}

/** What a request leads to whose key was used before. */
export type Replay =
  | { readonly kind: 'answer'; readonly response: PreparedResponse }
  /** The instance waits for a request: the node of the first one died before it was served. */
  | { readonly kind: 'resume'; readonly bookmark: StoredBookmark; readonly token: RequestToken };

const REPLAYED = ['Idempotent-Replayed', 'true'] as const;

/**
 * Starts by requests with an `Idempotency-Key`. The key decides the id of the instance (as a request key does everywhere),
 * is claimed by a commit before anything runs, and the instance keeps a fingerprint of the request and its answer.
 */
@Injectable()
export class IdempotentStarts implements OnModuleInit {
  private readonly logger = new WorkflowLogger('IdempotentStarts');
  private hasWarned = false;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly pending: PendingRequests,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    private readonly sealed: SealedProperties,
    private readonly signatures: WebhookSignatures,
  ) {}

  onModuleInit(): void {
    this.sealed.add(KEPT_REQUESTS, renewedAnswers);
  }

  /** Whether keys have a meaning at an endpoint. */
  areKept({ idempotencyKeys }: HttpEndpointPayload): boolean {
    return idempotencyKeys ?? this.options.idempotencyKeys;
  }

  /**
   * What the key of a request makes of its start: undefined without one; a response for one that is malformed.
   * @param instanceId that the request itself names
   */
  async read(
    request: HttpRequest,
    body: RequestBody,
    payload: HttpEndpointPayload,
    { workflowDefinitionId }: StoredTrigger,
    instanceId: string | undefined,
  ): Promise<IdempotentStart | PreparedResponse | undefined> {
    const given = readIdempotencyKey(request, this.options.idempotencyKeySelectors);
    if (given === undefined) return undefined;
    if (given === 'malformed') return MALFORMED;
    const scope = this.options.idempotencyScope(request);
    const requestKey = requestKeyOf(workflowDefinitionId, payload, scope, given.key);
    const { bytes, form } = await body.digest();
    const salt = RequestToken.newSalt();
    const isShared = scope === undefined;
    const caller = isShared ? callerOf(request, salt, requestKey) : undefined;
    const user = isShared ? userOf(request, salt, requestKey) : this.issuer(request, salt, requestKey);
    return {
      workflowInstanceId: instanceId ?? idOfRequest(requestKey),
      requestKey,
      fingerprint: fingerprintOf(request, bytes),
      ...(form !== undefined && { formFingerprint: fingerprintOf(request, form) }),
      salt,
      isShared,
      isForUsers: asksForUser(payload) && !this.signatures.of(payload),
      ...(caller !== undefined && { caller }),
      ...(user !== undefined && { user }),
      token: RequestToken.derive(salt, requestKey),
    };
  }

  /** What the new instance keeps of its request, from its first commit on. */
  properties(start: IdempotentStart, payload: HttpEndpointPayload): Record<string, unknown> {
    const { token, fingerprint, formFingerprint, salt, caller, user } = start;
    const isAwaited = this.pending.isKept(payload);
    const form = formFingerprint === undefined ? {} : { formFingerprint };
    const by = { ...(caller !== undefined && { caller }), ...(user !== undefined && { user }) };
    const request: KeptRequest = { token: token.hash, isAwaited, start: { fingerprint, ...form, salt, ...by } };
    return { [KEPT_REQUESTS]: [request] };
  }

  /** Undefined when the key is new. @param payload of the endpoint, which says how invalid inputs were answered */
  async replay(
    start: IdempotentStart,
    request: HttpRequest,
    payload: HttpEndpointPayload,
  ): Promise<Replay | undefined> {
    const state = (await this.persistence.instances.load(start.workflowInstanceId))?.state;
    const kept = keptRequests(state?.properties).find((one) => one.start);
    if (!state || !kept?.start) return undefined;
    const token = RequestToken.derive(kept.start.salt, start.requestKey);
    // Of an instance whose id the request names: it was started under another key.
    if (token.hash !== kept.token) return undefined;
    if (!isSameRequest(kept.start, start)) return { kind: 'answer', response: MISUSED };
    if (this.isOfOther(kept.start, start, request)) return { kind: 'answer', response: OTHER_CALLER };
    const bookmark = kept.isTaken ? undefined : state.bookmarks.find(isLeftBehind);
    if (bookmark) return { kind: 'resume', bookmark: toStoredBookmark(bookmark, state.id, state.correlationId), token };
    const response = await this.responseOf(state, kept, request, token, payload);
    return { kind: 'answer', response: { ...response, headers: [...response.headers, REPLAYED] } };
  }

  /**
   * The answer to a request whose start was refused, since another one with its key came first.
   * @param starter the instance that has the key, if it is known
   */
  async overtaken(
    start: IdempotentStart,
    request: HttpRequest,
    payload: HttpEndpointPayload,
    starter?: string,
  ): Promise<PreparedResponse> {
    const workflowInstanceId = starter ?? start.workflowInstanceId;
    const replay = await this.replay({ ...start, workflowInstanceId }, request, payload);
    if (!replay) return forgottenAnswer();
    return replay.kind === 'answer' ? replay.response : UNDER_WAY;
  }

  /** Undefined where the application itself says what distinguishes callers. */
  private issuer(request: HttpRequest, salt: string, requestKey: string): string | undefined {
    return this.options.idempotencyScope === scopeOfUser ? issuerOf(request, salt, requestKey) : undefined;
  }

  private isOfOther(
    { caller, user, salt }: NonNullable<KeptRequest['start']>,
    start: IdempotentStart,
    request: HttpRequest,
  ): boolean {
    if (!start.isShared) return user !== undefined && user !== this.issuer(request, salt, start.requestKey);
    const own = callerOf(request, salt, start.requestKey);
    if (user !== undefined && user !== userOf(request, salt, start.requestKey)) return true;
    if (!start.isForUsers || (caller !== undefined && own !== undefined)) {
      // A request without credentials got nothing that is not for everybody.
      return caller !== undefined && caller !== own;
    }
    if (own === undefined && !this.hasWarned) {
      this.hasWarned = true;
      this.logger.warn(
        `Users of ${request.method} ${request.path} cannot be distinguished, so a repeated Idempotency-Key is answered 409 (WM5046). ` +
          "Set the option 'http.idempotencyScope' to what identifies a user.",
      );
    }
    return true;
  }

  private async responseOf(
    state: WorkflowState,
    kept: KeptRequest,
    request: HttpRequest,
    token: RequestToken,
    { rejectInvalidInputs }: HttpEndpointPayload,
  ): Promise<PreparedResponse> {
    if (isAnswered(kept)) return this.pending.kept(kept, state.id);
    if (state.status === 'Finished')
      return (rejectInvalidInputs && invalidInputs(state.incidents)) || this.pending.ended(state);
    if (kept.isAwaited) return this.pending.answer(request, state.id, token);
    // It was answered so when it began to wait.
    return state.subStatus === 'Suspended' && !state.isExecuting ? { status: 200, headers: [] } : UNDER_WAY;
  }
}

/** A node of the version before knows a form by its bytes alone. */
function isSameRequest(
  kept: NonNullable<KeptRequest['start']>,
  { fingerprint, formFingerprint }: IdempotentStart,
): boolean {
  if (kept.fingerprint === fingerprint) return true;
  return formFingerprint !== undefined && kept.formFingerprint === formFingerprint;
}

function isLeftBehind({ name, metadata }: WorkflowState['bookmarks'][number]): boolean {
  return name === HTTP_ENDPOINT && Object.keys(CROSS_BOUNDARY_METADATA).every((key) => metadata?.[key] !== undefined);
}

const MALFORMED = jsonResponse(400, {
  code: 'WM5043',
  message:
    'The idempotency key, such as the header Idempotency-Key, is malformed. Send 1 to 255 visible ASCII characters, such as a new UUID ' +
    'for each request.',
});

const MISUSED = jsonResponse(422, {
  code: 'WM5044',
  message:
    'This Idempotency-Key was already used for a different request: path, query or body differ. Send a new key with a new request.',
});

const UNDER_WAY = jsonResponse(
  409,
  {
    code: 'WM5045',
    message: 'The first request with this Idempotency-Key is still being processed. Try again later.',
  },
  [['Retry-After', '1']],
);
