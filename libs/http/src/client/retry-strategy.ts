import { type BackoffType } from '@waymark/core';
import { backoffFactor, toMilliseconds } from '@waymark/core/adapter';

/** Describes how an outgoing request is repeated. The names of the members are those of resilience configurations of Elsa. */
export interface RetryStrategy {
  /** Id by which activities name it. */
  readonly id: string;
  /** Name for people. */
  readonly displayName?: string;
  /** How often a request is repeated at most, up to 1,000 times. @default 3 */
  readonly maxRetryAttempts?: number;
  /** Wait before the first retry: a time span or milliseconds. @default '00:00:01' */
  readonly delay?: string | number;
  /** How the wait grows from retry to retry. @default 'Exponential' */
  readonly backoffType?: BackoffType;
  /** Shortens or lengthens each wait at random by up to a quarter. @default false */
  readonly useJitter?: boolean;
}

/** What the obsolete `EnableResiliency` stands for. */
export const LEGACY_RETRY: RetryStrategy = {
  id: 'legacy',
  maxRetryAttempts: 8,
  delay: '00:00:01',
  backoffType: 'Exponential',
};

const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * Milliseconds for which a server asks to be left alone, by its `Retry-After`: seconds, or a date of HTTP. 0 if it does not, or by
 * anything else; ten minutes at most, as the waits of a strategy.
 */
export function retryAfterMs(value: string | undefined, now: number): number {
  const text = value?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : text.endsWith(' GMT') ? Date.parse(text) - now : 0;
  return Math.min(Math.max(ms || 0, 0), LONGEST_WAIT_MS);
}

/** Statuses worth another try. */
export const isTransientStatus = (status: number): boolean => [408, 409, 429, 500, 502, 503, 504].includes(status);

/** More are a mistake: all of them are made in one burst, while its instance waits. */
const MOST_RETRIES = 1000;
const DEFAULT_RETRIES = 3;

/** A strategy of an expression may be of any shape: a text must not repeat a request without end. */
export function maxRetries(strategy: RetryStrategy | undefined): number {
  if (!strategy) return 0;
  const given = Number(strategy.maxRetryAttempts ?? DEFAULT_RETRIES);
  return Number.isNaN(given) ? DEFAULT_RETRIES : Math.min(Math.max(given, 0), MOST_RETRIES);
}

/** Milliseconds to wait before a retry. @param attempt 1 for the first retry @param random 0 to 1 */
export function retryDelayMs(
  { delay, backoffType, useJitter }: RetryStrategy,
  attempt: number,
  random: number,
): number {
  const base = toMilliseconds(delay ?? 1000) ?? 1000;
  const wait = Math.min(base * backoffFactor(backoffType, attempt), LONGEST_WAIT_MS);
  return Math.round(useJitter ? wait * (0.75 + random / 2) : wait);
}

/** `{ strategyId }`, `{ id, … }` or an id, as expressions and definitions give it; undefined when it names nothing known. */
export function findStrategy(given: unknown, known: readonly RetryStrategy[]): RetryStrategy | undefined {
  if (typeof given === 'string') return known.find((strategy) => strategy.id === given);
  if (typeof given !== 'object' || given === null) return undefined;
  const { strategyId, id } = given as { strategyId?: unknown; id?: unknown };
  if (typeof strategyId === 'string') return known.find((strategy) => strategy.id === strategyId);
  return typeof id === 'string' ? (given as RetryStrategy) : undefined;
}
