import type { ActivityExecutionContext } from '@waymark/core';
import { formatTimeSpan } from '@waymark/core/adapter';
import type { IncomingResponse } from './outgoing-http.js';

/** Result of a request: a response of any status, no connection, or no answer in time. */
export type SendResult =
  | { readonly kind: 'response'; readonly response: IncomingResponse }
  | { readonly kind: 'failed' }
  | { readonly kind: 'timeout' };

/** With the reason for which there was no connection. */
export type Attempt = Exclude<SendResult, { kind: 'failed' }> | { readonly kind: 'failed'; readonly error: Error };

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
export function recordRetry(
  ctx: ActivityExecutionContext,
  attemptNumber: number,
  delayMs: number,
  result: Attempt,
): void {
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

/** The retry that follows the latest one on record: with which an execution continues that has waited for it. */
export function nextRetry(ctx: ActivityExecutionContext): number {
  const attempts = ctx.properties.RetryAttempts as readonly RetryAttempt[] | undefined;
  return (attempts?.at(-1)?.attemptNumber ?? 0) + 1;
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
