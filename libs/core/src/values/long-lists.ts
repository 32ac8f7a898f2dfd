import { isInAnyCasing } from './any-casing.js';
import { hasManyGaps } from './gaps.js';
import { isPlainObject, setMember } from './plain-object.js';
import { toPlainJson, toPlainPart } from './to-plain-json.js';

/** Items that are handled without a pause: what takes some milliseconds. */
export const ITEMS_OF_PART = 500;
/** Lists are looked for in that many levels: an answer, a state in it, a list of the state. */
export const LEVELS = 3;
/** Objects with more members are data, not the frame around them. */
const MOST_MEMBERS = 100;

/** Gives others their turn, if it is time. @returns what to wait for, if there is anything */
export type Pause = () => Promise<void> | undefined;

/** True for an object with a long list in it, which is worth pauses. */
export function hasLongList(value: unknown, levels = LEVELS): boolean {
  if (Array.isArray(value)) return value.length > ITEMS_OF_PART;
  if (levels === 0 || !isFrame(value)) return false;
  return Object.values(value).some((member) => hasLongList(member, levels - 1));
}

/** An object that can be taken member by member. */
export function isFrame(value: unknown): value is Record<string, unknown> {
  if (!isPlainObject(value) || isInAnyCasing(value)) return false;
  let members = 0;
  for (const _ in value) if (++members > MOST_MEMBERS) return false;
  return true;
}

/**
 * Converts a value like `toPlainJson`, with a pause after each part of a long list: the state of an instance with ten thousand
 * branches took a third of a second.
 */
export async function toPlainJsonInTurns(value: unknown, pause: Pause): Promise<unknown> {
  try {
    return await convert(value, pause, []);
  } catch {
    // A getter failed, for example: what cannot be read is left out there.
    return toPlainJson(value);
  }
}

async function convert(value: unknown, pause: Pause, around: readonly object[]): Promise<unknown> {
  if (!hasLongList(value, LEVELS - around.length)) return toPlainPart(value, around);
  if (Array.isArray(value))
    return hasManyGaps(value) ? toPlainPart(value, around) : convertItems(value, pause, [...around, value]);
  const frame = value as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(frame))
    if (member !== undefined) setMember(result, name, await convert(member, pause, [...around, frame]));
  return result;
}

async function convertItems(items: readonly unknown[], pause: Pause, around: readonly object[]): Promise<unknown[]> {
  const converted: unknown[] = [];
  for (let begin = 0; begin < items.length; begin += ITEMS_OF_PART) {
    const turn = pause();
    if (turn) await turn;
    for (const item of items.slice(begin, begin + ITEMS_OF_PART))
      converted.push(item === undefined ? null : toPlainPart(item, around));
  }
  return converted;
}
