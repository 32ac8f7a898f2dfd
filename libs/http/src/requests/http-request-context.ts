import type { ActivityExecutionContext, WorkflowExecutionContext } from '@waymark/core';
import { keptAnswer } from '../idempotency/repeated-answers.js';
import { HttpResponseWriter, type ResponseTarget } from '../responses/http-response-writer.js';
import { forgetRequest, keepRequest, keptRequest } from '../pending/kept-requests.js';
import type { RequestToken } from '../pending/request-token.js';
import type { RouteValues } from '../routing/template-variant.js';
import type { HttpRequest } from './http-request.js';
import { RequestBody } from './request-body.js';

/** Transient token of a burst: the `HttpRequestContext` of the request that it serves. */
export const HTTP_REQUEST_CONTEXT: unique symbol = Symbol.for('@waymark/http:request-context');

/** By what a request is known again, and how many bytes of its answer are kept. */
export interface Keeping {
  /** Its hash is all that the instance keeps. */
  readonly token: Pick<RequestToken, 'hash'>;
  readonly maxBytes: number;
  /** True if another node has taken the request: its client was answered 202 already, so it gets every answer later. @default false */
  readonly isHandedOver?: boolean;
}

/** The request that a burst is run for, and the response to it. Lives as long as the burst. */
export class HttpRequestContext {
  /** Writes the answer. */
  readonly response: HttpResponseWriter;
  /** One of each instance: workflows that are run inline share the request with the one that runs them. */
  private readonly bursts: WorkflowExecutionContext[] = [];
  /** The instance whose endpoint took the request. */
  private taker: WorkflowExecutionContext | undefined;

  /**
   * @param routeValues by parameter name in lower case; undefined: the endpoint works them out itself
   * @param timeout aborted when the time that the endpoint allows is over
   * @param keeping of a request whose client may ask for the answer later, or send it again
   */
  constructor(
    /** The request. */
    readonly request: HttpRequest,
    /** Its body. */
    readonly body: RequestBody,
    target: ResponseTarget,
    /** Values of the parameters of its path. */
    readonly routeValues?: RouteValues,
    /** Aborted when the time of the request is over. */
    readonly timeout?: AbortSignal,
    private readonly keeping?: Keeping,
  ) {
    this.response = new HttpResponseWriter(target, keeping && ((writer) => this.onWritten(writer)));
  }

  /** Hash of the token by which its client may ask for the answer later; undefined: it may not. */
  get keptAs(): string | undefined {
    return this.keeping?.token.hash;
  }

  /** What to give to the call that starts or resumes. */
  get transient(): readonly (readonly [unknown, unknown])[] {
    return [[HTTP_REQUEST_CONTEXT, this]];
  }

  /** The request at hand, if there is one. */
  static of(ctx: ActivityExecutionContext): HttpRequestContext | undefined {
    const context = ctx.workflow.transient.get(HTTP_REQUEST_CONTEXT) as HttpRequestContext | undefined;
    context?.enter(ctx.workflow);
    return context;
  }

  /**
   * Called by the endpoint that takes the request: unless the burst answers it, its instance keeps it, so that a later burst
   * can.
   */
  take(instance: WorkflowExecutionContext): void {
    if (!this.keeping) return;
    const { hash } = this.keeping.token;
    this.taker = instance;
    const kept = keptRequest(instance.properties, hash);
    if (kept) keepRequest(instance, { ...kept, isTaken: true });
    else if (!this.response.isWritten) keepRequest(instance, { token: hash, isAwaited: true });
  }

  /** What the burst itself answers is kept for those alone who may send the request again, or have been answered 202 already. */
  private onWritten(writer: HttpResponseWriter): void {
    const { taker } = this;
    if (!taker) return;
    const { token, isHandedOver = false } = this.keeping!;
    const kept = keptRequest(taker.properties, token.hash);
    if (!kept?.start && !isHandedOver) return forgetRequest(taker, token.hash);
    if (writer.isAppended) taker.beforeStored(writer, () => this.keep(writer, taker));
    else this.keep(writer, taker);
  }

  private keep({ prepared }: HttpResponseWriter, taker: WorkflowExecutionContext): void {
    const { token: request, maxBytes } = this.keeping!;
    const kept = keptRequest(taker.properties, request.hash);
    const { token, isAwaited, isTaken, start } = kept ?? { token: request.hash, isAwaited: true };
    const answer = keptAnswer(prepared, taker, token, maxBytes);
    const flags = { ...(isAwaited && { isAwaited }), ...(isTaken && { isTaken }) };
    keepRequest(taker, { token, ...(start && { start }), ...flags, ...answer });
  }

  /** A burst that lost against another one is repeated from the stored state: what it wrote is void. */
  private enter(burst: WorkflowExecutionContext): void {
    if (this.bursts.includes(burst)) return;
    const known = this.bursts.findIndex(({ id }) => id === burst.id);
    if (known < 0) this.bursts.push(burst);
    else {
      this.response.reset();
      this.bursts[known] = burst;
    }
    this.timeout?.addEventListener('abort', () => void burst.cancel(), { once: true });
  }
}
