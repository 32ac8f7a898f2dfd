import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import type { BulkFailure } from './bulk-plan-store.js';

/** As a plan notes it, and an answer names it. */
export function failureOf(id: string, error: unknown): BulkFailure {
  return { id, code: isWaymarkError(error) ? error.code : undefined, message: toErrorLike(error).message };
}
