import { isPlainObject } from './plain-object.js';

/** A member to be restored from its text, or as one that is there without a value. */
interface Place {
  readonly parent: Record<string, unknown>;
  readonly name: string;
  readonly restore: (text: string) => unknown;
}

/** How values without parts are restored, by their kind. */
const KINDS: ReadonlyMap<unknown, (text: string) => unknown> = new Map<unknown, (text: string) => unknown>([
  ['Date', (text) => new Date(text)],
  ['number', Number],
  ['bigint', BigInt],
]);

/** The codec refuses them. */
const RISKY_STEP = /^(?:__proto__|prototype|constructor)$/;

/**
 * Restores what nearly all stored values consist of beside JSON: dates, numbers that JSON does not have, and members without a value. The
 * codec (superjson) follows each note from the root, letter by letter; this walks notes and value once, which takes a fifth of that, and
 * less the more levels are around a note.
 * @param notes as the codec writes them
 * @returns false where there is a note of any other kind: nothing has changed then, and all of it is for the codec
 */
export function restoreSimpleNotes(value: unknown, notes: unknown): boolean {
  const places: Place[] = [];
  if (!collect(value, notes, places)) return false;
  for (const { parent, name, restore } of places) parent[name] = restore(parent[name] as string);
  return true;
}

function collect(value: unknown, notes: unknown, places: Place[]): boolean {
  if (!isPlainObject(notes)) return false;
  for (const path in notes) {
    const note = notes[path];
    const steps = stepsOf(path);
    const name = steps?.pop();
    const parent = steps?.reduce(memberOf, value);
    if (name === undefined || !hasMember(parent, name)) return false;
    if (!Array.isArray(note)) {
      if (!collect(parent[name], note, places)) return false;
      continue;
    }
    const restore = note.length === 1 ? restorerOf(note[0], parent[name]) : undefined;
    if (!restore) return false;
    places.push({ parent, name, restore });
  }
  return true;
}

/**
 * A dot stands between two steps, and a backslash before a dot or a backslash of a name.
 * @returns undefined: the codec refuses it
 */
function stepsOf(path: string): string[] | undefined {
  if (!/[.\\]/.test(path)) return [path];
  const steps = [''];
  for (let i = 0; i < path.length; i++) {
    let char = path[i]!;
    if (char === '.') {
      steps.push('');
      continue;
    }
    if (char === '\\') {
      char = path[++i] ?? '';
      if (char !== '.' && char !== '\\') return undefined;
    }
    steps[steps.length - 1] += char;
  }
  return steps;
}

/** Of data that was imported, notes may say anything: nothing but members of the value itself is read or changed. */
function hasMember(parent: unknown, name: string): parent is Record<string, unknown> {
  if (Array.isArray(parent) ? !/^\d+$/.test(name) : !isPlainObject(parent)) return false;
  return !RISKY_STEP.test(name) && Object.hasOwn(parent as object, name);
}

const memberOf = (parent: unknown, name: string): unknown => (hasMember(parent, name) ? parent[name] : undefined);

function restorerOf(kind: unknown, stored: unknown): Place['restore'] | undefined {
  if (kind === 'undefined') return () => undefined;
  return typeof stored === 'string' ? KINDS.get(kind) : undefined;
}
