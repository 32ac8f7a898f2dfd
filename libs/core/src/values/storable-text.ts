import { WaymarkError } from '../errors/waymark-error.js';

// What columns of every supported database hold, in characters; MySQL can index no more than 768 of them.
/** Longest id of a definition, version, bookmark or message. */
export const MAX_ID_LENGTH = 255;
/** Longest id of an instance: those of its activity executions begin with it. */
export const MAX_INSTANCE_ID_LENGTH = 200;
/** Longest text by which something is found: names, correlation ids, request keys, paths of endpoints. */
export const MAX_TEXT_LENGTH = 700;
/** In UTF-8. An entry of an index of PostgreSQL holds 2,704 bytes, and some have an id as well: 700 emoji would not fit. */
const MAX_TEXT_BYTES = 2100;

/** Thrown when a text by which rows are found is too long, or has a character that not every database stores. */
export class TextNotStorableError extends WaymarkError {
  readonly code = 'WM1103';
  constructor(
    /** What it is, e.g. `correlation id`. */
    readonly what: string,
    reason: string,
  ) {
    super(`The ${what} cannot be stored: ${reason}`);
  }
}

const LONE_SURROGATE = /\p{Cs}/u;
const NOT_KEPT = ', which databases cannot store. Remove it.';

/** Returns true if a text can be stored in a column by which something is found. */
export const isStorableText = (text: string): boolean =>
  text.length <= MAX_TEXT_LENGTH && !text.includes('\0') && !LONE_SURROGATE.test(text);

/**
 * Refuses a text that cannot be stored, where it comes in: if only the database refused it, the burst would be lost.
 * @param what as it is called in the message
 * @param maxBytes in UTF-8; Infinity for what is stored already: earlier builds had no such limit
 * @throws TextNotStorableError (`WM1103`)
 */
export function requireStorableText(
  what: string,
  text: string | null | undefined,
  maxLength: number = MAX_TEXT_LENGTH,
  maxBytes: number = MAX_TEXT_BYTES,
): void {
  if (!text) return;
  // Databases count a surrogate pair as one; counting is for the few that are too long without it.
  if (text.length > maxLength) {
    const characters = Array.from(text);
    const { length } = characters;
    if (length > maxLength)
      throw new TextNotStorableError(what, `it has ${length} characters, and ${maxLength} is the limit. Shorten it.`);
    // Up to 700 characters without counting pairs as one, a text has no more bytes than that.
    const bytes = characters.reduce((sum, character) => sum + utf8Length(character.codePointAt(0)!), 0);
    if (bytes > maxBytes)
      throw new TextNotStorableError(what, `it has ${bytes} bytes in UTF-8, and ${maxBytes} is the limit. Shorten it.`);
  }
  // PostgreSQL refuses U+0000, and half a surrogate pair comes back from any database as another character.
  if (text.includes('\0')) throw new TextNotStorableError(what, `it holds the character U+0000${NOT_KEPT}`);
  if (LONE_SURROGATE.test(text)) throw new TextNotStorableError(what, `it holds half of a surrogate pair${NOT_KEPT}`);
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
