import { Inject, Injectable } from '@nestjs/common';
import { type WorkflowState } from '@waymark/core';
import { toPlainJsonInTurns } from '@waymark/core/adapter';
import { type RunInstanceResult, WorkflowEngine } from '@waymark/runtime';
import { loopTurns, StoreOutages, whenClosed } from '@waymark/runtime/adapter';
import type { HttpEndpointPayload } from '../endpoint/endpoint-payload.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { forgottenAnswer, openedAnswer } from '../idempotency/repeated-answers.js';
import type { HttpRequest } from '../requests/http-request.js';
import { jsonResponse } from '../requests/rejection.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';
import { HttpFaultHandler } from '../serving/fault-handler.js';
import { HttpMountPath } from '../serving/mount-path.js';
import { AnswerWatch, type Awaited, type AwaitedRequest } from './answer-watch.js';
import { isAnswered, keptRequest, type KeptRequest, preparedAnswer } from './kept-requests.js';
import { preferredWaitMs } from './prefer.js';
import type { RequestToken, StatusTarget } from './request-token.js';

/** A status is for its client alone, and changes. */
const UNCACHED = ['Cache-Control', 'no-store'] as const;

/** Requests whose workflow waits before it has answered: 202 with a status, or the answer when the client waits for it. */
@Injectable()
export class PendingRequests {
  constructor(
    private readonly watch: AnswerWatch,
    private readonly faults: HttpFaultHandler,
    private readonly engine: WorkflowEngine,
    private readonly mount: HttpMountPath,
    private readonly outages: StoreOutages,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {}

  /** Whether requests to an endpoint are kept until they are answered. */
  isKept({ respondAsync }: HttpEndpointPayload): boolean {
    return respondAsync ?? this.options.respondAsync;
  }

  /** The answer to a request whose burst is stored and has not answered it. */
  async answer(request: HttpRequest, workflowInstanceId: string, token: RequestToken): Promise<PreparedResponse> {
    const path = token.path(workflowInstanceId);
    const accepted = () => this.accepted(request, path, workflowInstanceId);
    if (this.waitMsOf(request) === 0) return accepted();
    try {
      const awaited = await this.await(request, { workflowInstanceId, token: token.hash });
      return await this.answerOf(awaited, request, accepted);
    } catch (error) {
      // What the request asked for is stored: it is under way, whatever the store does now.
      if (!this.outages.report(error)) throw error;
      return accepted();
    }
  }

  /** The answer to a request for the status of another one. */
  async status(request: HttpRequest, target: StatusTarget): Promise<PreparedResponse> {
    const { workflowInstanceId, path } = target;
    const awaited = await this.await(request, target);
    if (target.wantsAnswer)
      return uncached(await this.answerOf(awaited, request, () => this.accepted(request, path, workflowInstanceId)));
    return awaited.kind === 'gone' ? unknown() : this.described(awaited.state, request, target);
  }

  private async await(request: HttpRequest, awaited: AwaitedRequest): Promise<Awaited> {
    const waitMs = this.waitMsOf(request);
    if (waitMs === 0) return this.watch.look(awaited);
    const { socket } = request.raw;
    const gone = new AbortController();
    const stay = whenClosed(socket, () => gone.abort());
    try {
      return await this.watch.wait(awaited, waitMs, gone.signal);
    } finally {
      stay();
    }
  }

  private waitMsOf(request: HttpRequest): number {
    return Math.min(preferredWaitMs(request.header('prefer')) ?? 0, this.options.maxWaitMs);
  }

  private answerOf(
    awaited: Awaited,
    request: HttpRequest,
    accepted: () => PreparedResponse,
  ): PreparedResponse | Promise<PreparedResponse> {
    switch (awaited.kind) {
      case 'answered': {
        const answer = this.kept(awaited.request, awaited.state.id);
        return { ...answer, headers: [...answer.headers, ...this.applied(request)] };
      }
      case 'ended':
        return this.ended(awaited.state);
      case 'pending':
        return accepted();
      case 'gone':
        return unknown();
    }
  }

  /** The answer of one that was answered; where it is not kept, why. */
  kept(request: KeptRequest, workflowInstanceId: string): PreparedResponse {
    const answer = request.answer ?? openedAnswer(request, workflowInstanceId, this.engine.runner.engine.cipher);
    return answer ? preparedAnswer(answer) : forgottenAnswer(request.lost);
  }

  /** What it would have been answered had all of it been one burst. */
  ended(state: WorkflowState): PreparedResponse | Promise<PreparedResponse> {
    if (state.subStatus === 'Cancelled') return cancelled(state.id);
    if (state.incidents.length > 0) return this.faults.handle(resultOf(state), state.incidents);
    return { status: 200, headers: [] };
  }

  private accepted(request: HttpRequest, path: string, workflowInstanceId: string): PreparedResponse {
    const location = this.mount.public(request.path, path);
    const body = { workflowInstanceId, status: 'Running', location };
    // A server that closes would wait for the client to end its connection.
    const closing: [string, string][] = this.watch.isClosing ? [['Connection', 'close']] : [];
    return jsonResponse(202, body, [['Location', location], UNCACHED, ...this.applied(request), ...closing]);
  }

  /** RFC 7240: which of its preferences were followed. */
  private applied(request: HttpRequest): [string, string][] {
    const waitMs = this.waitMsOf(request);
    if (waitMs > 0) return [['Preference-Applied', `wait=${Math.ceil(waitMs / 1000)}`]];
    return /(^|,)\s*respond-async\s*(,|;|$)/i.test(request.header('prefer') ?? '')
      ? [['Preference-Applied', 'respond-async']]
      : [];
  }

  /** Where it stands, and what it has put out in the end: never its state. */
  private async described(
    state: WorkflowState,
    request: HttpRequest,
    { path, token }: StatusTarget,
  ): Promise<PreparedResponse> {
    const { id, status, subStatus, createdAt, updatedAt, finishedAt } = state;
    const kept = keptRequest(state.properties, token);
    const output = status === 'Finished' ? await this.shownOutput(state) : undefined;
    return jsonResponse(
      200,
      {
        workflowInstanceId: id,
        status,
        subStatus,
        createdAt,
        updatedAt,
        ...(finishedAt && { finishedAt }),
        ...(kept && isAnswered(kept) && { answer: this.mount.public(request.path, `${path}/answer`) }),
        ...(output && { output }),
      },
      [UNCACHED],
    );
  }

  /** Others have their turn in between: one output may have megabytes. */
  private async shownOutput({ output }: WorkflowState): Promise<Record<string, unknown>> {
    const { redaction } = this.engine.runner.engine;
    const shown: [string, unknown][] = [];
    for (const [name, value] of Object.entries(output)) {
      await loopTurns.goOn();
      const plain = (await toPlainJsonInTurns({ [name]: value }, () => loopTurns.goOn())) as Record<string, unknown>;
      shown.push(...Object.entries(redaction ? redaction.shown(plain) : plain));
    }
    await loopTurns.goOn();
    return Object.fromEntries(shown);
  }
}

/** All who have the URL get the answer, which is that of another request: caches keep it only where the workflow has said so. */
function uncached(response: PreparedResponse): PreparedResponse {
  const isSaid = response.headers.some(([name]) => name.toLowerCase() === 'cache-control');
  return isSaid ? response : { ...response, headers: [...response.headers, UNCACHED] };
}

const unknown = (): PreparedResponse =>
  jsonResponse(404, {
    code: 'WM5040',
    message:
      'No request has this status URL, or it was removed: instances are deleted some time after they have ended. Send the request again.',
  });

const cancelled = (workflowInstanceId: string): PreparedResponse =>
  jsonResponse(409, {
    code: 'WM5042',
    message: `Workflow instance "${workflowInstanceId}" was cancelled before it answered. Send the request again if it is still wanted.`,
  });

function resultOf(state: WorkflowState): RunInstanceResult {
  const { id, status, subStatus, bookmarks, incidents, output } = state;
  return { workflowInstanceId: id, status, subStatus, bookmarks, incidents, output, state };
}
