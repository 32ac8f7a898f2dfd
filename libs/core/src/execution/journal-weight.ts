import { isInAnyCasing } from '../values/any-casing.js';
import { isPlainObject } from '../values/plain-object.js';
import { unreadMemberOf } from '../values/unread-member.js';

/** In characters: values from this size on are counted once, however often the journal shows them. */
const LARGE = 32_000;
/** How many large values are remembered: a loop over a few large variables shows the same ones at each step. */
const KNOWN = 8;
/** Members and elements that are looked at in one value. A value with more of them counts as `BEYOND` at least. */
const MOST_PARTS = 10_000;
const BEYOND = 1_000_000;
/** A member of an object, an element of a list, a number, a date. */
const PART = 8;

/** How much a journal holds of values, in characters: steps that are few may show texts of megabytes each. */
export class JournalWeight {
  chars = 0;
  private readonly known: unknown[] = [];
  private next = 0;

  /** Counts a value that the journal holds from now on, unless it holds it already. */
  add(value: unknown): void {
    if (typeof value === 'string') {
      if (value.length < LARGE) this.chars += value.length;
      else this.addLarge(value, value.length);
    } else if (typeof value === 'object' && value !== null && !this.isKnown(value)) {
      const weight = roughChars(value);
      if (weight < LARGE) this.chars += weight;
      else this.addLarge(value, weight);
    }
  }

  /** Counts what is written each time that it is held, such as the payload of a message. */
  addAgain(value: unknown): void {
    this.chars += roughChars(value);
  }

  /** After the journal was taken. */
  clear(): void {
    this.chars = 0;
    // To set the length of a list that is empty is a call out of compiled code, at each burst.
    if (this.next > 0) this.known.length = this.next = 0;
  }

  /** Of nearly all bursts none is large. */
  private isKnown(value: unknown): boolean {
    return this.next > 0 && this.known.includes(value);
  }

  private addLarge(value: unknown, weight: number): void {
    if (this.isKnown(value)) return;
    this.known[this.next++ % KNOWN] = value;
    this.chars += weight;
  }
}

/**
 * Estimates how many characters a value takes as text. Getters are not called. What fails when it is read, such as a revoked proxy, counts
 * as nothing: it cannot be stored, and what stores it says so.
 * @param mostParts how many members and elements are looked at; a value with more of them counts for a million at least
 */
export function roughChars(value: unknown, mostParts = MOST_PARTS): number {
  if (!hasParts(value)) return charsOf(value);
  const weighing = new Weighing(mostParts);
  for (let next: object | undefined = value; next; next = weighing.rest?.pop()) {
    weighing.add(next);
    if (weighing.parts > mostParts) return Math.max(weighing.chars, BEYOND);
  }
  return weighing.chars;
}

const hasParts = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Of what has no parts. */
const charsOf = (value: unknown): number => (typeof value === 'string' ? value.length : PART);

/**
 * Headers, queries and route values, which no code but ours makes: they have no getters, so that no object has to be made to say so for each
 * member. Files are read in any casing as well, and content of theirs lies on a disk.
 */
const holdsData = (members: object): boolean => isInAnyCasing(members) && unreadMemberOf(members) === undefined;

/** One walk. Most values are flat: texts and numbers are added where they stand, and only objects in objects wait to be looked at. */
class Weighing {
  chars = 0;
  parts = 1;
  rest: object[] | undefined = undefined;

  constructor(private readonly mostParts: number) {}

  add(value: object): void {
    if (ArrayBuffer.isView(value)) {
      this.chars += value.byteLength;
      return;
    }
    this.chars += PART;
    try {
      if (Array.isArray(value)) this.addItems(value);
      else if (isPlainObject(value)) this.addMembers(value);
    } catch {
      // Thrown here, it would fail the burst instead of the activity.
    }
  }

  private addItems(items: readonly unknown[]): void {
    this.chars += PART * items.length;
    for (let i = 0; i < items.length && this.parts <= this.mostParts; i++) this.addPart(items[i]);
  }

  private addMembers(members: Readonly<Record<string, unknown>>): void {
    const isData = holdsData(members);
    for (const name in members) {
      this.chars += name.length + PART;
      // A getter is not called: that of an uploaded file reads all of it.
      this.addPart(isData ? members[name] : Object.getOwnPropertyDescriptor(members, name)?.value);
      if (this.parts > this.mostParts) return;
    }
  }

  private addPart(part: unknown): void {
    this.parts++;
    if (!hasParts(part)) this.chars += charsOf(part);
    else if (this.rest) this.rest.push(part);
    else this.rest = [part];
  }
}
