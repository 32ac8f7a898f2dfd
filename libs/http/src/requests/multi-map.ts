import { setImmediate } from 'node:timers/promises';
import { decodeUtf8InTurns } from './decode-slices.js';
import { ControlCharacters, isControl } from './parse-content.js';

/**
 * Queries, headers and forms as workflows see them: a text for each name, or a list of texts if the name occurs several times.
 */
export type TextMap = Record<string, string | string[]>;

export function addText(map: TextMap, name: string, value: string): void {
  // Nearly all names come once. All objects have a `toString` and a `__proto__`, which are looked at below.
  if (map[name] === undefined) {
    map[name] = value;
    return;
  }
  const earlier = Object.hasOwn(map, name) ? map[name] : undefined;
  // Not by a new list: the cost of a name that comes often would grow with the square.
  if (Array.isArray(earlier)) return void earlier.push(value);
  const both = earlier === undefined ? value : [earlier, value];
  setText(map, name, both);
}

/** Sets an own member, whatever its name: assigning `__proto__` would change the prototype, or do nothing, and lose the value. */
export function setText<T>(map: Record<string, T>, name: string, value: NoInfer<T>): void {
  if (name === '__proto__')
    Object.defineProperty(map, name, { value, enumerable: true, writable: true, configurable: true });
  else map[name] = value;
}

export function parseUrlEncoded(text: string): TextMap {
  const map: TextMap = {};
  if (text === '') return map;
  // Nothing is encoded in most queries; what is needs the whole of the standard's rules.
  if (isEncoded(text) || text.startsWith('?'))
    for (const [name, value] of new URLSearchParams(text)) addText(map, name, value);
  else addPairs(map, text);
  return map;
}

/** Whether names and values are not as they stand there. */
export const isEncoded = (text: string): boolean => text.includes('%') || text.includes('+');

function addPairs(map: TextMap, text: string): void {
  // The next one: looked for from each pair, thousands of names without a value would cost the square.
  let equals = -1;
  for (let from = 0, end: number; from < text.length; from = end + 1) {
    const ampersand = text.indexOf('&', from);
    end = ampersand < 0 ? text.length : ampersand;
    if (end === from) continue;
    if (equals < from) equals = indexOr(text.length, text.indexOf('=', from));
    if (equals < end) addText(map, text.slice(from, equals), text.slice(equals + 1, end));
    else addText(map, text.slice(from, end), '');
  }
}

const indexOr = (otherwise: number, index: number): number => (index < 0 ? otherwise : index);

/**
 * Headers by their names as they came first. Code reads each in lower case, too; listing and storing show it once.
 *
 * @param rawHeaders names and values in turn, as Node has them
 */
export function parseHeaders(rawHeaders: readonly string[]): TextMap {
  const map: TextMap = {};
  // Most requests have each name once: then this is not needed.
  let spellings: Map<string, string> | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    let name = rawHeaders[i]!;
    const lower = name.toLowerCase();
    if (map[lower] !== undefined && Object.hasOwn(map, lower)) {
      spellings ??= new Map(Object.keys(map).map((key) => [key.toLowerCase(), key]));
      name = spellings.get(lower)!;
    } else spellings?.set(lower, name);
    addText(map, name, rawHeaders[i + 1]!);
    if (name !== lower) define(map, lower, map[name]);
  }
  return map;
}

const define = (map: object, alias: string, value: unknown): object =>
  Object.defineProperty(map, alias, { value, enumerable: false, configurable: true, writable: true });

/** Of a slice: some milliseconds. */
const SLICE_BYTES = 262_144;
const [PLUS, PERCENT, AMPERSAND, EQUALS, SPACE, QUESTION] = [43, 37, 38, 61, 32, 63];

/**
 * The same of a long text, as UTF-8: in linear time, and in slices that leave turns to other requests. The standard's parser takes
 * a second for ten megabytes.
 * @throws ContentSyntaxError for one that is mostly control characters
 */
export async function parseUrlEncodedInTurns(bytes: Buffer): Promise<TextMap> {
  const reader = new FieldReader(bytes);
  while (!reader.readSlice()) {
    await reader.addLongField();
    await setImmediate();
  }
  await reader.addLongField();
  return reader.map;
}

/** A field of more bytes is decoded in turns of its own. */
const LONG_FIELD_BYTES = 262_144;

class FieldReader {
  readonly map: TextMap = {};
  /** Of one field. What is decoded is no longer than before. */
  private readonly decoded: Buffer;
  private length = 0;
  private nameEnd = -1;
  private readonly controls = new ControlCharacters();
  private at: number;
  private from: number;
  /** Of a field that has ended and is too long to be decoded in this turn. Its bytes are those of `decoded`. */
  private long: { readonly name: Buffer; readonly value: Buffer } | undefined;

  constructor(private readonly bytes: Buffer) {
    this.decoded = Buffer.allocUnsafe(bytes.length);
    this.at = this.from = bytes[0] === QUESTION ? 1 : 0;
  }

  /** Reads on, up to the end of a long field, which `addLongField` adds. @returns whether that was all */
  readSlice(): boolean {
    const { bytes, decoded } = this;
    const last = Math.min(this.at + SLICE_BYTES, bytes.length);
    let { at, length } = this;
    let controls = 0;
    for (; at < last && !this.long; at++) {
      const byte = bytes[at]!;
      if (byte === AMPERSAND) {
        this.endField(at, length);
        length = 0;
      } else if (byte === EQUALS && this.nameEnd < 0) this.nameEnd = length;
      else if (byte === PLUS) decoded[length++] = SPACE;
      else if (byte === PERCENT && at + 2 < bytes.length && isHex(bytes[at + 1]!) && isHex(bytes[at + 2]!)) {
        const coded = (digit(bytes[at + 1]!) << 4) | digit(bytes[at + 2]!);
        if (isControl(coded)) controls++;
        decoded[length++] = coded;
        at += 2;
      } else {
        if (isControl(byte)) controls++;
        decoded[length++] = byte;
      }
    }
    this.controls.addCounted(controls);
    this.at = at;
    this.length = length;
    if (at < bytes.length || this.long) return false;
    this.endField(at, length);
    return true;
  }

  async addLongField(): Promise<void> {
    if (!this.long) return;
    const { name, value } = this.long;
    addText(this.map, await decodeUtf8InTurns(name), await decodeUtf8InTurns(value));
    this.long = undefined;
  }

  /** Nothing between two separators is not a field. */
  private endField(at: number, length: number): void {
    const { decoded, nameEnd } = this;
    const name = nameEnd < 0 ? length : nameEnd;
    if (length > LONG_FIELD_BYTES)
      this.long = { name: decoded.subarray(0, name), value: decoded.subarray(name, length) };
    else if (at > this.from)
      addText(this.map, decoded.toString('utf8', 0, name), decoded.toString('utf8', name, length));
    this.from = at + 1;
    this.nameEnd = -1;
  }
}

const isHex = (char: number): boolean =>
  char !== undefined && ((char >= 48 && char <= 57) || (char >= 65 && char <= 70) || (char >= 97 && char <= 102));

const digit = (char: number): number => (char <= 57 ? char - 48 : (char | 32) - 87);

/**
 * Lets members also be read by another spelling of their names, for code; listing, storing and converting the object
 * shows each member once.
 */
export function withAlias<T>(map: Record<string, T>, aliasOf: (name: string) => string): Record<string, T> {
  for (const name of Object.keys(map)) {
    const alias = aliasOf(name);
    // Not `in`: all objects have a `toString`, which a parameter may be called, too.
    if (!Object.hasOwn(map, alias)) define(map, alias, map[name]);
  }
  return map;
}
