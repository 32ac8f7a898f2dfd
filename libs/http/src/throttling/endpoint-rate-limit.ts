import { WaymarkError } from '@waymark/core';
import { toMilliseconds } from '@waymark/core/adapter';

/** Limits the requests of one client to an endpoint. */
export interface EndpointRateLimit {
  /** Number of requests, 1 or more. */
  readonly limit: number;
  /** Period in milliseconds in which requests are counted, and for which a client that exceeds the limit is refused. */
  readonly ttl: number;
}

/** Custom property of an HTTP Endpoint: `{ "limit": 10, "ttl": "00:01:00" }`, or with milliseconds. */
const RATE_LIMIT = 'rateLimit';

/** Thrown when the custom property `rateLimit` of an HTTP Endpoint is malformed. */
export class RateLimitFormatError extends WaymarkError {
  readonly code = 'WM5061';
  constructor(
    /** Id of the activity in its definition. */
    readonly activityId: string,
  ) {
    super(
      `The custom property ${RATE_LIMIT} of the HTTP Endpoint "${activityId}" is not a limit. Write it like ` +
        '{ "limit": 10, "ttl": "00:01:00" }: a whole number of requests above zero, and a time above zero, as text or in milliseconds.',
    );
  }
}

/** Thrown when an HTTP Endpoint declares a rate limit, but the application does not import `ThrottlerModule`. */
export class ThrottlerMissingError extends WaymarkError {
  readonly code = 'WM5060';
  constructor(
    /** Id of the activity in its definition. */
    readonly activityId: string,
  ) {
    super(
      `The HTTP Endpoint "${activityId}" declares a ${RATE_LIMIT}, but the application cannot count requests. Install ` +
        "@nestjs/throttler and import ThrottlerModule.forRoot(…) in the application's root module, or take the limit out.",
    );
  }
}

/** @param properties custom properties of the endpoint @throws RateLimitFormatError (`WM5061`) */
export function readRateLimit(
  properties: Readonly<Record<string, unknown>>,
  activityId: string,
): EndpointRateLimit | undefined {
  const given = properties[RATE_LIMIT];
  if (given === undefined || given === null) return undefined;
  const { limit, ttl } = (typeof given === 'object' ? given : {}) as Record<string, unknown>;
  // No member of Elsa: in any definition 72:00:00 is three days.
  const ms = toMilliseconds(ttl, { longHours: true }) ?? toMilliseconds(ttl);
  if (!Number.isSafeInteger(limit) || (limit as number) < 1 || ms === undefined || !(ms > 0))
    throw new RateLimitFormatError(activityId);
  return { limit: limit as number, ttl: ms };
}
