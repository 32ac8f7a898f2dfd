import { Inject, Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import {
  IBookmarkResumer,
  InstanceExistsError,
  IWorkflowStarter,
  type RunInstanceResult,
  StoreOutages,
  WorkflowClock,
  WorkflowPersistence,
  WorkflowLogger,
} from '@waymark/runtime';
import type { HttpEndpointPayload } from '../endpoint/endpoint-payload.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { AdapterExchange } from '../requests/adapter-exchange.js';
import { HttpRequestContext } from '../requests/http-request-context.js';
import type { BodyLimits } from '../requests/request-body.js';
import { jsonResponse, rejectionResponse } from '../requests/rejection.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';
import { HttpEndpointAuthorizer } from './endpoint-authorizer.js';
import { errorResponse, isKeyFault, lostRace } from './error-response.js';
import { HttpFaultHandler } from './fault-handler.js';
import { type Endpoint, EndpointFinder } from './find-endpoint.js';
import { RequestTimeout } from './request-timeout.js';

type Reachable = Exclude<Endpoint, { kind: 'ambiguous' | 'unknown' }>;

/**
 * Serves requests to workflows: find → authorise → read the body → start or resume → answer.
 *
 * 1. Everything about a request is checked before a bookmark is consumed or an instance made; a client whose request was
 *    rejected can send a better one.
 * 2. The answer follows the commit, unless the host has chosen otherwise.
 * 3. A client that goes away stops nothing. Only the time limit of an endpoint does: 408, and the instance is cancelled.
 */
@Injectable()
export class WorkflowEndpoints {
  private readonly logger = new WorkflowLogger('WorkflowEndpoints');

  constructor(
    private readonly finder: EndpointFinder,
    private readonly starter: IWorkflowStarter,
    private readonly resumer: IBookmarkResumer,
    private readonly authorizer: HttpEndpointAuthorizer,
    private readonly faults: HttpFaultHandler,
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {}

  /** What a request leads to; undefined when no workflow is there. @param path below the base path */
  find({ request }: AdapterExchange, path: string): Endpoint | undefined | Promise<Endpoint | undefined> {
    const found = this.finder.find(request, path);
    if (!(found instanceof Promise)) return found;
    return found.catch((error: unknown) => {
      if (!this.outages.report(error)) throw error;
      return { kind: 'unknown', error };
    });
  }

  async serve(exchange: AdapterExchange, endpoint: Endpoint): Promise<void> {
    if (endpoint.kind === 'ambiguous') return exchange.target.send(ambiguous(endpoint.workflows));
    if (endpoint.kind === 'unknown') return exchange.target.send(errorResponse(endpoint.error)!);
    try {
      await this.serveEndpoint(exchange, endpoint);
    } catch (error) {
      // WM5002: the client left. Nobody is there to be answered, and nothing has happened.
      if (!isWaymarkError(error, 'WM5002')) throw error;
    }
  }

  private async serveEndpoint(exchange: AdapterExchange, endpoint: Reachable): Promise<void> {
    const { payload } = endpoint;
    if (payload.authorize && !(await this.isAuthorized(exchange, endpoint))) return exchange.target.send(UNAUTHORIZED);
    const body = exchange.body(this.bodyLimits);
    if (body.isPresent) {
      const { rejection } = await body.examine(payload);
      const isHandled = rejection?.outcome !== undefined && payload.exposedOutcomes?.includes(rejection.outcome);
      if (rejection && !isHandled) return exchange.target.send(rejectionResponse(rejection));
    }
    const { request, target } = exchange;
    const timeout = RequestTimeout.start(this.clock, payload.requestTimeout);
    const context = new HttpRequestContext(request, body, target, endpoint.routeValues, timeout?.signal);
    if (!timeout) return this.run(endpoint, context, undefined);
    try {
      const running = this.run(endpoint, context, timeout.signal);
      await Promise.race([running, timeout.isOver.then(() => this.giveUp(running, context))]);
    } finally {
      timeout.stop();
    }
  }

  private get bodyLimits(): BodyLimits {
    const { bodyLimit: bytes, defaultBodyLimit: defaultBytes, bodyValues: values } = this.options;
    return { bytes, defaultBytes, values };
  }

  private isAuthorized({ request }: AdapterExchange, endpoint: Reachable): boolean | Promise<boolean> {
    const { policy } = endpoint.payload;
    return endpoint.kind === 'start'
      ? this.authorizer.authorize({ request, policy, workflowDefinitionId: endpoint.trigger.workflowDefinitionId })
      : this.authorizer.authorize({ request, policy, workflowInstanceId: endpoint.bookmark.workflowInstanceId });
  }

  private async run(endpoint: Reachable, context: HttpRequestContext, signal: AbortSignal | undefined): Promise<void> {
    try {
      const instead = await this.burst(endpoint, context, signal);
      // Nothing here knows the burst any more: all of it would outlive collections while the response waits to be sent.
      if (instead) await this.sendInstead(context, instead);
      else await context.response.send();
    } catch (error) {
      // The answer keeps to itself what the database said.
      this.outages.report(error);
      if (context.response.isSent) return this.logFailure(context, error);
      const response = errorResponse(endpoint.kind === 'resume' ? lostRace(error, endpoint.bookmark) : error);
      if (!response) throw error;
      if (isKeyFault(error)) this.logger.error(`${context.request.method} ${context.request.path}: ${String(error)}`);
      await this.sendInstead(context, response);
    }
  }

  /** Nobody waits any more for what is still running; the burst ends by itself and is stored. */
  private async giveUp(running: Promise<void>, context: HttpRequestContext): Promise<void> {
    running.catch((error: unknown) => this.logFailure(context, error));
    if (context.response.isSent) return;
    if (context.response.isWritten) await context.response.send();
    else await this.sendInstead(context, TIMEOUT);
  }

  /** For failures after the answer is on its way. */
  private logFailure({ request }: HttpRequestContext, error: unknown): void {
    const reason = String((error as Error | undefined)?.stack ?? error);
    this.logger.error(`${request.method} ${request.path} failed after it was answered: ${reason}`);
  }

  private async start(
    { trigger, payload }: Extract<Endpoint, { kind: 'start' }>,
    context: HttpRequestContext,
    signal: AbortSignal | undefined,
  ): Promise<RunInstanceResult | PreparedResponse> {
    const { workflowInstanceId, correlationId } = this.finder.idsOf(context.request);
    // The commit would refuse it as well, but only after the workflow has run.
    if (workflowInstanceId !== undefined && (await this.persistence.instances.count({ ids: [workflowInstanceId] })) > 0)
      throw new InstanceExistsError(workflowInstanceId);
    const { cannotStart, result } = await this.starter.start({
      definition: { definitionVersionId: trigger.workflowDefinitionVersionId },
      triggerActivityId: trigger.activityId,
      workflowInstanceId,
      correlationId,
      input: inputOf(context),
      transient: context.transient,
      signal,
    });
    return cannotStart || !result ? refused(payload) : result;
  }

  private resume(
    { bookmark }: Extract<Endpoint, { kind: 'resume' }>,
    context: HttpRequestContext,
    signal: AbortSignal | undefined,
  ): Promise<RunInstanceResult> {
    return this.resumer.resumeWaiting(bookmark, { input: inputOf(context), transient: context.transient, signal });
  }

  /** @returns what to send in place of what the workflow has written, if anything */
  private async burst(
    endpoint: Reachable,
    context: HttpRequestContext,
    signal: AbortSignal | undefined,
  ): Promise<PreparedResponse | undefined> {
    const startedAt = this.clock.now();
    const result =
      endpoint.kind === 'start'
        ? await this.start(endpoint, context, signal)
        : await this.resume(endpoint, context, signal);
    const { response } = context;
    if (response.isSent) return undefined;
    if ('headers' in result) return result;
    if (response.isWritten) return undefined;
    const incidents = result.incidents.filter((incident) => incident.timestamp.getTime() >= startedAt);
    return incidents.length > 0 ? this.faults.handle(result, incidents) : undefined;
  }

  private async sendInstead({ response }: HttpRequestContext, prepared: PreparedResponse): Promise<void> {
    response.reset();
    response.write(prepared);
    await response.send();
  }
}

const UNAUTHORIZED: PreparedResponse = { status: 401, headers: [] };
const TIMEOUT: PreparedResponse = { status: 408, headers: [] };

const inputOf = ({ request }: HttpRequestContext) => ({ HttpContext: true, Path: request.path });

const ambiguous = (workflows: readonly unknown[]): PreparedResponse =>
  jsonResponse(
    500,
    { errorMessage: 'The call is ambiguous and matches multiple workflows.', workflows },
    [],
    'application/json',
  );

const refused = ({ method, path }: HttpEndpointPayload): PreparedResponse =>
  jsonResponse(409, {
    message: `The workflow behind ${method.toUpperCase()} ${path} does not start now: its activation strategy allows no further instance.`,
  });
