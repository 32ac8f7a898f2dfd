import { createHash } from 'node:crypto';
import type { JournalChunk } from '@waymark/core';
import { sizeUpTo } from './sizes-of-values.js';

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
/** Members of a bag, of a list in it, and of a file in that. */
const LOOKED_AT_DEPTH = 2;
const LOOKED_AT_MEMBERS = 8;
/** Characters that are encoded and hashed without a pause: a millisecond. All 10,000,000 of a text at once took four times as long for each. */
const HASHED_CHARS = 65_536;
/** About what a placeholder takes. */
const PLACEHOLDER_BYTES = 128;

/**
 * Returns a chunk with references in place of large values: of single members if these are large, otherwise of the whole bag. Undefined if
 * nothing is large.
 */
export function lighten(chunk: JournalChunk, options: LightenOptions): LightChunk | undefined {
  const pass = passOver(chunk, options);
  if (!pass) return undefined;
  const made = new Map<unknown, JournalValue>();
  for (const value of pass.large()) made.set(value, journalValueOf(options.serialize(value)));
  return pass.lightWith(made);
}

/**
 * The same with pauses. A form of 10 MB in an old character set becomes a text of 30 MB, which took 200 ms and more to be encoded and hashed. The
 * chunk must not change meanwhile.
 * @param pause gives others their turn, if it is time
 */
export async function lightenInTurns(
  chunk: JournalChunk,
  options: LightenOptions,
  pause: () => Promise<void> | undefined,
): Promise<LightChunk | undefined> {
  const pass = passOver(chunk, options);
  if (!pass) return undefined;
  const made = new Map<unknown, JournalValue>();
  for (const value of pass.large()) {
    await pause();
    const text = options.serialize(value);
    made.set(value, await journalValueInTurns(text, pause));
  }
  return pass.lightWith(made);
}

function passOver({ log, records }: JournalChunk, options: LightenOptions): Lightening | undefined {
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
  const pass = new Lightening(limit, { log, records });
  return pass.isLighter ? pass : undefined;
}

function journalValueOf(text: string): JournalValue {
  // Once for both: the text of an upload has megabytes.
  const bytes = Buffer.from(text);
  return { hash: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length, text };
}

async function journalValueInTurns(text: string, pause: () => Promise<void> | undefined): Promise<JournalValue> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    await pause();
    const end = endOfSlice(text, at + HASHED_CHARS);
    const slice = Buffer.from(text.slice(at, end));
    hash.update(slice);
    bytes += slice.length;
    at = end;
  }
  return { hash: hash.digest('hex'), bytes, text };
}

/** Not between the halves of a character: each would be hashed as an unknown one. */
function endOfSlice(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

/** Returns true if a value is obviously too large to be stored in its place: it is not turned into text to find out. */
export function hasLargeText(chunk: JournalChunk, maxInlineBytes: number): boolean {
  return hasTexts(chunk, { floor: maxInlineBytes, left: 0 });
}

/** Texts of fewer characters do not count: a loop of ten thousand rounds has many. */
const SHORTEST_COUNTED = 10_000;

/** Returns true if the texts and bytes of a chunk are obviously longer than that together, those apart that are short. */
export function hasMuchText(chunk: JournalChunk, most: number): boolean {
  return hasTexts(chunk, { floor: SHORTEST_COUNTED, left: most });
}

/** Texts of more than so many characters use up what is left. */
interface TextBudget {
  readonly floor: number;
  left: number;
}

function hasTexts({ log, records }: JournalChunk, budget: TextBudget): boolean {
  const isOver = (bag: Members | undefined): boolean => {
    try {
      return bag !== undefined && usesUp(bag, budget, 0);
    } catch {
      // A getter failed, for example: what makes it text says so, and where.
      return false;
    }
  };
  return (
    records.some(
      ({ activityState, outputs, payload }) => isOver(outputs) || isOver(activityState) || isOver(payload),
    ) || log.some(({ payload }) => isOver(payload))
  );
}

/** Looks as deep as a file in a list of files, and at the first few members only: every burst that is stored pays for this. */
function usesUp(value: unknown, budget: TextBudget, depth: number): boolean {
  if (typeof value === 'string' || value instanceof Uint8Array)
    return value.length > budget.floor && (budget.left -= value.length) < 0;
  if (typeof value !== 'object' || value === null || depth > LOOKED_AT_DEPTH) return false;
  let left = depth === 0 ? Infinity : LOOKED_AT_MEMBERS;
  for (const name in value) {
    if (usesUp((value as Members)[name], budget, depth + 1)) return true;
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

/** What stands in a light chunk. Hash and length are added when the value has been made text. */
interface Placeholder {
  readonly _type: 'JournalReference';
  hash: string;
  bytes: number;
}

/** Finds what is to be replaced, and replaces it once it has been made text. */
class Lightening {
  private readonly replaced: { value: unknown; path: JournalPath; placeholder: Placeholder }[] = [];
  private readonly chunk: JournalChunk;

  constructor(
    private readonly limit: number,
    { log, records }: JournalChunk,
  ) {
    this.chunk = {
      log: log.map((entry, index) => this.bagsOf(entry, ['log', index], BAGS_OF_ENTRIES)),
      records: records.map((record, index) => this.bagsOf(record, ['records', index], BAGS_OF_RECORDS)),
    };
  }

  get isLighter(): boolean {
    return this.replaced.length > 0;
  }

  /** A value is often in several entries of a burst: it is made text once. */
  large(): Iterable<unknown> {
    return new Set(this.replaced.map(({ value }) => value));
  }

  lightWith(made: ReadonlyMap<unknown, JournalValue>): LightChunk {
    const references = this.replaced.map(({ value, path, placeholder }) => {
      const { hash, bytes } = made.get(value)!;
      Object.assign(placeholder, { hash, bytes });
      return { path, hash, bytes };
    });
    const values = [...new Map([...made.values()].map((value) => [value.hash, value])).values()];
    return { chunk: this.chunk, references, values };
  }

  private bagsOf<T extends object>(source: T, path: JournalPath, bags: readonly (Bag & keyof T)[]): T {
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
    const { limit } = this;
    if (sizeUpTo(value, limit, 0) <= limit) return value;
    if (depth >= MAX_DEPTH || !isPlain(value)) return this.replace(value, path);
    const before = this.replaced.length;
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
    this.replaced.length = before;
    return this.replace(value, path);
  }

  private replace(value: unknown, path: JournalPath): Placeholder {
    const placeholder: Placeholder = { _type: 'JournalReference', hash: '', bytes: 0 };
    this.replaced.push({ value, path, placeholder });
    return placeholder;
  }
}

export function isPlain(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
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
