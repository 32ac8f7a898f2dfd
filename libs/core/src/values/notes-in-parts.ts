import { isPlainObject } from './plain-object.js';

/** Notes that are followed without a pause, which takes about a millisecond. */
const PART = 500;

type Tree = Readonly<Record<string, unknown>>;

/**
 * Notes of the codec (superjson), cut into parts that are followed one after the other with the same result: first those on the
 * kinds of values, then those on values that stand in several places, and at last all others.
 */
export function* partsOfNotes({ values, referentialEqualities, v, ...others }: Tree): Iterable<Tree> {
  for (const part of piecesOf(values)) yield { values: part, v };
  for (const part of piecesOf(referentialEqualities)) yield { referentialEqualities: part, v };
  yield { ...others, v };
}

/** A list is a note, or places that one name has: those of the root belong together. */
function piecesOf(notes: unknown): Iterable<unknown> {
  if (notes === undefined) return [];
  return isPlainObject(notes) ? partsOfTree(notes) : [notes];
}

/** By its names, and where there is much below one of them, by what is below it. */
function* partsOfTree(tree: Tree): Iterable<Tree> {
  let short: [string, unknown][] = [];
  let count = 0;
  for (const [name, below] of Object.entries(tree)) {
    const size = sizeOf(below, PART + 1);
    if (size > PART) {
      for (const piece of piecesBelow(below)) yield { [name]: piece };
      continue;
    }
    if (count + size > PART) {
      yield Object.fromEntries(short);
      short = [];
      count = 0;
    }
    short.push([name, below]);
    count += size;
  }
  if (short.length > 0) yield Object.fromEntries(short);
}

/** A note on what is inside a note is part of it. */
function piecesBelow(below: unknown): Iterable<unknown> {
  if (isPlainObject(below)) return partsOfTree(below);
  return Array.isArray(below) && isListOfPlaces(below) ? chunksOf(below) : [below];
}

/** How many notes are in it. @param most where counting ends */
function sizeOf(below: unknown, most: number): number {
  if (Array.isArray(below)) return isListOfPlaces(below) ? below.length : 1 + sizeOf(below[1], most);
  if (!isPlainObject(below)) return 0;
  let size = 0;
  for (const name in below) {
    size += sizeOf(below[name], most - size);
    if (size >= most) return most;
  }
  return size;
}

/** A note has a kind, which is a text or a list, and maybe one thing more. */
const isListOfPlaces = (list: readonly unknown[]): boolean =>
  list.length > PART && list.every((place) => typeof place === 'string');

function chunksOf<T>(items: readonly T[]): T[][] {
  if (items.length <= PART) return [];
  return Array.from({ length: Math.ceil(items.length / PART) }, (_, i) => items.slice(i * PART, (i + 1) * PART));
}
