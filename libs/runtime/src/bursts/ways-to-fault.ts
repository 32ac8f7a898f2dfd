import { isWaymarkError } from '@waymark/core';
import type { BurstExtras } from './burst-commit-builder.js';
import type { CompleteBurst } from './complete-burst.js';

/** No repetition of the burst would help. */
export function isNotStorable(error: unknown): error is Error {
  return isWaymarkError(error, 'WM1102') || isWaymarkError(error, 'WM7017');
}

/**
 * How an instance is faulted, until one way can be stored. A caller who is there gets the error when its input leaves no
 * room. A message has no caller to answer: it would be served again and again, so the input goes rather than that.
 */
export function waysToFault({ input }: CompleteBurst, { consumedMessageIds, consumedQueueItemIds }: BurstExtras) {
  const withinLimit = { keepsInput: true, atAnySize: false };
  const hasInput = input !== undefined && Object.keys(input).length > 0;
  if (hasInput && !consumedMessageIds?.length && !consumedQueueItemIds?.length) return [withinLimit];
  return [withinLimit, { keepsInput: true, atAnySize: true }, { keepsInput: false, atAnySize: true }];
}
