/** Executions that are restored, or taken to be stored, without a pause: about five milliseconds. */
const PART = 500;

/** States of more executions than that are worth pauses. */
export const isWorthParts = (executions: number): boolean => executions > 2 * PART;

/**
 * Does something to each item, with a pause after each part of them, in which other work of the process is done.
 * @param goesOn asked after each pause; false: the rest is left
 */
export async function eachInParts<T>(
  items: readonly T[],
  each: (item: T) => void,
  pause: () => Promise<void>,
  goesOn: () => boolean = () => true,
): Promise<void> {
  for (let begin = 0; begin < items.length; begin += PART) {
    if (begin > 0) await pause();
    if (!goesOn()) return;
    items.slice(begin, begin + PART).forEach(each);
  }
}
