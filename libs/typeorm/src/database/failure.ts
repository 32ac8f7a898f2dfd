import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import type { Dialect } from '../dialect/dialect.js';
import { PersistenceError, StoreUnavailableError, ValueTooLargeError } from '@waymark/runtime';
import { RefusedStatement } from './statement.js';

/** The error to throw for one that the driver gave: typed errors pass, a taken key is a refusal, the rest is wrapped. */
export function translate(error: unknown, dialect: Dialect): unknown {
  if (isWaymarkError(error) || error instanceof RefusedStatement) return error;
  if (dialect.isDuplicate(error)) return new RefusedStatement(toErrorLike(error).message, { cause: error });
  if (dialect.isOutage(error))
    return new StoreUnavailableError(`The ${dialect.family} database is not available: ${toErrorLike(error).message}`, {
      cause: error,
      isOfCall: dialect.isTooSlow(error),
    });
  if (dialect.isTooLarge(error))
    return new ValueTooLargeError({ subject: 'A value to be stored', advice: dialect.sizeAdvice }, { cause: error });
  return new PersistenceError(`The ${dialect.family} database failed: ${toErrorLike(error).message}`, { cause: error });
}
