import { isPlainObject } from './plain-object.js';

/** A member to be restored: as a date, or as one that is there without a value. */
interface Place {
  readonly parent: Record<string, unknown>;
  readonly name: string;
  readonly isDate: boolean;
}

/** A dot stands between two steps, and a backslash before a dot of a name; the codec refuses the others. */
const SPECIAL_NAME = /[.\\]|^(?:__proto__|prototype|constructor)$/;

/**
 * Restores what nearly all stored values consist of beside JSON: dates, and members without a value. The codec (superjson) follows
 * each note from the root, letter by letter; this walks notes and value once, which takes a fifth of that.
 * @param notes as the codec writes them
 * @returns false where there is a note of any other kind: nothing has changed then, and all of it is for the codec
 */
export function restoreSimpleNotes(value: unknown, notes: unknown): boolean {
  const places: Place[] = [];
  if (!collect(value, notes, places)) return false;
  for (const { parent, name, isDate } of places) parent[name] = isDate ? new Date(parent[name] as string) : undefined;
  return true;
}

function collect(value: unknown, notes: unknown, places: Place[]): boolean {
  if (!isPlainObject(notes) || !(Array.isArray(value) || isPlainObject(value))) return false;
  const parent = value as Record<string, unknown>;
  for (const name in notes) {
    if (SPECIAL_NAME.test(name)) return false;
    const note = notes[name];
    if (!Array.isArray(note)) {
      if (!collect(parent[name], note, places)) return false;
      continue;
    }
    const isDate = note[0] === 'Date' && typeof parent[name] === 'string';
    if (note.length !== 1 || !(isDate || note[0] === 'undefined')) return false;
    places.push({ parent, name, isDate });
  }
  return true;
}
