/** How pauses grow. */
export interface BackoffSteps {
  /** Longest pause after the first fault, in milliseconds. It doubles with each further one. */
  readonly firstMs: number;
  /** No pause is longer, in milliseconds. */
  readonly longestMs: number;
}

/**
 * How long to wait before something that failed is tried again, in milliseconds: twice as long after each fault, of which
 * half is random, so that those who failed together do not come back together.
 * @param faults how many there were before this one
 */
export function backoffMs(faults: number, { firstMs, longestMs }: BackoffSteps): number {
  const longest = Math.min(firstMs * 2 ** faults, longestMs);
  return longest / 2 + (Math.random() * longest) / 2;
}
