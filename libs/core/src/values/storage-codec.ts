import { SuperJSON } from 'superjson';
import { NewerFormatError } from '../errors/newer-format-error.js';
import { StoredValueError } from '../errors/stored-value-error.js';
import { isWaymarkError } from '../errors/waymark-error.js';
import { decodeBase64, encodeBase64 } from './base64.js';
import { findAnyCasing, restoreAnyCasing } from './any-casing.js';
import { simpleEqualities } from './simple-equalities.js';
import { restoreNotes } from './restore-notes.js';
import { EncryptedValue } from './encrypted-value.js';
import { hasManyGaps } from './gaps.js';
import { isPlainJson } from './plain-json.js';
import { escapeStep, notedJson } from './noted-json.js';
import { partsOfNotes } from './notes-in-parts.js';
import { isPlainObject, setMember } from './plain-object.js';
import { hasLongList, isFrame, ITEMS_OF_PART, LEVELS as FRAME_LEVELS, type Pause } from './long-lists.js';
import { EntryObject, hasRiskyName, storableCopy } from './storable-copy.js';
import { InstanceData } from './storable-type.js';
import { memberPath } from './value-path.js';

/** What is stored: readable JSON data, and beside it notes on what is more than JSON. No notes: all of it is plain. */
interface StoredValue {
  readonly json: unknown;
  readonly meta?: object;
}

/** Beside those of superjson, which passes over what it does not know, as nodes of earlier versions do. */
interface Notes {
  /** Paths of the objects that expressions read in any casing. */
  readonly anyCasing?: unknown;
}

/** Own instance: the default one of the package is shared with the application, which may register types with it. */
const codec = createCodec();

function createCodec(): SuperJSON {
  const superJson = new SuperJSON();
  superJson.registerCustom<Uint8Array, string>(
    {
      isApplicable: (value): value is Uint8Array => value instanceof Uint8Array,
      serialize: encodeBase64,
      deserialize: restoreBytes,
    },
    'bytes',
  );
  superJson.registerCustom<Error, Record<string, never>>(
    {
      isApplicable: (value): value is Error => value instanceof Error,
      serialize: (error) => ({ ...(error as unknown as Record<string, never>) }),
      deserialize: restoreError,
    },
    'error',
  );
  // A reader that does not know the name refuses the whole, and so changes nothing that it cannot read.
  superJson.registerCustom<EncryptedValue, [string, string]>(
    {
      isApplicable: (value): value is EncryptedValue => value instanceof EncryptedValue,
      serialize: ({ keyId, data }) => [keyId, data],
      deserialize: ([keyId, data]) => new EncryptedValue(keyId, data),
    },
    'encrypted',
  );
  superJson.registerCustom<EntryObject, [string, never][]>(
    {
      isApplicable: (value): value is EntryObject => value instanceof EntryObject,
      serialize: ({ entries }) => entries as [string, never][],
      // In memory these are objects again; the type argument only says what they are written from.
      deserialize: (entries) => restoreObject(entries) as unknown as EntryObject,
    },
    'entries',
  );
  superJson.registerCustom<InstanceData, [string, never]>(
    {
      isApplicable: (value): value is InstanceData => value instanceof InstanceData,
      serialize: (instance) => [instance.get('type') as string, instance.get('data') as never],
      // In memory these are instances of their classes.
      deserialize: ([type, data]) => InstanceData.restore(type, data) as InstanceData,
    },
    'instance',
  );
  return superJson;
}

/**
 * A value in storable form, which is JSON data. Keeps what JSON alone would lose: Date, Map, Set, bigint, undefined, NaN,
 * Uint8Array (also a Buffer, which comes back as Uint8Array), URL, RegExp, errors, instances of registered classes, and which
 * objects expressions read in any casing. References to the same object become
 * copies. Plain data is **not copied**: write the result as text before the value changes.
 * @param path what to call the value in an error, e.g. `variables.Order`
 * @throws ValueNotStorableError (`WM1102`) naming the part that cannot be stored
 */
export function encodeValue(value: unknown, path = 'value'): unknown {
  const walk = { hasAnyCasing: false };
  const isPlain = isPlainJson(value, walk);
  const stored = isPlain ? { json: value } : withNotes(value, path);
  const anyCasing = isPlain && !walk.hasAnyCasing ? undefined : findAnyCasing(value);
  return anyCasing ? { ...stored, meta: { ...stored.meta, anyCasing } satisfies Notes } : stored;
}

function withNotes(value: unknown, path: string): StoredValue {
  const { json, values } = notedJson(storableCopy(value, path), codec);
  return values ? { json, meta: { values, v: 1 } } : { json };
}

/**
 * Encodes a value like `encodeValue`, with a pause after each part of a long list. The codec takes longer for each level around
 * a note: the file of an instance with ten thousand branches took three seconds.
 */
export async function encodeInParts(value: unknown, path: string, pause: Pause): Promise<unknown> {
  if (!hasLongList(value) || !hasPlainParts(value)) return encodeValue(value, path);
  const notes: PartNotes = { values: {}, anyCasing: [] };
  const json = await encodePart(value, path, pause, [], notes);
  const values = Object.keys(notes.values).length > 0 ? { values: notes.values, v: 1 } : {};
  const meta = { ...values, ...(notes.anyCasing.length > 0 ? { anyCasing: notes.anyCasing } : {}) };
  return Object.keys(meta).length > 0 ? { json, meta } : { json };
}

type Step = string | number;

interface PartNotes {
  /** A tree of names. */
  readonly values: Record<string, unknown>;
  readonly anyCasing: Step[][];
}

async function encodePart(
  value: unknown,
  path: string,
  pause: Pause,
  at: readonly Step[],
  notes: PartNotes,
): Promise<unknown> {
  if (!hasLongList(value, FRAME_LEVELS - at.length) || !hasPlainParts(value))
    return noted(encodeValue(value, path), at, notes);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (let i = 0; i < value.length; i++) {
      if (i % ITEMS_OF_PART === 0) await pause();
      items.push(noted(encodeValue(value[i], memberPath(path, i)), [...at, i], notes));
    }
    return items;
  }
  const frame: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value))
    frame[name] = await encodePart(member, memberPath(path, name), pause, [...at, name], notes);
  return frame;
}

/** What its parts are encoded to stands in it as they do. */
const hasPlainParts = (value: unknown): value is unknown[] | Record<string, unknown> =>
  Array.isArray(value) ? !hasManyGaps(value) : isFrame(value) && !hasRiskyName(value);

/** Takes the notes of a part to those of the whole. @returns its JSON */
function noted(encoded: unknown, at: readonly Step[], notes: PartNotes): unknown {
  const { json, meta } = encoded as { json: unknown; meta?: { values?: object; anyCasing?: Step[][] } };
  if (!meta) return json;
  if (meta.values && Object.keys(meta.values).length > 0) placeNotes(meta.values, at, notes.values);
  for (const steps of meta.anyCasing ?? []) notes.anyCasing.push([...at, ...steps]);
  return json;
}

/**
 * Each name stands in the tree once, however many notes are in it. Only what the tree has itself is looked up: notes below `toString` would
 * be lost, and be added to that function of all objects.
 */
function placeNotes(values: object, at: readonly Step[], tree: Record<string, unknown>): void {
  const steps = at.map((step) => escapeStep(String(step)));
  const last = steps.pop();
  if (last === undefined) return void Object.assign(tree, values);
  let node = tree;
  for (const step of steps) {
    if (!Object.hasOwn(node, step)) node[step] = {};
    node = node[step] as Record<string, unknown>;
  }
  node[last] = values;
}

/** The value that `encodeValue` was given. @throws StoredValueError (`WM1054`), NewerFormatError (`WM2053`). Leaves `stored` alone; plain data is returned without copying it. */
export function decodeValue(stored: unknown): unknown {
  return decode(stored, false);
}

/** Text form of `encodeValue`. */
export function serialize(value: unknown, path = 'value'): string {
  return JSON.stringify(encodeValue(value, path));
}

/** The value that `serialize` was given. The type is the caller's claim, it is not checked. */
export function deserialize<T = unknown>(text: string): T {
  return decode(parsed(text), true) as T;
}

/** Without the error of the parser as cause: it shows a part of the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StoredValueError('it is not JSON');
  }
}

/**
 * Restores a value from the JSON of its text like `deserialize`, with a pause after each part where there are many notes: they
 * are followed one by one, which takes longer than to read the JSON. The JSON becomes the value: it is not copied.
 */
export async function decodeInParts<T = unknown>(stored: unknown, pause: () => Promise<void> | undefined): Promise<T> {
  if (!isStored(stored) || !isPlainObject(stored.meta)) return decode(stored, true) as T;
  let { json } = stored;
  for (const meta of partsOfNotes(stored.meta)) {
    json = decode({ json, meta }, true);
    const turn = pause();
    if (turn) await turn;
  }
  return json as T;
}

function decode(stored: unknown, inPlace: boolean): unknown {
  if (!isStored(stored)) throw new StoredValueError('it is not a stored value of Waymark');
  if (!Object.hasOwn(stored, 'meta')) return stored.json;
  try {
    // The copy of the codec would make a member `__proto__` the prototype of its object.
    const json = inPlace ? stored.json : structuredClone(stored.json);
    const meta = stored.meta as Notes | null;
    const value = (restoreInOneWalk(json, meta) ?? { value: restoreByCodec(json, meta) }).value;
    restoreAnyCasing(value, meta?.anyCasing);
    return value;
  } catch (error) {
    // The codec has no code for it. A kind of value that it does not know was registered by a later version.
    if (error instanceof Error && /unknown custom value/i.test(error.message))
      throw new NewerFormatError('A stored value', { cause: error });
    if (isWaymarkError(error)) throw error;
    // Without it as cause: that of an address, for one, shows the text.
    throw new StoredValueError('what it notes of its types does not fit');
  }
}

function restoreByCodec(json: unknown, meta: unknown): unknown {
  return codec.deserialize({ json, meta } as Parameters<SuperJSON['deserialize']>[0], { inPlace: true });
}

/** The parts of the value are restored already. */
const restoreOther = (kind: unknown, json: unknown): unknown => restoreByCodec(json, { values: [kind], v: 1 });

/** @returns undefined for what only the codec knows how to follow: nothing has changed then */
function restoreInOneWalk(json: unknown, meta: unknown): { readonly value: unknown } | undefined {
  if (!isPlainObject(meta)) return undefined;
  const { values, referentialEqualities } = meta;
  if (referentialEqualities === undefined)
    return values === undefined ? { value: json } : restoreNotes(json, values, restoreOther);
  // Their paths lead through values that are restored: where one has become a map, they are for the codec.
  const restoreEqualities = simpleEqualities(json, referentialEqualities);
  if (!restoreEqualities) return undefined;
  const restored = values === undefined ? { value: json } : restoreNotes(json, values);
  if (restored) restoreEqualities();
  return restored;
}

function isStored(stored: unknown): stored is StoredValue {
  return isPlainObject(stored) && Object.hasOwn(stored, 'json');
}

/** Not without them: an activity would continue with an empty file. */
function restoreBytes(text: string): Uint8Array {
  const bytes = decodeBase64(text);
  if (!bytes) throw new StoredValueError('bytes in it are not base64');
  return bytes;
}

function restoreObject(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [name, member] of entries) setMember(object, name, member);
  return object;
}

/** A real error again, its standard members hidden from enumeration as usual. */
function restoreError(fields: Record<string, unknown>): Error {
  const error = new Error();
  for (const [name, value] of Object.entries(fields)) {
    const enumerable = !['name', 'message', 'stack', 'cause'].includes(name);
    Object.defineProperty(error, name, { value, enumerable, writable: true, configurable: true });
  }
  return error;
}
