import type { SuperJSON } from 'superjson';
import { isPlainObject } from './plain-object.js';
import { EntryObject } from './storable-copy.js';
import { InstanceData } from './storable-type.js';

/** What stands at a place, and what is inside it; or places by their names. The codec (superjson) has always read both. */
type Note = readonly [kind: unknown, inner?: Notes] | Notes;
interface Notes {
  readonly [name: string]: Note;
}

const UNDEFINED: Note = ['undefined'];
const BIGINT: Note = ['bigint'];
const NUMBER: Note = ['number'];
const DATE: Note = ['Date'];

/**
 * What the codec writes of a value, in one walk and with a tree of notes. The codec itself writes the whole path of each note, level by
 * level: 29,000 times -0 took 1.5 s, and in a name of a megabyte no memory was enough.
 * @param copy of `storableCopy`
 * @param codec writes values that have no parts
 */
export function notedJson(copy: unknown, codec: SuperJSON): { readonly json: unknown; readonly values?: Note } {
  const writer = new Writer(codec);
  const json = writer.write(copy);
  const values = writer.takeNote();
  return values ? { json, values } : { json };
}

/** What is noted inside of a list or an object: one place, with the way to it from there outwards, or a tree of several. */
interface Inside {
  readonly note: Note;
  readonly way?: string[];
}

class Writer {
  /** On what was written last, or on the one place in it. */
  private note: Note | undefined;
  /**
   * From that place outwards. A way without branches becomes one name: as levels of their own, the notes would be deeper than their value,
   * and `JSON.stringify` would have no stack left for some that are stored. Joined at each level, 900 names of 1 kB took 5 s.
   */
  private way: string[] | undefined;

  constructor(private readonly codec: SuperJSON) {}

  write(value: unknown): unknown {
    this.note = undefined;
    this.way = undefined;
    switch (typeof value) {
      case 'undefined':
        this.note = UNDEFINED;
        return null;
      case 'bigint':
        this.note = BIGINT;
        return String(value);
      case 'number':
        if (Number.isFinite(value) && !Object.is(value, -0)) return value;
        this.note = NUMBER;
        return Object.is(value, -0) ? '-0' : String(value);
      case 'object':
        if (value === null) return null;
        // Called here, so that values of many levels need less of the stack.
        if (Array.isArray(value)) return this.writeItems(value);
        return isPlainObject(value) ? this.writeMembers(value) : this.writeOther(value);
      default:
        return value;
    }
  }

  /** On all that was written last. */
  takeNote(): Note | undefined {
    return this.note && this.way ? { [nameOf(this.way)]: this.note } : this.note;
  }

  private writeOther(value: object): unknown {
    if (value instanceof Date) {
      this.note = DATE;
      return value.toISOString();
    }
    if (value instanceof EntryObject) return this.writeEntries(value.entries);
    if (value instanceof InstanceData)
      return this.writeAs(['custom', 'instance'], [value.get('type'), value.get('data')]);
    if (value instanceof Map) return this.writeAs('map', [...value]);
    if (value instanceof Set) return this.writeAs('set', [...value]);
    if (value instanceof Error) return this.writeAs(['custom', 'error'], Object.fromEntries(Object.entries(value)));
    const { json, meta } = this.codec.serialize(value);
    this.note = meta?.values as Note | undefined;
    return json;
  }

  private writeAs(kind: unknown, parts: readonly unknown[] | Readonly<Record<string, unknown>>): unknown {
    const json = Array.isArray(parts)
      ? this.writeItems(parts)
      : this.writeMembers(parts as Readonly<Record<string, unknown>>);
    this.noteAround(kind);
    return json;
  }

  /** As a list of pairs, which are not walked as lists of their own: a request may have thousands of these inside one another. */
  private writeEntries(entries: readonly (readonly [name: string, member: unknown])[]): unknown[] {
    let inside: Inside | undefined;
    const written: unknown[] = [];
    for (let i = 0; i < entries.length; i++) {
      const [name, member] = entries[i]!;
      written.push([name, this.write(member)]);
      if (!this.note) continue;
      (this.way ??= []).push('1');
      inside = this.addedTo(inside, String(i), this.note);
    }
    this.take(inside);
    this.noteAround(['custom', 'entries']);
    return written;
  }

  private noteAround(kind: unknown): void {
    const inner = this.takeNote();
    this.note = inner ? [kind, inner as Notes] : [kind];
    this.way = undefined;
  }

  private writeItems(items: readonly unknown[]): unknown[] {
    let inside: Inside | undefined;
    const written: unknown[] = [];
    for (let i = 0; i < items.length; i++) {
      written.push(this.write(items[i]));
      if (this.note) inside = this.addedTo(inside, String(i), this.note);
    }
    this.take(inside);
    return written;
  }

  private writeMembers(members: Readonly<Record<string, unknown>>): object {
    let inside: Inside | undefined;
    const written: Record<string, unknown> = {};
    for (const name of Object.keys(members)) {
      written[name] = this.write(members[name]);
      if (this.note) inside = this.addedTo(inside, name, this.note);
    }
    this.take(inside);
    return written;
  }

  private addedTo(inside: Inside | undefined, name: string, note: Note): Inside {
    if (!inside) {
      const way = this.way ?? [];
      way.push(name);
      return { note, way };
    }
    const tree = inside.way ? branchOf(inside.note, inside.way) : (inside.note as Record<string, Note>);
    tree[escapeStep(name)] = this.takeNote()!;
    return inside.way ? { note: tree } : inside;
  }

  private take(inside: Inside | undefined): void {
    this.note = inside?.note;
    this.way = inside?.way;
  }
}

/** @param way from a place outwards, as in `branchOf` */
function nameOf(way: readonly string[]): string {
  let name = escapeStep(way[way.length - 1]!);
  for (let i = way.length - 2; i >= 0; i--) name += `.${escapeStep(way[i]!)}`;
  return name;
}

/** Of a tree that gets further branches beside it: its first name stands alone. */
function branchOf(note: Note, way: string[]): Record<string, Note> {
  const name = escapeStep(way.pop()!);
  return { [name]: way.length > 0 ? { [nameOf(way)]: note } : note };
}

/** The codec takes a dot for the end of a step. */
export const escapeStep = (name: string): string =>
  /[\\.]/.test(name) ? name.replaceAll(/[\\.]/g, String.raw`\$&`) : name;
