import { Inject, Injectable } from '@nestjs/common';
import { type ActivityExecutionContext, isWaymarkError } from '@waymark/core';
import { formatTimeSpan } from '@waymark/core/adapter';
import { WorkflowClock } from '@waymark/runtime';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { headerList } from '../responses/header-list.js';
import { isHttpFile } from '../requests/http-file.js';
import { renderContent } from '../responses/render-content.js';
import { InvalidOutgoingRequestError } from './outgoing-errors.js';
import { type IncomingResponse, OutgoingHttp, type OutgoingRequest } from './outgoing-http.js';
import { traceHeaders } from './trace-headers.js';
import {
  findStrategy,
  isTransientStatus,
  maxRetries,
  retryAfterMs,
  retryDelayMs,
  type RetryStrategy,
} from './retry-strategy.js';

/** A request as an activity describes it. */
export interface RequestDescription {
  /** Absolute, `http:` or `https:`. */
  readonly url: string | null | undefined;
  /** Method, in any casing. @default `GET` */
  readonly method: string | null | undefined;
  /** Text, bytes or data; data is written by the content type. Sent only together with a content type. */
  readonly content: unknown;
  /** Media type of the content. */
  readonly contentType: string | null | undefined;
  /** The `Authorization` header, such as `Bearer …`. */
  readonly authorization: string | null | undefined;
  /** Sends the `Authorization` header as it is, whatever its form. */
  readonly disableAuthorizationHeaderValidation: boolean | null | undefined;
  /** Further headers. A list sends the header once for each value. */
  readonly requestHeaders: Readonly<Record<string, unknown>> | null | undefined;
  /** If true, the answer is a file. @default false */
  readonly isDownload?: boolean;
}

/** Result of a request: a response of any status, no connection, or no answer in time. */
export type SendResult =
  | { readonly kind: 'response'; readonly response: IncomingResponse }
  | { readonly kind: 'failed' }
  | { readonly kind: 'timeout' };

/** With the reason for which there was no connection. */
type Attempt = Exclude<SendResult, { kind: 'failed' }> | { readonly kind: 'failed'; readonly error: Error };

/**
 * Sends the request of an activity, and repeats it by its retry strategy. A class that extends `SendHttpRequest` and has its
 * own constructor injects it and passes it on:
 *
 * ```ts
 * constructor(sender: RequestSender, private readonly tokens: TokenService) {
 *   super(sender);
 * }
 * ```
 */
@Injectable()
export class RequestSender {
  constructor(
    private readonly http: OutgoingHttp,
    private readonly clock: WorkflowClock,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {}

  /**
   * Sends the request, with the headers of the trace that the instance belongs to. No connection and no answer in time are results.
   * @param strategy how to repeat it; `undefined`: it is sent once
   * @throws InvalidOutgoingRequestError (`WM5012`) for a request that cannot be sent, OutgoingAddressRefusedError (`WM5030`),
   * ResponseTooLargeError, ResponseInPiecesError; the signal's reason when the burst is aborted
   */
  async send(
    ctx: ActivityExecutionContext,
    description: RequestDescription,
    strategy?: RetryStrategy,
  ): Promise<SendResult> {
    const built = buildRequest(description);
    const headers = [...built.headers, ...traceHeaders(ctx, built.headers)];
    const { secrets } = ctx.workflow;
    const isCredential = (name: string, value: unknown) => secrets.isCredential(name, value);
    const holdsSecret = (body: Uint8Array): boolean => {
      const text = Buffer.from(body).toString();
      return secrets.shown(text) !== text || isCredential('body', text);
    };
    const { isDownload } = description;
    const request = { ...built, headers, isCredential, holdsSecret, isDownload, signal: ctx.signal };
    for (let attempt = 1; ; attempt++) {
      const result = await this.attempt(request);
      const isWorthIt = result.kind !== 'response' || isTransientStatus(result.response.status);
      if (!strategy || !isWorthIt || attempt > maxRetries(strategy)) return noted(ctx, result);
      const asked = result.kind === 'response' ? result.response.headers.first('retry-after') : undefined;
      // A server that counts requests refuses those that come earlier, and some for the longer.
      const delayMs = Math.max(retryDelayMs(strategy, attempt, Math.random()), retryAfterMs(asked, this.clock.now()));
      recordRetry(ctx, attempt, delayMs, result);
      await this.wait(delayMs, ctx.signal);
    }
  }

  /** How many JSON values an answer may hold: the option `http.maxResponseValues`. */
  get maxResponseValues(): number {
    return this.options.maxResponseValues;
  }

  /** The retry strategy that an activity names: by the id of one of the option `http.retryStrategies`, or in full. */
  strategy(given: unknown): RetryStrategy | undefined {
    return findStrategy(given, this.options.retryStrategies);
  }

  private async attempt(request: OutgoingRequest): Promise<Attempt> {
    try {
      return { kind: 'response', response: await this.http.send(request) };
    } catch (error) {
      if (isWaymarkError(error, 'WM5010')) return { kind: 'failed', error };
      if (isWaymarkError(error, 'WM5011')) return { kind: 'timeout' };
      throw error;
    }
  }

  private wait(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        cancel();
        reject(signal.reason as Error);
      };
      const cancel = this.clock.setTimer(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, delayMs);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}

/** The journal tells of the result; attempts before it stand among the retries. */
function noted(ctx: ActivityExecutionContext, result: Attempt): SendResult {
  if (result.kind === 'timeout') ctx.journalData.Cancelled = true;
  if (result.kind !== 'failed') return result;
  const { message } = result.error;
  ctx.journalData.Error = message;
  ctx.log('Error', ctx.workflow.secrets.shownError(message));
  return { kind: 'failed' };
}

function buildRequest(d: RequestDescription): OutgoingRequest {
  if (!d.url) throw new InvalidOutgoingRequestError('The request has no URL. Set the Url input of the activity.');
  const headers = headerList(d.requestHeaders);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  if (d.authorization)
    headers.push(['Authorization', checkedAuthorization(d.authorization, !!d.disableAuthorizationHeaderValidation)]);
  const request = { method: (d.method || 'GET').toUpperCase(), url: String(d.url), headers };
  if (d.content === null || d.content === undefined || !d.contentType) return request;
  if (!names.has('content-type')) headers.push(['Content-Type', d.contentType]);
  return { ...request, body: bytesOf(d.content, d.contentType) };
}

function checkedAuthorization(value: string, asIs: boolean): string {
  if (asIs || /^[\w!#$%&'*+.^`|~-]+( +\S.*)?$/.test(value.trim())) return value.trim();
  throw new InvalidOutgoingRequestError(
    "The Authorization header must be '<scheme> <value>'. Disable its validation to send something else.",
  );
}

function bytesOf(content: unknown, contentType: string): Uint8Array {
  // As a whole: a request may be sent again.
  if (isHttpFile(content)) return content.bytes;
  const { body } = renderContent(
    content,
    /^(text|application)\//i.test(contentType) ? contentType : 'application/json',
  );
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  throw new InvalidOutgoingRequestError('The content is a stream. Read it into bytes first.');
}

interface RetryAttempt {
  readonly attemptNumber: number;
  readonly retryDelay: string;
  readonly details: Readonly<Record<string, string>>;
}

/** A strategy may have a thousand retries, and each stands in the state of the instance: so many are kept, the first ones and the last. */
const MOST_KEPT = 50;
const FIRST_KEPT = 5;
/** Characters of each detail, most of which a server has written. */
const LONGEST_DETAIL = 200;

/** Kept on the activity execution, where the management API finds it. */
function recordRetry(ctx: ActivityExecutionContext, attemptNumber: number, delayMs: number, result: Attempt): void {
  const attempts = [...((ctx.properties.RetryAttempts as RetryAttempt[] | undefined) ?? [])];
  const { RetryAttemptsCount = attempts.length } = (ctx.metadata.Extensions ?? {}) as { RetryAttemptsCount?: number };
  const ids = {
    id: `${ctx.id}-${attemptNumber}`,
    activityInstanceId: ctx.id,
    activityId: ctx.activityId,
    workflowInstanceId: ctx.workflow.id,
  };
  attempts.push({
    ...ids,
    attemptNumber,
    retryDelay: formatTimeSpan(delayMs),
    details: detailsOf(result, ctx),
  } as RetryAttempt);
  if (attempts.length > MOST_KEPT) attempts.splice(FIRST_KEPT, 1);
  ctx.properties.RetryAttempts = attempts;
  ctx.metadata.Extensions = { RetryAttemptsCount: RetryAttemptsCount + 1 };
}

function detailsOf(result: Attempt, { workflow }: ActivityExecutionContext): Record<string, string> {
  if (result.kind === 'timeout') return { Reason: 'Timeout' };
  if (result.kind === 'failed')
    return { Reason: 'ConnectionFailed', Error: cut(workflow.secrets.shownError(result.error.message)) };
  const { status, reason, headers } = result.response;
  const details: Record<string, string> = { StatusCode: String(status), ReasonPhrase: cut(reason) };
  for (const name of ['Content-Type', 'Date', 'Retry-After']) {
    const value = headers.first(name.toLowerCase());
    if (value !== undefined) details[name] = cut(value);
  }
  return details;
}

const cut = (text: string): string => (text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL)}…` : text);
