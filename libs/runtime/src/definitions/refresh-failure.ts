import { isWaymarkError } from '@waymark/core';
import { endsBurst, toErrorLike } from '@waymark/core/adapter';
import type { RefreshFailure } from '../services/definition-services.js';

/** Errors of the store that say something about what was to be stored: a trigger that another definition has, a value too large. */
const OF_DEFINITION: ReadonlySet<string> = new Set(['WM7006', 'WM7017']);

/**
 * What is wrong with a definition whose triggers could not be indexed.
 * @throws the error itself when it is the store's: the definitions that follow would meet it as well
 */
export function refreshFailure(definitionId: string, error: unknown): RefreshFailure {
  const code = isWaymarkError(error) ? error.code : undefined;
  if (endsBurst(error) || (code?.startsWith('WM7') && !OF_DEFINITION.has(code))) throw error;
  const { activityId } = (error ?? {}) as { activityId?: unknown };
  return {
    definitionId,
    ...(code !== undefined && { code }),
    message: toErrorLike(error).message,
    ...(typeof activityId === 'string' && { activityId }),
  };
}
