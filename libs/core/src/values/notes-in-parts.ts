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

/** By its names and by what is right below them, where it is long. */
function* partsOfTree(tree: Tree): Iterable<Tree> {
  const short: [string, unknown][] = [];
  for (const [name, below] of Object.entries(tree)) {
    const pieces = longPieces(below);
    for (const piece of pieces) yield { [name]: piece };
    if (pieces.length === 0) short.push([name, below]);
  }
  if (short.length > 0)
    yield* (short.length > PART ? chunksOf(short) : [short]).map((part) => Object.fromEntries(part));
}

/** Parts of a long list of places or of a node with many below it; none: it is short, or a note itself. */
function longPieces(below: unknown): readonly unknown[] {
  if (Array.isArray(below)) return isListOfPlaces(below) ? chunksOf(below) : [];
  if (!isPlainObject(below)) return [];
  return chunksOf(Object.entries(below)).map((entries) => Object.fromEntries(entries));
}

/** A note has a kind, which is a text or a list, and maybe one thing more. */
const isListOfPlaces = (list: readonly unknown[]): boolean =>
  list.length > PART && list.every((place) => typeof place === 'string');

function chunksOf<T>(items: readonly T[]): T[][] {
  if (items.length <= PART) return [];
  return Array.from({ length: Math.ceil(items.length / PART) }, (_, i) => items.slice(i * PART, (i + 1) * PART));
}
