import { Inject, Injectable } from '@nestjs/common';
import { type ActivityExecutionContext, isWaymarkError } from '@waymark/core';
import { RETRY_BOOKMARK } from '@waymark/core/adapter';
import { WorkflowClock } from '@waymark/runtime';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { headerList } from '../responses/header-list.js';
import { isHttpFile } from '../requests/http-file.js';
import { renderContent } from '../responses/render-content.js';
import { canBeMadeLater } from './later-requests.js';
import { InvalidOutgoingRequestError } from './outgoing-errors.js';
import { OutgoingHttp, type OutgoingRequest } from './outgoing-http.js';
import { type Attempt, recordRetry, type SendResult } from './retry-records.js';
import { traceHeaders } from './trace-headers.js';
import {
  findStrategy,
  isTransientStatus,
  maxRetries,
  retryAfterMs,
  retryDelayMs,
  type RetryStrategy,
} from './retry-strategy.js';

export type { SendResult } from './retry-records.js';

/** The longest wait that holds a burst. */
const LONGEST_HELD_MS = 10_000;

/** The retry with which an activity continues. */
export interface NextRetry {
  /** 1 for the first retry, should the first attempt of this call fail. */
  readonly retry: number;
  /** Method of the activity that sends again. */
  readonly callback: (...args: never[]) => unknown;
  /** Values of the request that the method evaluates again, beside inputs. @default none */
  readonly evaluatedAgain?: readonly unknown[];
}

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
  send(ctx: ActivityExecutionContext, description: RequestDescription, strategy?: RetryStrategy): Promise<SendResult>;
  /**
   * The same, but before a retry that is far away the activity waits at a bookmark, which is stored: in memory, the wait would hold the
   * burst, and be lost with the process.
   * @param again the next retry, and the method of the activity that the bookmark calls
   * @returns undefined: it waits
   * @internal
   */
  send(
    ctx: ActivityExecutionContext,
    description: RequestDescription,
    strategy: RetryStrategy | undefined,
    again: NextRetry,
  ): Promise<SendResult | undefined>;
  async send(
    ctx: ActivityExecutionContext,
    description: RequestDescription,
    strategy?: RetryStrategy,
    again?: NextRetry,
  ): Promise<SendResult | undefined> {
    const request = this.requestOf(ctx, description);
    for (let retry = again?.retry ?? 1; ; retry++) {
      const tried = await this.tryOnce(ctx, request, strategy, retry);
      if ('result' in tried) return tried.result;
      const { delayMs } = tried;
      if (
        again &&
        delayMs > LONGEST_HELD_MS &&
        canBeMadeLater(ctx, request, description.content, again.evaluatedAgain ?? [])
      ) {
        const dueAt = new Date(this.clock.now() + delayMs);
        ctx.log('Retrying', `The request is sent again at ${dueAt.toISOString()}.`);
        // The name that engines of the build before know: to them, it is a run of the whole activity.
        ctx.createBookmark({ name: RETRY_BOOKMARK, includeActivityInstanceId: true, dueAt, callback: again.callback });
        return undefined;
      }
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

  private requestOf(ctx: ActivityExecutionContext, description: RequestDescription): OutgoingRequest {
    const built = buildRequest(description);
    const headers = [...built.headers, ...traceHeaders(ctx, built.headers)];
    const { secrets } = ctx.workflow;
    const isCredential = (name: string, value: unknown) => secrets.isCredential(name, value);
    const holdsSecret = (body: Uint8Array): boolean => {
      const text = Buffer.from(body).toString();
      return secrets.shown(text) !== text || isCredential('body', text);
    };
    const { isDownload } = description;
    return { ...built, headers, isCredential, holdsSecret, isDownload, signal: ctx.signal };
  }

  /** @returns the result, or how long to wait before the retry of that number */
  private async tryOnce(
    ctx: ActivityExecutionContext,
    request: OutgoingRequest,
    strategy: RetryStrategy | undefined,
    retry: number,
  ): Promise<{ readonly result: SendResult } | { readonly delayMs: number }> {
    const attempt = await this.attempt(request);
    const isWorthIt = attempt.kind !== 'response' || isTransientStatus(attempt.response.status);
    if (!strategy || !isWorthIt || retry > maxRetries(strategy)) return { result: noted(ctx, attempt) };
    const asked = attempt.kind === 'response' ? attempt.response.headers.first('retry-after') : undefined;
    // A server that counts requests refuses those that come earlier, and some for the longer.
    const delayMs = Math.max(retryDelayMs(strategy, retry, Math.random()), retryAfterMs(asked, this.clock.now()));
    recordRetry(ctx, retry, delayMs, attempt);
    return { delayMs };
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
