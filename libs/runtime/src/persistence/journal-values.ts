import { createHash } from 'node:crypto';
import type { JournalChunk } from '@waymark/core';

/**
 * Stands in a log entry or record for a value that is kept once, beside the journal of its instance: it was larger than
 * the store writes in place, or the reader did not ask for it (`JournalReading`).
 */
export class JournalReference {
  constructor(
    /** SHA-256 of the value as stored text, in hexadecimal digits. */
    readonly hash: string,
    /** Length of that text. */
    readonly bytes: number,
  ) {}

  /** How it stands in answers of the API. */
  toJSON(): object {
    return { journalValue: this.hash, bytes: this.bytes };
  }
}

/** A value as text, as it is stored beside the journal. */
export interface JournalValue {
  /** SHA-256 of the text, in hexadecimal digits. */
  readonly hash: string;
  /** Length of the text in UTF-8. */
  readonly bytes: number;
  /** The value as stored text. */
  readonly text: string;
}

/** Where in a chunk a reference stands: `records`, its index, the member, and names from there on. */
export type JournalPath = readonly (string | number)[];

/** A reference, and where it stands. */
export interface PlacedReference {
  /** SHA-256 of the value as stored text. */
  readonly hash: string;
  /** Length of that text. */
  readonly bytes: number;
  /** Where it stands in the chunk. */
  readonly path: JournalPath;
}

/** A chunk with plain placeholders where large values were: the list says that they are placeholders. */
export interface LightChunk {
  /** A copy, as far as anything in it was replaced. */
  readonly chunk: JournalChunk;
  /** Where values were replaced. */
  readonly references: readonly PlacedReference[];
  /** What was replaced, each once. */
  readonly values: readonly JournalValue[];
}

/** How large values are found and written. */
export interface LightenOptions {
  /** Values whose text takes more than that are replaced, in bytes. */
  readonly maxInlineBytes: number;
  /** Makes the stored text of a value. @throws ValueNotStorableError */
  readonly serialize: (value: unknown) => string;
}

type Members = Record<string, unknown>;
type Bag = 'payload' | 'activityState' | 'outputs' | 'properties' | 'metadata';

const BAGS_OF_ENTRIES = ['payload'] as const;
const BAGS_OF_RECORDS = ['payload', 'activityState', 'outputs', 'properties', 'metadata'] as const;

/** What is looked into for the large one among its members; deeper values are replaced as a whole. */
export const MAX_DEPTH = 4;
/** Deeper than any value that can be stored without the codec; ends cycles. */
const MAX_SIZED_DEPTH = 200;
/** Of texts up to that the characters count: asking for their bytes costs more than all else here. */
const SHORT = 256;
/** Members of a bag, of a list in it, and of a file in that. */
const LOOKED_AT_DEPTH = 2;
const LOOKED_AT_MEMBERS = 8;
/** About what a placeholder takes. */
const PLACEHOLDER_BYTES = 128;

/**
 * Returns a chunk with references in place of large values: of single members if these are large, otherwise of the whole bag. Undefined if
 * nothing is large.
 */
export function lighten({ log, records }: JournalChunk, options: LightenOptions): LightChunk | undefined {
  const { maxInlineBytes: limit } = options;
  const isSmall = (bag: Members | undefined) => bag === undefined || sizeUpTo(bag, limit, 0) <= limit;
  // As nearly all chunks are: these cost one look.
  if (
    log.every(({ payload }) => isSmall(payload)) &&
    records.every(
      ({ payload, activityState, outputs, properties, metadata }) =>
        isSmall(activityState) && isSmall(outputs) && isSmall(payload) && isSmall(properties) && isSmall(metadata),
    )
  )
    return undefined;
  const pass = new Lightening(options);
  const light = {
    log: log.map((entry, index) => pass.bagsOf(entry, ['log', index], BAGS_OF_ENTRIES)),
    records: records.map((record, index) => pass.bagsOf(record, ['records', index], BAGS_OF_RECORDS)),
  };
  return pass.references.length === 0
    ? undefined
    : { chunk: light, references: pass.references, values: pass.values() };
}

/** Returns true if a value is obviously too large to be stored in its place: it is not turned into text to find out. */
export function hasLargeText({ log, records }: JournalChunk, maxInlineBytes: number): boolean {
  const isLarge = (bag: Members | undefined): boolean => {
    try {
      return bag !== undefined && seemsLarge(bag, maxInlineBytes, 0);
    } catch {
      // A getter failed, for example: what makes it text says so, and where.
      return false;
    }
  };
  return (
    records.some(
      ({ activityState, outputs, payload }) => isLarge(outputs) || isLarge(activityState) || isLarge(payload),
    ) || log.some(({ payload }) => isLarge(payload))
  );
}

/** Looks as deep as a file in a list of files, and at the first few members only: every burst that is stored pays for this. */
function seemsLarge(value: unknown, limit: number, depth: number): boolean {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length > limit;
  if (typeof value !== 'object' || value === null || depth > LOOKED_AT_DEPTH) return false;
  let left = depth === 0 ? Infinity : LOOKED_AT_MEMBERS;
  for (const name in value) {
    if (seemsLarge((value as Members)[name], limit, depth + 1)) return true;
    if (--left === 0) return false;
  }
  return false;
}

/** Puts references into a chunk that was just read: in its own objects. Places that are not there are left out. */
export function placeReferences(chunk: JournalChunk, references: readonly PlacedReference[]): void {
  for (const { path, hash, bytes } of references) {
    let target: unknown = chunk;
    for (const step of path.slice(0, -1)) target = (target as Members | undefined)?.[step];
    const last = path.at(-1)!;
    if (typeof target === 'object' && target !== null && Object.hasOwn(target, last))
      (target as Members)[last] = new JournalReference(hash, bytes);
  }
}

class Lightening {
  readonly references: PlacedReference[] = [];
  /** A value is often in several entries of a burst: it is made text once. */
  private readonly known = new Map<unknown, JournalValue>();

  constructor(private readonly options: LightenOptions) {}

  /** Of the references that are left. */
  values(): JournalValue[] {
    const used = new Set(this.references.map(({ hash }) => hash));
    return [...new Map([...this.known.values()].map((value) => [value.hash, value])).values()].filter(({ hash }) =>
      used.has(hash),
    );
  }

  bagsOf<T extends object>(source: T, path: JournalPath, bags: readonly (Bag & keyof T)[]): T {
    let copy: T | undefined;
    for (const bag of bags) {
      const value = source[bag];
      if (value === undefined) continue;
      const light = this.light(value, [...path, bag], 0);
      if (light !== value) copy = { ...(copy ?? source), [bag]: light };
    }
    return copy ?? source;
  }

  private light(value: unknown, path: JournalPath, depth: number): unknown {
    const { maxInlineBytes: limit } = this.options;
    if (sizeUpTo(value, limit, 0) <= limit) return value;
    if (depth >= MAX_DEPTH || !isPlain(value)) return this.replace(value, path);
    const before = this.references.length;
    const copy: Members = {};
    let left = 2;
    for (const name of Object.keys(value)) {
      // Such a name would change the prototype of the copy.
      if (name === '__proto__') return this.replaceWhole(value, path, before);
      const member = value[name];
      const light = this.light(member, [...path, name], depth + 1);
      left += name.length + 4 + (light === member ? sizeUpTo(member, limit, 0) : PLACEHOLDER_BYTES);
      if (left > limit) return this.replaceWhole(value, path, before);
      copy[name] = light;
    }
    return copy;
  }

  /** Many members that are small each: they are kept as one value, and none of them by itself. */
  private replaceWhole(value: unknown, path: JournalPath, before: number): unknown {
    this.references.length = before;
    return this.replace(value, path);
  }

  private replace(value: unknown, path: JournalPath): unknown {
    const { hash, bytes } = this.valueOf(value);
    this.references.push({ path, hash, bytes });
    return { _type: 'JournalReference', hash, bytes };
  }

  private valueOf(value: unknown): JournalValue {
    const known = this.known.get(value);
    if (known) return known;
    const text = this.options.serialize(value);
    // Once for both: the text of an upload has megabytes.
    const bytes = Buffer.from(text);
    const made = { hash: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length, text };
    this.known.set(value, made);
    return made;
  }
}

export function isPlain(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** About how many bytes a value takes as text; anything beyond the limit once that is reached. */
function sizeUpTo(value: unknown, limit: number, depth: number): number {
  if (typeof value === 'string') return value.length > SHORT ? Buffer.byteLength(value) : value.length + 2;
  if (typeof value !== 'object' || value === null || depth > MAX_SIZED_DEPTH) return 8;
  if (Array.isArray(value)) return sizeOfItems(value, limit, depth);
  if (value instanceof Uint8Array) return Math.ceil(value.length / 3) * 4;
  if (value instanceof Set) return sizeOfItems(value, limit, depth);
  if (value instanceof Map) return sizeOfItems([...value].flat(1), limit, depth);
  let size = 2;
  for (const name in value) {
    size += name.length + 4 + sizeUpTo((value as Members)[name], limit - size, depth + 1);
    if (size > limit) return size;
  }
  return size;
}

function sizeOfItems(items: Iterable<unknown>, limit: number, depth: number): number {
  let size = 2;
  for (const item of items) {
    size += 1 + sizeUpTo(item, limit - size, depth + 1);
    if (size > limit) return size;
  }
  return size;
}

/** Default of the option `journalValueBytes` of stores: 32 kB. */
export const DEFAULT_JOURNAL_VALUE_BYTES = 32_768;
const LEAST_VALUE_BYTES = 1024;
const MOST_VALUE_BYTES = 16 * 1024 * 1024;

/** What the option `journalValueBytes` of stores must be, for their errors. */
export const JOURNAL_VALUE_BYTES = 'a whole number of bytes from 1,024 to 16,777,216 (16 MB)';

/** Returns true if a store accepts the value as its option `journalValueBytes`. */
export function isJournalValueBytes(bytes: number): boolean {
  return Number.isInteger(bytes) && bytes >= LEAST_VALUE_BYTES && bytes <= MOST_VALUE_BYTES;
}
