import { isWaymarkError } from '../errors/waymark-error.js';
import { BACKOFF_TYPES, backoffFactor, type BackoffType } from '../values/backoff.js';
import { WildcardPatterns } from '../values/wildcards.js';
import { errorKeys } from '../errors/error-keys.js';
import { toOwnMilliseconds } from '../values/time-span.js';

/** Name of the bookmark at which an activity waits for its next attempt. */
export const RETRY_BOOKMARK = 'Waymark.Retry';

/**
 * How often and when a failed activity is run again: custom property `retryPolicy` of an activity in a definition, or of
 * its class. The wait is a bookmark with a due time: it survives restarts.
 */
export interface RetryPolicy {
  /** Runs in all, the first one included; 2 or more. */
  readonly maxAttempts: number;
  /** Wait before the second run. @default one second */
  readonly delayMs: number;
  /** How the wait grows from run to run. @default 'Exponential' */
  readonly backoff: BackoffType;
  /** Longest wait. @default one hour */
  readonly maxDelayMs: number;
  /** Codes and names of errors, or of their classes, after which it is run again; `*` stands for any text. @default all except business faults and invalid inputs */
  readonly errors: readonly string[] | undefined;
}

const BACKOFFS: readonly unknown[] = BACKOFF_TYPES;
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
/** The same again would only fail again: a fault on purpose, an unknown activity, inputs that break their rules. */
const POINTLESS = ['WM2002', 'WM2003', 'WM2004', 'WM2005', 'WM2012', 'WM2016'];

/** @returns undefined without a policy, or with one that allows a single run only */
export function readRetryPolicy(value: unknown): RetryPolicy | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { maxAttempts, delay, backoff, maxDelay, errors } = value as Record<string, unknown>;
  if (!(Number(maxAttempts) >= 2)) return undefined;
  return {
    maxAttempts: Math.floor(Number(maxAttempts)),
    delayMs: toOwnMilliseconds(delay) ?? SECOND_MS,
    backoff: backoff === 'Constant' || backoff === 'Linear' ? backoff : 'Exponential',
    maxDelayMs: toOwnMilliseconds(maxDelay) ?? HOUR_MS,
    errors: Array.isArray(errors) ? errors.map(String) : undefined,
  };
}

/** Describes what is wrong with a policy and how to correct it, in a sentence; undefined if it is valid. */
export function retryPolicyProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null)
    return "give an object such as { 'maxAttempts': 3, 'delay': '00:00:05' }.";
  const { maxAttempts, delay, backoff, maxDelay, errors } = value as Record<string, unknown>;
  // 1 says that there is no second run, on purpose.
  if (!(Number.isInteger(maxAttempts) && Number(maxAttempts) >= 1))
    return 'maxAttempts is a whole number, the first run included.';
  for (const [name, span] of Object.entries({ delay, maxDelay }))
    if (span !== undefined && span !== null && !(Number(toOwnMilliseconds(span)) >= 0))
      return `${name} is a time span such as '00:00:05'.`;
  if (backoff !== undefined && backoff !== null && !BACKOFFS.includes(backoff))
    return `backoff is one of ${BACKOFFS.join(', ')}.`;
  if (errors !== undefined && errors !== null && !Array.isArray(errors)) return 'errors is a list of names or codes.';
  return undefined;
}

/** Milliseconds until the next run; undefined: the failure is final. @param attempt runs so far */
export function nextRetryDelay(policy: RetryPolicy, attempt: number, error: unknown): number | undefined {
  if (attempt >= policy.maxAttempts || !isWorthRetrying(policy, error)) return undefined;
  // At attempt 1025 the factor is Infinity, and 0 * Infinity is NaN.
  if (policy.delayMs === 0) return 0;
  return Math.min(policy.delayMs * backoffFactor(policy.backoff, attempt), policy.maxDelayMs);
}

function isWorthRetrying(policy: RetryPolicy, error: unknown): boolean {
  if (!policy.errors) return !POINTLESS.some((code) => isWaymarkError(error, code));
  return new WildcardPatterns(policy.errors).matchSome(errorKeys(error));
}
