/** How pauses between attempts grow: not at all, by the first pause each time, or to twice as long each time. */
export const BACKOFF_TYPES = ['Constant', 'Linear', 'Exponential'] as const;
/** How a delay grows from attempt to attempt. */
export type BackoffType = (typeof BACKOFF_TYPES)[number];

/** Returns how many times the pause after an attempt is as long as the first one. @param attempt 1 or more */
export function backoffFactor(type: BackoffType | undefined, attempt: number): number {
  if (type === 'Constant') return 1;
  return type === 'Linear' ? attempt : 2 ** (attempt - 1);
}
