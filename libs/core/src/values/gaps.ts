/** So many places of one list may be empty, or undefined. */
export const MOST_GAPS = 100_000;

/**
 * True for a list with more places without a value than are written. Each of them takes a note beside the JSON, so that
 * `list[5_000_000] = 1` held the process for 50 s and became 137 MB of text; and a list may have four billion of them. Looks at no more
 * than these and at the values that are there.
 */
export function hasManyGaps(list: readonly unknown[]): boolean {
  if (list.length <= MOST_GAPS) return false;
  let gaps = 0;
  for (let i = 0; i < list.length; i++) if (list[i] === undefined && ++gaps > MOST_GAPS) return true;
  return false;
}
