import type { BurstCommit } from '@waymark/runtime/adapter';

/** What many may add to at the same time is waited for: the queue, patterns. Others of a group would wait along. */
export function canShare({ queue, patterns }: BurstCommit): boolean {
  return !queue.length && !patterns?.length;
}

export function takesKeys({ requestKey, activationKey }: BurstCommit): boolean {
  return requestKey !== undefined || activationKey !== undefined;
}

/** Different for a request key and an activation key of the same name. */
export function keysOf({ requestKey, activationKey }: BurstCommit): string[] {
  const keys: string[] = [];
  if (requestKey !== undefined) keys.push(`request ${requestKey}`);
  if (activationKey !== undefined) keys.push(`activation ${activationKey}`);
  return keys;
}
