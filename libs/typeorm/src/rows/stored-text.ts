import { serialize as serializeAny } from '@waymark/core/adapter';
import { ValueTooLargeError } from '@waymark/runtime';
import { replacePlaces } from './replace-places.js';
import { type ReadParts, ValueNotes } from './value-notes.js';

/**
 * The text that the storage codec of @waymark/core would write, several times faster for what rows consist of: JSON data
 * with dates, bytes and undefined members. These need a note beside the JSON, and finding them takes one walk without copying
 * anything, while the codec copies the value twice, and the bytes of uploads with it. Values with anything else in them go to the codec.
 * @param path what to call the value in an error
 * @param read where expressions will still read it
 * @throws ValueNotStorableError, ValueTooLargeError
 */
export function serialize(value: unknown, path: string, read?: ReadParts): string {
  try {
    return textOf(value, path, new ValueNotes(read))!;
  } catch (error) {
    throw tooLargeOr(error, path);
  }
}

/**
 * The same of a value that expressions do not read, if it is of the kinds that need no codec and has nothing long in it. It is found out on
 * the walk that looks for kinds: nothing has been made text then.
 * @param longest characters of a text in it, or bytes
 * @returns `'long'` where there is something longer, and `'codec'` for what only the codec can write, or refuse
 */
export function serializeShort(value: object, longest: number): { readonly text: string } | 'long' | 'codec' {
  const notes = new ValueNotes('none', longest);
  try {
    if (!notes.collect(value, 0)) return notes.hasLonger ? 'long' : 'codec';
    return { text: notes.beside(JSON.stringify(replacePlaces(value, notes.bytes))) };
  } catch {
    return 'codec';
  }
}

/**
 * The same with a further note for the codec, beside those on the value.
 * @param more as a member of JSON
 * @returns undefined: there are no notes beside which it could stand
 * @throws ValueNotStorableError, ValueTooLargeError
 */
export function serializeBeside(
  value: object,
  path: string,
  more: string | undefined,
  read?: ReadParts,
): string | undefined {
  try {
    return textOf(value, path, new ValueNotes(read), more);
  } catch (error) {
    throw tooLargeOr(error, path);
  }
}

/** What to throw for an error of making a text: JavaScript has no texts beyond half a gigabyte. */
export function tooLargeOr(error: unknown, path: string): unknown {
  const isTooLong = error instanceof RangeError && /string length|string longer/i.test(error.message);
  return isTooLong ? new ValueTooLargeError({ subject: path }, { cause: error }) : error;
}

function textOf(value: unknown, path: string, notes: ValueNotes, more?: string): string | undefined {
  if (typeof value !== 'object' || value === null || !canCollect(notes, value))
    return withNote(serializeAny(value, path), more);
  const json = JSON.stringify(replacePlaces(value, notes.bytes));
  return more === undefined ? notes.beside(json) : notes.besidePieces([json], more);
}

/** How a text of the codec ends that has notes beside its JSON. */
const END = ',"v":1}}';

function withNote(text: string, more: string | undefined): string | undefined {
  if (more === undefined) return text;
  return text.endsWith(END) ? `${text.slice(0, -END.length)},${more}${END}` : undefined;
}

/** What fails when it is read is left to the codec as well, which says where. */
function canCollect(notes: ValueNotes, value: object): boolean {
  try {
    return notes.collect(value, 0);
  } catch {
    return false;
  }
}
