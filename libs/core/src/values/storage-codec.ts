import { SuperJSON } from 'superjson';
import { NewerFormatError } from '../errors/newer-format-error.js';
import { decodeBase64, encodeBase64 } from './base64.js';
import { findAnyCasing, restoreAnyCasing } from './any-casing.js';
import { simpleEqualities } from './simple-equalities.js';
import { restoreSimpleNotes } from './simple-notes.js';
import { EncryptedValue } from './encrypted-value.js';
import { isPlainJson } from './plain-json.js';
import { partsOfNotes } from './notes-in-parts.js';
import { isPlainObject, setMember } from './plain-object.js';
import { EntryObject, storableCopy } from './storable-copy.js';
import { InstanceData } from './storable-type.js';

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
      deserialize: (text) => decodeBase64(text) ?? new Uint8Array(),
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
      serialize: (object) => [...object] as [string, never][],
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
  const stored: StoredValue = isPlain ? { json: value } : withoutEqualities(codec.serialize(storableCopy(value, path)));
  const anyCasing = isPlain && !walk.hasAnyCasing ? undefined : findAnyCasing(value);
  return anyCasing ? { ...stored, meta: { ...stored.meta, anyCasing } satisfies Notes } : stored;
}

/**
 * A copy has no object twice, but the codec takes equal bigints for one. It finds such places in the JSON, and cannot follow their paths
 * once an instance of a class stands there: what was stored could not be read any more.
 */
function withoutEqualities({ json, meta }: ReturnType<SuperJSON['serialize']>): StoredValue {
  if (!meta?.referentialEqualities) return meta ? { json, meta } : { json };
  const { referentialEqualities: _, ...others } = meta;
  return { json, meta: others };
}

/** The value that `encodeValue` was given. Leaves `stored` alone; plain data is returned without copying it. */
export function decodeValue(stored: unknown): unknown {
  return decode(stored, false);
}

/** Text form of `encodeValue`. */
export function serialize(value: unknown, path = 'value'): string {
  return JSON.stringify(encodeValue(value, path));
}

/** The value that `serialize` was given. The type is the caller's claim, it is not checked. */
export function deserialize<T = unknown>(text: string): T {
  return decode(JSON.parse(text), true) as T;
}

/**
 * What `deserialize` makes of a text, of its JSON. With a pause after each part where there are many notes: they are followed
 * one by one, which takes longer than to read the JSON. The JSON becomes the value: it is not copied.
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
  if (!isStored(stored))
    throw new TypeError('This is not a stored value: it was not written by encodeValue or serialize.');
  if (!Object.hasOwn(stored, 'meta')) return stored.json;
  if (inPlace && isSimple(stored)) return stored.json;
  try {
    const value = codec.deserialize(stored as unknown as Parameters<SuperJSON['deserialize']>[0], { inPlace });
    restoreAnyCasing(value, (stored.meta as Notes | null)?.anyCasing);
    return value;
  } catch (error) {
    // The codec has no code for it. A kind of value that it does not know was registered by a later version.
    if (error instanceof Error && /unknown custom value/i.test(error.message))
      throw new NewerFormatError('A stored value', { cause: error });
    throw error;
  }
}

/** The notes that all large states have, and nearly all values. */
const SIMPLE: ReadonlySet<string> = new Set(['values', 'referentialEqualities', 'v']);

/** Beside JSON it had dates, members without a value and members that are equal only, which are restored now. */
function isSimple({ json, meta }: StoredValue): boolean {
  if (!isPlainObject(meta)) return false;
  for (const name in meta) if (!SIMPLE.has(name)) return false;
  const { values, referentialEqualities } = meta;
  if (referentialEqualities === undefined) return values === undefined || restoreSimpleNotes(json, values);
  const restoreEqualities = simpleEqualities(json, referentialEqualities);
  if (!restoreEqualities || (values !== undefined && !restoreSimpleNotes(json, values))) return false;
  restoreEqualities();
  return true;
}

function isStored(stored: unknown): stored is StoredValue {
  return isPlainObject(stored) && Object.hasOwn(stored, 'json');
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
