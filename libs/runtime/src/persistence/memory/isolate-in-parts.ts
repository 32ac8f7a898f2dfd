import { copyOf, NEEDS_CODEC } from './isolate.js';

/** Items that are copied without a pause: what takes some milliseconds. */
const PART = 500;

/** Gives others their turn, if it is time. @returns what to wait for, if there is anything */
export type Pause = () => Promise<void> | undefined;

/** True for a list that is worth pauses. */
export const isLongList = (items: readonly unknown[] | undefined): boolean => (items?.length ?? 0) > 2 * PART;

/**
 * What `isolate` makes of a list, with pauses: ten thousand branches of one instance held up all others for a tenth of a second.
 * The items must not change meanwhile. Undefined: one of them needs the codec.
 * @param copy of a part of the list
 */
export async function copyInParts<T>(
  items: readonly T[],
  pause: Pause,
  copy: (part: readonly T[]) => unknown = (part) => copyOf(part),
): Promise<T[] | undefined> {
  const copies: T[] = [];
  for (let begin = 0; begin < items.length; begin += PART) {
    const part = copy(items.slice(begin, begin + PART));
    if (part === NEEDS_CODEC) return undefined;
    copies.push(...(part as T[]));
    const turn = pause();
    if (turn) await turn;
  }
  return copies;
}
