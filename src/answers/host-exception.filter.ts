import { type ArgumentsHost, Catch } from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import { isWaymarkError } from '@waymark/core';
import { isStoreOutage, storeFaultAnswer, StoreOutages } from '@waymark/runtime/adapter';
import { malformedBody, tooLargeBody } from './json-body.js';

/** Status of the errors with which the host's own routes refuse a request. */
const STATUS: Readonly<Record<string, number>> = {
  WM3005: 503,
  WM8004: 401,
  WM8005: 403,
  WM8011: 429,
  WM9002: 400,
  WM9003: 404,
  WM9004: 409,
};

/**
 * Gives refusals of the host's own routes the form that those of HTTP workflows have: `{ code, message }`. What it does
 * not know is left to Nest. The management API has a filter of its own, for the format of the reference.
 */
@Catch()
export class HostExceptionFilter extends BaseExceptionFilter {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly outages: StoreOutages,
  ) {
    super(adapterHost.httpAdapter);
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    const { httpAdapter } = this.adapterHost;
    const response: unknown = host.switchToHttp().getResponse();
    const refusal = refusalOf(error);
    if (!refusal || httpAdapter.isHeadersSent(response)) {
      // oxlint-disable-next-line promise/valid-params -- an exception filter's, not a promise's
      return super.catch(error, host);
    }
    this.outages.report(error);
    for (const [name, value] of Object.entries(refusal.headers ?? {})) httpAdapter.setHeader(response, name, value);
    httpAdapter.reply(response, refusal.body, refusal.status);
  }
}

interface Refusal {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

function refusalOf(error: unknown): Refusal | undefined {
  const malformed = malformedBody(error);
  if (malformed) return { status: 400, body: malformed };
  const tooLarge = tooLargeBody(error);
  if (tooLarge) return { status: 413, body: tooLarge };
  if (!isWaymarkError(error)) return undefined;
  const outage = isStoreOutage(error) ? storeFaultAnswer(error) : undefined;
  if (outage) {
    const { retryAfter, ...answer } = outage;
    return retryAfter === undefined ? answer : { ...answer, headers: { 'Retry-After': retryAfter } };
  }
  const { code, message } = error;
  const status = STATUS[code];
  if (status === undefined) return undefined;
  const { challenge, retryAfterSeconds } = error as { challenge?: string; retryAfterSeconds?: number };
  const headers = {
    ...(challenge === undefined ? {} : { 'WWW-Authenticate': challenge }),
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  };
  return { status, body: { code, message }, headers };
}
