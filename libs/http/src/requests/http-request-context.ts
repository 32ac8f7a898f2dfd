import type { ActivityExecutionContext, WorkflowExecutionContext } from '@waymark/core';
import { HttpResponseWriter, type ResponseTarget } from '../responses/http-response-writer.js';
import type { RouteValues } from '../routing/template-variant.js';
import type { HttpRequest } from './http-request.js';
import { RequestBody } from './request-body.js';

/** Transient token of a burst: the `HttpRequestContext` at hand. */
export const HTTP_REQUEST_CONTEXT: unique symbol = Symbol.for('@waymark/http:request-context');

/** The request that a burst is run for, and the response to it. Lives as long as the burst. */
export class HttpRequestContext {
  readonly response: HttpResponseWriter;
  /** One of each instance: workflows that are run inline share the request with the one that runs them. */
  private readonly bursts: WorkflowExecutionContext[] = [];

  /**
   * @param routeValues by parameter name in lower case; undefined: the endpoint works them out itself
   * @param timeout aborted when the time that the endpoint allows is over
   */
  constructor(
    readonly request: HttpRequest,
    readonly body: RequestBody,
    target: ResponseTarget,
    readonly routeValues?: RouteValues,
    readonly timeout?: AbortSignal,
  ) {
    this.response = new HttpResponseWriter(target);
  }

  /** What to give to whoever starts or resumes. */
  get transient(): readonly (readonly [unknown, unknown])[] {
    return [[HTTP_REQUEST_CONTEXT, this]];
  }

  /** The request at hand, if there is one. */
  static of(ctx: ActivityExecutionContext): HttpRequestContext | undefined {
    const context = ctx.workflow.transient.get(HTTP_REQUEST_CONTEXT) as HttpRequestContext | undefined;
    context?.enter(ctx.workflow);
    return context;
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
    this.timeout?.addEventListener('abort', () => burst.cancel(), { once: true });
  }
}
