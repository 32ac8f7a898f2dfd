import { StoredValueError } from '../errors/stored-value-error.js';
import { isPlainObject } from './plain-object.js';

/** Restores a value without its parts, as the codec does. */
export type RestoreOther = (kind: unknown, stored: unknown) => unknown;

/** A member to be restored from what is stored, after all that is inside it. */
interface Place {
  readonly parent: Record<string, unknown>;
  readonly name: string;
  readonly kind: unknown;
}

/** How the kinds that nearly all values consist of are restored from their texts. */
const KINDS: ReadonlyMap<unknown, (text: string) => unknown> = new Map<unknown, (text: string) => unknown>([
  ['Date', restoreDate],
  ['number', restoreNumber],
  ['bigint', restoreBigInt],
]);

/** Or a name that is written otherwise. */
const SEVERAL_STEPS = /[.\\]/;

/** The codec refuses them. */
const RISKY_STEP = /^(?:__proto__|prototype|constructor)$/;

/**
 * Restores what stored values have beside JSON. The codec (superjson) follows each note from the root, letter by letter; this walks notes
 * and value once, which takes a fifth of that, and less the more levels are around a note.
 * @param notes as the codec writes them
 * @param restoreOther for values of kinds that have no text, whose parts are restored before; without it there may be none
 * @returns undefined where a note is not as the codec writes it: nothing has changed then, and all of it is for the codec
 */
export function restoreNotes(
  json: unknown,
  notes: unknown,
  restoreOther?: RestoreOther,
): { readonly value: unknown } | undefined {
  const root = { value: json };
  const places: Place[] = [];
  if (!collect(root, { value: notes }, places)) return undefined;
  if (!restoreOther && !places.every(({ parent, name, kind }) => isSimple(kind, parent[name]))) return undefined;
  for (const { parent, name, kind } of places) {
    const stored = parent[name];
    parent[name] = isSimple(kind, stored) ? restoreSimple(kind, stored) : restoreOther!(kind, stored);
  }
  return root;
}

function collect(value: unknown, notes: unknown, places: Place[]): boolean {
  if (!isPlainObject(notes)) return false;
  for (const path in notes) {
    const note = notes[path];
    let [parent, name]: [unknown, string | undefined] = [value, path];
    if (SEVERAL_STEPS.test(path)) {
      const steps = stepsOf(path);
      name = steps?.pop();
      parent = steps?.reduce(memberOf, value);
    }
    if (name === undefined || !(hasMember(parent, name) || isLeftOut(parent, name, note))) return false;
    if (!Array.isArray(note)) {
      if (!collect(parent[name], note, places)) return false;
      continue;
    }
    if (note.length !== 1 && (note.length !== 2 || !collect(parent[name], note[1], places))) return false;
    places.push({ parent, name, kind: note[0] });
  }
  return true;
}

/**
 * A dot stands between two steps, and a backslash before a dot or a backslash of a name.
 * @returns undefined: the codec refuses it
 */
function stepsOf(path: string): string[] | undefined {
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

/** JSON has no member without a value, where the text was written without a copy of the value: nearly every state has one. */
function isLeftOut(parent: unknown, name: string, note: unknown): parent is Record<string, unknown> {
  return (
    Array.isArray(note) &&
    note.length === 1 &&
    note[0] === 'undefined' &&
    isPlainObject(parent) &&
    !RISKY_STEP.test(name)
  );
}

const memberOf = (parent: unknown, name: string): unknown => (hasMember(parent, name) ? parent[name] : undefined);

const isSimple = (kind: unknown, stored: unknown): boolean =>
  kind === 'undefined' || (typeof stored === 'string' && KINDS.has(kind));

const restoreSimple = (kind: unknown, stored: unknown): unknown =>
  kind === 'undefined' ? undefined : KINDS.get(kind)!(stored as string);

/** A text that is not a date would become an invalid date, which cannot be stored again: the instance would fail later, wherever it is by then. */
function restoreDate(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new StoredValueError('a date in it is not a date');
  return date;
}

function restoreNumber(text: string): number {
  const number = Number(text);
  if (Number.isNaN(number) && text !== 'NaN') throw new StoredValueError('a number in it is not a number');
  return number;
}

function restoreBigInt(text: string): bigint {
  try {
    return BigInt(text);
  } catch {
    throw new StoredValueError('a whole number in it is not a number');
  }
}
