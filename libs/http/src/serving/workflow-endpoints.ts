import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { isPromiseLike } from '@waymark/core/adapter';
import {
  IBookmarkResumer,
  IWorkflowStarter,
  type RunInstanceResult,
  type StartWorkflowRequest,
  type StartWorkflowResponse,
  type WorkflowCodeMissingError,
  WorkflowClock,
} from '@waymark/runtime';
import { REPORTED_FAULTS, SlowReaders, StoreOutages, WorkflowLogger } from '@waymark/runtime/adapter';
import type { HttpEndpointPayload } from '../endpoint/endpoint-payload.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { type IdempotentStart, IdempotentStarts } from '../idempotency/idempotent-starts.js';
import { PendingRequests } from '../pending/pending-requests.js';
import { RequestToken } from '../pending/request-token.js';
import { AdapterExchange } from '../requests/adapter-exchange.js';
import { HttpRequestContext } from '../requests/http-request-context.js';
import { jsonResponse } from '../requests/rejection.js';
import { newInstanceId } from '../requests/request-ids.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';
import { type Admitted, EndpointAdmission, type Reachable } from './endpoint-admission.js';
import { errorResponse, isKeyFault, lostRace } from './error-response.js';
import { HttpFaultHandler, invalidInputs, reportsInvalidInputs } from './fault-handler.js';
import { inputOf } from './endpoint-input.js';
import { EndpointVersions } from './endpoint-versions.js';
import { type Endpoint, EndpointFinder } from './find-endpoint.js';
import { HandedOverRequests } from './handed-over-requests.js';
import { RequestTimeout } from './request-timeout.js';

/** What a request that was admitted is served with. */
interface Serving {
  readonly timeout: RequestTimeout | undefined;
  readonly context: HttpRequestContext;
  readonly token: RequestToken | undefined;
}

/**
 * Serves requests to workflows: find → authorise → read the body → start or resume → answer.
 *
 * 1. Everything about a request is checked before a bookmark is consumed or an instance made; a client whose request was
 *    rejected can send a better one.
 * 2. The answer follows the commit, unless the host has chosen otherwise.
 * 3. A client that goes away stops nothing. Only the time limit of an endpoint does: 408, and the instance is cancelled.
 */
@Injectable()
export class WorkflowEndpoints implements OnApplicationShutdown {
  private readonly logger = new WorkflowLogger('WorkflowEndpoints');
  private readonly readers: SlowReaders;

  constructor(
    private readonly finder: EndpointFinder,
    private readonly starter: IWorkflowStarter,
    private readonly versions: EndpointVersions,
    private readonly resumer: IBookmarkResumer,
    private readonly admission: EndpointAdmission,
    private readonly faults: HttpFaultHandler,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly pending: PendingRequests,
    private readonly idempotent: IdempotentStarts,
    private readonly handedOver: HandedOverRequests,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {
    this.readers = new SlowReaders(clock, options.answerBytesPerSecond, options.answerMemoryBytes);
  }

  onApplicationShutdown(): void {
    this.readers.close();
  }

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
    exchange.onSent = (response) => this.readers.watch(response);
    if (endpoint.kind === 'unknown') return exchange.target.send(errorResponse(endpoint.error)!);
    // All in one function, and so is the burst below: each asynchronous one costs every request as much as an activity does.
    try {
      const { request, target } = exchange;
      if (endpoint.kind === 'status') return await target.send(await this.pending.status(request, endpoint.target));
      if (endpoint.kind === 'ambiguous') return await target.send(await this.refuseAmbiguous(exchange, endpoint));
      const asked = this.admission.admit(exchange, endpoint);
      const admitted = isPromiseLike(asked) ? await asked : asked;
      if ('status' in admitted) return await target.send(admitted);
      const { timeout, context, token } = this.contextOf(exchange, admitted);
      const unanswered = timeout
        ? await this.runInTime(admitted.endpoint, context, timeout)
        : await this.run(admitted.endpoint, context, undefined);
      if (unanswered !== undefined) await target.send(await this.pending.answer(request, unanswered, token!));
    } catch (error) {
      // WM5002: the client left before anything was run.
      if (isWaymarkError(error, 'WM5002')) return;
      // The store was out before anything was run.
      const response = this.outages.report(error) && !exchange.target.isSent ? errorResponse(error) : undefined;
      if (!response) throw error;
      await exchange.target.send(response);
    }
  }

  /** Names those to which the caller is admitted. The first refusal is the answer where there are none. */
  private async refuseAmbiguous(
    exchange: AdapterExchange,
    { open, guarded }: Extract<Endpoint, { kind: 'ambiguous' }>,
  ): Promise<PreparedResponse> {
    const named = [...open];
    let refusal: PreparedResponse | undefined;
    // A body is read once: for the first, which may ask for its signature.
    for (const { endpoint, workflows } of exchange.request.hasBody ? guarded.slice(0, 1) : guarded) {
      const admitted = await this.admission.admit(exchange, endpoint);
      if ('status' in admitted) refusal ??= admitted;
      else {
        admitted.body.discard();
        named.push(...workflows);
      }
    }
    return refusal && named.length === open.length ? refusal : ambiguous(named);
  }

  private contextOf({ request, target }: AdapterExchange, { endpoint, body }: Admitted): Serving {
    const { payload, routeValues } = endpoint;
    const timeout = RequestTimeout.start(this.clock, payload.requestTimeout);
    const known = endpoint.kind === 'start' ? endpoint.once?.token : endpoint.token;
    const token = known ?? (this.pending.isKept(payload) ? RequestToken.create() : undefined);
    const keeping = token && { token, maxBytes: this.options.maxKeptAnswerBytes };
    const context = new HttpRequestContext(request, body, target, routeValues, timeout?.signal, keeping);
    return { timeout, context, token };
  }

  private async runInTime(
    endpoint: Reachable,
    context: HttpRequestContext,
    timeout: RequestTimeout,
  ): Promise<string | undefined> {
    try {
      const running = this.run(endpoint, context, timeout.signal);
      return await Promise.race([running, timeout.isOver.then(() => this.giveUp(running, context))]);
    } finally {
      timeout.stop();
    }
  }

  /** @returns the id of the instance that has not answered, for a client that may wait for it */
  private async run(
    endpoint: Reachable,
    context: HttpRequestContext,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    try {
      const instead = await this.burst(endpoint, context, signal);
      if (typeof instead === 'string') return instead;
      // Nothing here knows the burst any more: all of it would outlive collections while the response waits to be sent.
      if (instead) await this.sendInstead(context, instead);
      else await context.response.send();
      return undefined;
    } catch (error) {
      // The answer keeps to itself what the database said.
      this.outages.report(error);
      if (context.response.isSent) {
        this.logFailure(context, error);
        return undefined;
      }
      const response =
        (endpoint.kind === 'start' && (await this.replayOf(error, endpoint, context))) ||
        errorResponse(endpoint.kind === 'resume' ? lostRace(error, endpoint.bookmark) : error);
      if (!response) throw error;
      if (isKeyFault(error)) this.logger.error(`${context.request.method} ${context.request.path}: ${String(error)}`);
      await this.sendInstead(context, response);
      return undefined;
    } finally {
      // Streams that are being sent keep the file until they are; of a burst that failed, none is.
      context.response.reset();
      context.body.discard();
    }
  }

  /** Of a start that another request with the same key, or another node with the claim of this one, was faster with. */
  private replayOf(
    error: unknown,
    { once, payload }: Extract<Reachable, { kind: 'start' }>,
    { request }: HttpRequestContext,
  ): Promise<PreparedResponse> | undefined {
    const isUsed = ['WM7007', 'WM7001', 'WM7004', 'WM3002'].some((code) => isWaymarkError(error, code));
    if (!once || !isUsed) return undefined;
    const { workflowInstanceId } = error as { readonly workflowInstanceId?: string };
    return this.idempotent.overtaken(once, request, payload, workflowInstanceId);
  }

  /** No client waits any more for what is still running; the burst ends by itself and is stored. */
  private async giveUp(running: Promise<unknown>, context: HttpRequestContext): Promise<undefined> {
    running.catch((error: unknown) => this.logFailure(context, error));
    if (context.response.isSent) return undefined;
    if (context.response.isWritten) await context.response.send();
    else await this.sendInstead(context, TIMEOUT);
    return undefined;
  }

  /** For failures after the answer is on its way. */
  private logFailure({ request }: HttpRequestContext, error: unknown): void {
    const reason = String((error as Error | undefined)?.stack ?? error);
    this.logger.error(`${request.method} ${request.path} failed after it was answered: ${reason}`);
  }

  private startOf(
    { trigger, payload, once }: Extract<Endpoint, { kind: 'start' }>,
    context: HttpRequestContext,
    signal: AbortSignal | undefined,
  ): StartWorkflowRequest {
    const { workflowInstanceId, correlationId } = this.finder.idsOf(context.request);
    // With all its members at once: spreads on the way cost each request as much as an activity does.
    const asked: StartWorkflowRequest = {
      definition: { definitionVersionId: trigger.workflowDefinitionVersionId },
      triggerActivityId: trigger.activityId,
      workflowInstanceId: newInstanceId(workflowInstanceId),
      correlationId,
      input: inputOf(context),
      transient: transientOf(payload, context),
      signal,
    };
    return once ? this.onceOnly(asked, payload, once) : asked;
  }

  private onceOnly(
    request: StartWorkflowRequest,
    payload: HttpEndpointPayload,
    once: IdempotentStart,
  ): StartWorkflowRequest {
    const { requestKey } = once;
    const properties = this.idempotent.properties(once, payload);
    return { ...request, requestKey, claimsFirst: true, properties };
  }

  private async resume(
    { bookmark, payload }: Extract<Endpoint, { kind: 'resume' }>,
    context: HttpRequestContext,
    signal: AbortSignal | undefined,
  ): Promise<RunInstanceResult | PreparedResponse | string> {
    const transient = transientOf(payload, context);
    try {
      return await this.resumer.resumeWaiting(bookmark, { input: inputOf(context), transient, signal });
    } catch (error) {
      if (!isWaymarkError(error, 'WM2040')) throw error;
      const answer = await this.handedOver.handOver(bookmark, context, error as unknown as WorkflowCodeMissingError);
      return context.keptAs === undefined ? answer : bookmark.workflowInstanceId;
    }
  }

  /** @returns what to send in place of what the workflow has written, if anything, or the id of an instance that may answer later */
  private async burst(
    endpoint: Reachable,
    context: HttpRequestContext,
    signal: AbortSignal | undefined,
  ): Promise<PreparedResponse | string | undefined> {
    const startedAt = this.clock.now();
    let result: RunInstanceResult | PreparedResponse | string;
    if (endpoint.kind === 'start') {
      const request = this.startOf(endpoint, context, signal);
      let started: StartWorkflowResponse;
      try {
        started = await this.starter.start(request);
      } catch (error) {
        started = await this.versions.startOwn(endpoint.trigger, request, error);
      }
      result = started.cannotStart || !started.result ? refused(endpoint.payload) : started.result;
    } else result = await this.resume(endpoint, context, signal);
    const { response } = context;
    if (response.isSent) return undefined;
    if (typeof result === 'string' || 'headers' in result) return result;
    if (response.isWritten) return undefined;
    const incidents = result.incidents.filter((incident) => incident.timestamp.getTime() >= startedAt);
    if (incidents.length > 0)
      return (
        (endpoint.payload.rejectInvalidInputs && invalidInputs(incidents)) || this.faults.handle(result, incidents)
      );
    const isAwaited = this.pending.isKept(endpoint.payload) && result.status === 'Running';
    return isAwaited ? result.workflowInstanceId : undefined;
  }

  private async sendInstead({ response }: HttpRequestContext, prepared: PreparedResponse): Promise<void> {
    response.reset();
    response.write(prepared);
    await response.send();
  }
}

const transientOf = ({ rejectInvalidInputs }: HttpEndpointPayload, context: HttpRequestContext) =>
  rejectInvalidInputs
    ? [...context.transient, [REPORTED_FAULTS, reportsInvalidInputs(context)] as const]
    : context.transient;

const TIMEOUT: PreparedResponse = { status: 408, headers: [] };

const ambiguous = (workflows: readonly unknown[]): PreparedResponse =>
  jsonResponse(
    500,
    { errorMessage: 'The call is ambiguous and matches multiple workflows.', workflows },
    [],
    'application/json',
  );

const refused = ({ method, path }: HttpEndpointPayload): PreparedResponse =>
  jsonResponse(409, {
    message: `The workflow behind ${method.toUpperCase()} ${path} cannot start now: its activation strategy does not allow another instance.`,
  });
