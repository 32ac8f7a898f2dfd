import { hasManyGaps, isInAnyCasing } from '@waymark/core/adapter';
import { LongText } from './long-text.js';
import { type Place, replacePlaces } from './replace-places.js';

// Deeper values are left to the codec, which also finds cycles.
const MAX_DEPTH = 200;

// The codec writes objects with such member names in a form of their own.
const RISKY_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** By the length first, which spares nearly all names the look-up. */
const isRisky = (name: string): boolean => (name.length === 9 || name.length === 11) && RISKY_NAMES.has(name);

/** The version of the notes of the codec: their end. */
const VERSION = ',"v":1';

/**
 * Where expressions will still read a value: of objects there it is noted which ones they read in any casing. Otherwise all of it, all
 * but one member, or nothing.
 */
export type ReadParts = 'all' | 'none' | { readonly except: string };

/** A value as text, which may stand in another one. */
export interface ValueApart {
  readonly json: string;
  /** Members of the tree of notes, as JSON. */
  readonly notes: string;
  /** Where in it objects stand that expressions read in any casing. */
  readonly anyCasing: readonly (readonly (string | number)[])[];
}

/**
 * Where in a value there is something that JSON does not keep, as the codec (superjson) reads it: a tree of names. The codec
 * itself writes each path in full, which would be a seventh of an instance with many branches.
 */
export class ValueNotes {
  private readonly text = new LongText();
  /** Where bytes stand: what is written there is their text. */
  readonly bytes: Place[] = [];
  /** Where objects stand that expressions read in any casing, as the storage codec of @waymark/core notes them. */
  private readonly anyCasing: (string | number)[][] = [];
  private readonly path: (string | number)[] = [];
  /** How many steps of the path are written and not closed yet. */
  private open = 0;
  /** Something stands before the next name. Asking the text for its end would copy all of it each time. */
  private hasBefore = false;
  /** It has met a text or bytes that are longer than it was to collect. */
  hasLonger = false;
  private readonly notesCasing: boolean;
  private readonly unread: string | undefined;

  /** @param longest characters of a text, or bytes, that it collects */
  constructor(
    read: ReadParts = 'all',
    private readonly longest = Infinity,
  ) {
    this.notesCasing = read !== 'none';
    this.unread = typeof read === 'object' ? read.except : undefined;
  }

  /** False when there is something that only the codec can write. */
  collect(value: object, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (Array.isArray(value)) return this.collectItems(value, depth);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return this.collectInstance(value);
    if (this.notesCasing && isInAnyCasing(value) && !this.isUnread()) this.anyCasing.push([...this.path]);
    const members = value as Record<string, unknown>;
    for (const name in members) {
      if (isRisky(name)) return false;
      const member = members[name];
      if (typeof member === 'string' ? this.isShort(member) : isPlain(member)) continue;
      this.path.push(name);
      if (!this.collectOne(member, depth)) return false;
      this.leave();
    }
    return true;
  }

  /**
   * JSON of a part of the value, at the next step of the path; empty for what JSON leaves out. Undefined: only the codec can
   * write it.
   */
  textOf(step: string | number, part: unknown): string | undefined {
    try {
      return this.writtenOf(step, part);
    } catch {
      // A getter failed, for example. The codec says where.
      return undefined;
    }
  }

  private writtenOf(step: string | number, part: unknown): string | undefined {
    if (typeof step === 'string' && isRisky(step)) return undefined;
    this.enter(step);
    const depth = this.path.length;
    if (!this.collectOne(part, depth - 1)) return undefined;
    this.leave();
    if (this.bytes.length === 0) return JSON.stringify(part) ?? '';
    const bytes = this.bytes.splice(0).map(({ path, value }) => ({ path: path.slice(depth), value }));
    return JSON.stringify(bytes[0]!.path.length === 0 ? bytes[0]!.value : replacePlaces(part as object, bytes));
  }

  /** JSON of a value that was collected at an empty path, and notes on it that begin within it: it may stand anywhere. */
  apart(value: object): ValueApart {
    return {
      json: JSON.stringify(replacePlaces(value, this.bytes)),
      notes: this.text.take(),
      anyCasing: this.anyCasing,
    };
  }

  /** What is stored: the JSON, and beside it the notes. */
  beside(json: string): string {
    const notes = this.notes();
    return notes === '' ? `{"json":${json}}` : `{"json":${json},"meta":{${notes}}}`;
  }

  /**
   * The same of a large JSON in pieces, which are joined once: each copy of a text of megabytes takes as long as writing its JSON.
   * @param more a further note, as a member of JSON
   * @returns undefined: there are no notes beside which `more` could stand
   */
  besidePieces(json: readonly string[], more: string | undefined): string | undefined {
    const notes = this.notes(more);
    if (more !== undefined && !notes.endsWith(VERSION)) return undefined;
    return ['{"json":', ...json, ...(notes === '' ? [] : [',"meta":{', notes, '}']), '}'].join('');
  }

  private notes(more?: string): string {
    const anyCasing = this.anyCasing.length > 0 && `"anyCasing":${JSON.stringify(this.anyCasing)}`;
    const text = this.text.take();
    const values = text !== '' && `"values":{${text}}${more === undefined ? '' : `,${more}`}${VERSION}`;
    return [anyCasing, values].filter((note) => note !== false).join(',');
  }

  enter(step: string | number): void {
    this.path.push(step);
  }

  leave(): void {
    this.path.pop();
    if (this.open <= this.path.length) return;
    this.text.add('}');
    this.hasBefore = true;
    this.open--;
  }

  private collectItems(items: readonly unknown[], depth: number): boolean {
    if (hasManyGaps(items)) return false;
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      // Without a note there is no need of a path: that of five million numbers took longer than their text.
      if (typeof item === 'string' ? this.isShort(item) : isPlain(item)) continue;
      this.path.push(index);
      if (!this.collectOne(item, depth)) return false;
      this.leave();
    }
    return true;
  }

  private isUnread(): boolean {
    return this.unread !== undefined && this.path[0] === this.unread;
  }

  private isShort({ length }: string | Uint8Array): boolean {
    if (length <= this.longest) return true;
    this.hasLonger = true;
    return false;
  }

  private collectOne(value: unknown, depth: number): boolean {
    if (typeof value === 'string') return this.isShort(value);
    if (isPlain(value)) return true;
    if (value === undefined) return this.note('"undefined"');
    return typeof value === 'object' && this.collect(value, depth + 1);
  }

  private collectInstance(value: object): boolean {
    if (value instanceof Date) return this.noteDate(value);
    if (!(value instanceof Uint8Array) || this.path.length === 0 || !this.isShort(value)) return false;
    const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64');
    this.bytes.push({ path: [...this.path], value: text });
    return this.note('["custom","bytes"]');
  }

  private noteDate(date: Date): boolean {
    return !Number.isNaN(date.getTime()) && this.path.length > 0 && this.note('"Date"');
  }

  /** @param kind as JSON */
  private note(kind: string): boolean {
    const last = this.path.length - 1;
    for (; this.open < last; this.open++) {
      this.text.add(`${this.nextName(this.open)}:{`);
      this.hasBefore = false;
    }
    this.text.add(`${this.nextName(last)}:[${kind}]`);
    this.hasBefore = true;
    return true;
  }

  private nextName(depth: number): string {
    const step = this.path[depth]!;
    const name = typeof step === 'number' ? `"${step}"` : JSON.stringify(escapeStep(step));
    return this.hasBefore ? `,${name}` : name;
  }
}

/** A part that JSON keeps as it is, and that has no parts; texts are asked for before. */
const isPlain = (value: unknown): value is number | boolean | null =>
  typeof value === 'boolean' ||
  value === null ||
  (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0));

/** The codec takes a dot for the end of a step. */
function escapeStep(name: string): string {
  return /[\\.]/.test(name) ? name.replaceAll(/[\\.]/g, '\\$&') : name;
}
