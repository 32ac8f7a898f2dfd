import { endOfJsonString } from './json-string.js';

/** Bits of the table in which names are ticked off: of a hundred thousand names about one in eighty finds its bit taken. */
const TABLE_BITS = 1 << 22;
/** Objects with more members are no longer kept by their shape: each member costs as much as a new name. */
const MOST_OF_A_SHAPE = 1000;
const [QUOTE, COLON, OPEN, CLOSE, FACTOR] = [34, 58, 123, 125, 0x01000193];

/**
 * Tells whether JSON text has more names of members than those which cost the parser, and all who read the value after it, many
 * times what a known name in a small object does: names that are new, and all names of large objects. Counted part by part before
 * anything is built, and up to about one in a hundred.
 */
export class NameCount {
  /** If true, there are more names than that, and the rest is not read. */
  isOver = false;
  private readonly table = new Uint8Array(TABLE_BITS / 8);
  /** By chance, so that no one can send names that share their bits. */
  private readonly seed = Math.floor(Math.random() * 2 ** 32);
  /** Members of the objects around the current place. */
  private readonly members: number[] = [];
  private names = 0;
  private at = 0;
  /** Of the last string, until a colon has made it a name. */
  private start = 0;
  private end = 0;

  constructor(
    private readonly text: string,
    private readonly maxNames: number,
  ) {}

  /** Reads up to there, or to the end of the string that stands there. @returns whether there is more to read */
  readTo(last: number): boolean {
    const { text, table, seed, members, maxNames } = this;
    let { at, start, end, names } = this;
    for (const stop = Math.min(last, text.length); at < stop; at++) {
      const char = text.charCodeAt(at);
      if (char === QUOTE) {
        start = at + 1;
        at = end = endOfJsonString(text, at);
      } else if (char === OPEN) members.push(0);
      else if (char === CLOSE) members.pop();
      else if (char === COLON && members.length > 0) {
        const isOfLarge = ++members[members.length - 1]! > MOST_OF_A_SHAPE;
        const isOld = !isOfLarge && isKnown(table, hashOf(text, start, end, seed) >>> 10);
        // A colon behind a colon, which the parser refuses later, does not read a name of megabytes once more.
        start = end;
        if (isOld) continue;
        if (++names > maxNames) {
          this.isOver = true;
          return false;
        }
      }
    }
    this.at = at;
    this.start = start;
    this.end = end;
    this.names = names;
    return at < text.length;
  }
}

/** From then on it is. */
function isKnown(table: Uint8Array, bit: number): boolean {
  const mask = 1 << (bit & 7);
  const before = table[bit >> 3]!;
  table[bit >> 3] = before | mask;
  return (before & mask) !== 0;
}

function hashOf(text: string, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FACTOR);
  // So that the upper bits depend on each character.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
}
