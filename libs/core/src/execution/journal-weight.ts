import { isPlainObject } from '../values/plain-object.js';

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
    } else if (typeof value === 'object' && value !== null && !this.known.includes(value)) {
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

  private addLarge(value: unknown, weight: number): void {
    if (this.known.includes(value)) return;
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
  const rest: unknown[] = [value];
  let weight = 0;
  for (let parts = 0; rest.length > 0; parts++) {
    if (parts + rest.length > mostParts) return Math.max(weight, BEYOND);
    const part = rest.pop();
    if (typeof part === 'string') weight += part.length;
    else if (ArrayBuffer.isView(part)) weight += part.byteLength;
    else weight += PART + weightOfMembers(part, rest, mostParts);
  }
  return weight;
}

/** Adds the members to what is still to be looked at. @returns the weight of their names */
function weightOfMembers(value: unknown, rest: unknown[], mostParts: number): number {
  let weight = 0;
  try {
    if (Array.isArray(value)) {
      weight = PART * value.length;
      for (let i = 0; i < value.length && i < mostParts; i++) rest.push(value[i]);
    } else if (isPlainObject(value)) {
      for (const name in value) {
        weight += name.length + PART;
        // A getter is not called: that of an uploaded file reads all of it.
        const part: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
        if (rest.push(part) > mostParts) break;
      }
    }
  } catch {
    // Thrown here, it would fail the burst instead of the activity.
  }
  return weight;
}
