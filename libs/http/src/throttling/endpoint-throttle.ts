import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { HttpEndpointPayload } from '../endpoint/endpoint-payload.js';
import type { AdapterExchange } from '../requests/adapter-exchange.js';
import { jsonResponse } from '../requests/rejection.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';
import { ThrottlerMissingError } from './endpoint-rate-limit.js';
import { loadThrottler, type Throttler } from './load-throttler.js';

/** Keeps the limits that endpoints declare, by the counters of the application's `ThrottlerModule`. */
@Injectable()
export class EndpointThrottle {
  private readonly logger = new WorkflowLogger('EndpointThrottle');
  private loaded: Promise<Throttler | undefined> | undefined;
  private isMissed = false;

  constructor(private readonly modules: ModuleRef) {}

  /** @throws ThrottlerMissingError */
  async requireThrottler(activityId: string): Promise<void> {
    if (!(await this.throttler)) throw new ThrottlerMissingError(activityId);
  }

  /** Counts a request. @returns the response to one too many */
  async refusal(exchange: AdapterExchange, payload: HttpEndpointPayload): Promise<PreparedResponse | undefined> {
    const { path, method, rateLimit } = payload;
    if (!rateLimit) return undefined;
    const throttler = await this.throttler;
    if (!throttler) return this.uncounted(payload);
    const seconds = await throttler.count(exchange, `${method} ${path}`, rateLimit);
    return seconds === undefined ? undefined : tooMany(seconds);
  }

  /** Published by a node that had it. A limit that protects something must not be gone without anyone noticing. */
  private uncounted({ path, method }: HttpEndpointPayload): PreparedResponse {
    if (!this.isMissed)
      this.logger.error(
        `${method.toUpperCase()} ${path} declares a rate limit, but this application does not import ThrottlerModule ` +
          '(WM5060): such endpoints are answered 503.',
      );
    this.isMissed = true;
    return jsonResponse(503, {
      code: 'WM5060',
      message: 'This endpoint has a rate limit, but the host cannot count requests: it has to import ThrottlerModule.',
    });
  }

  /** Asked for late: modules are all there then. */
  private get throttler(): Promise<Throttler | undefined> {
    return (this.loaded ??= loadThrottler(this.modules));
  }
}

const tooMany = (seconds: number): PreparedResponse =>
  jsonResponse(429, { code: 'WM5062', message: `Too many requests for this endpoint. Try again in ${seconds} s.` }, [
    ['Retry-After', String(seconds)],
  ]);
