import { isWaymarkError, toErrorLike } from '@waymark/core';
import type { Dialect } from '../dialect/dialect.js';
import { PersistenceError, StoreUnavailableError } from '@waymark/runtime';
import { RefusedStatement } from './statement.js';

/** The error to throw for one that the driver gave: typed errors pass, a taken key is a refusal, the rest is wrapped. */
export function translate(error: unknown, dialect: Dialect): unknown {
  if (isWaymarkError(error) || error instanceof RefusedStatement) return error;
  if (dialect.isDuplicate(error)) return new RefusedStatement(toErrorLike(error).message, { cause: error });
  if (dialect.isOutage(error))
    return new StoreUnavailableError(`The ${dialect.family} database is not available: ${toErrorLike(error).message}`, {
      cause: error,
    });
  const advice = (error as { errno?: number } | null)?.errno === PACKET_TOO_LARGE ? TOO_LARGE : '';
  return new PersistenceError(`The ${dialect.family} database failed: ${toErrorLike(error).message}${advice}`, {
    cause: error,
  });
}

/** ER_NET_PACKET_TOO_LARGE of MariaDB and MySQL. */
const PACKET_TOO_LARGE = 1153;
const TOO_LARGE =
  '. One value is larger than the server takes: keep less in the variables of an instance, or raise max_allowed_packet.';
