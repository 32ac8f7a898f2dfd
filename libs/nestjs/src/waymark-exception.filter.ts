import { type ArgumentsHost, Catch, type ExceptionFilter, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { WaymarkError } from '@waymark/core';
import { storeFaultAnswer, StoreOutages, WorkflowLogger } from '@waymark/runtime/adapter';
import { httpStatusOf } from './http-status.js';

const SERVER_ERROR = 500;
/**
 * Seconds, where the error has none of its own: another node has the code, or can read what is stored; the runtime shuts down
 * or is paused.
 */
const RETRY_AFTER: Readonly<Record<string, number>> = { WM2040: 1, WM2053: 1, WM3005: 5, WM8011: 1 };

/** Members that some errors have. */
interface Details {
  readonly challenge?: string;
  readonly retryAfterSeconds?: number;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

/** How a controller of the application answers an error of Waymark. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/**
 * Answers errors of Waymark that the application's own controllers throw, on Express and Fastify: an unknown workflow is 404,
 * a conflict 409, as docs/errors.md lists them under "HTTP status". The body is `{ statusCode, code, message }`, with
 * `errors` where the error names members. A server error (500) is logged, and its message is not sent.
 *
 * Register it for the whole application with `{ provide: APP_FILTER, useClass: WaymarkExceptionFilter }`, or for one
 * controller with `@UseFilters(WaymarkExceptionFilter)`. Other errors go to the other filters, as without it. Without an HTTP
 * request, for example in GraphQL, the error is passed on unchanged.
 *
 * @example
 * providers: [{ provide: APP_FILTER, useClass: WaymarkExceptionFilter }]
 */
@Catch(WaymarkError)
export class WaymarkExceptionFilter implements ExceptionFilter<WaymarkError> {
  private readonly logger = new WorkflowLogger('Workflow');

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Optional() private readonly outages?: StoreOutages,
  ) {}

  /** Answers the request; Nest calls it. */
  catch(error: WaymarkError, host: ArgumentsHost): unknown {
    if (host.getType() !== 'http') return error;
    const { status, headers, body } = answerTo(error);
    const isKnownOutage = this.outages?.report(error) ?? false;
    const isServerFault = status === SERVER_ERROR || storeFaultAnswer(error) !== undefined;
    if (isServerFault && !isKnownOutage) this.logger.error(error);
    const { httpAdapter } = this.adapterHost;
    const response: unknown = host.switchToHttp().getResponse();
    if (httpAdapter.isHeadersSent(response)) return undefined;
    for (const [name, value] of Object.entries(headers)) httpAdapter.setHeader(response, name, value);
    httpAdapter.reply(response, body, status);
    return undefined;
  }
}

function answerTo(error: WaymarkError): Answer {
  const { code } = error;
  const { challenge, retryAfterSeconds, errors }: Details = error as Details;
  const fault = storeFaultAnswer(error);
  const status = fault?.status ?? httpStatusOf(code);
  const retryAfter = fault ? fault.retryAfter : (retryAfterSeconds ?? RETRY_AFTER[code]);
  const message = fault?.body.message ?? (status === SERVER_ERROR ? 'Internal server error' : error.message);
  return {
    status,
    headers: {
      ...(status === 401 ? { 'WWW-Authenticate': challenge ?? 'Bearer' } : {}),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
    body: { statusCode: status, code, message, ...(errors ? { errors } : {}) },
  };
}
