import { JsonTooLargeError, parseIfJson } from './json-text.js';
import { isPlainObject, setMember } from './plain-object.js';

export interface StripOptions {
  /**
   * True also turns `{ "_type": …, "items": […] }` and `{ "_type": …, "values": […] }` into the list. Inside activity
   * nodes only: elsewhere such an object is data of the application.
   * @default false
   */
  readonly wrappedLists?: boolean;
  /**
   * Most values that references may repeat, and most values in islands. References to objects with references double with each level:
   * forty lines would be a million million values. @default 1000000
   */
  readonly maxValues?: number;
}

/** Objects in objects, those that references lead to included: as many as a JSON text may have. */
const MAX_DEPTH = 1000;
/** So many characters of a text or a name count as one value. */
const CHARS_OF_VALUE = 128;

/**
 * Returns plain data from JSON that Elsa has written with type and reference markers: `_type`, `_items`, `_island`, `$id`, `$ref`,
 * `$values` and escaped names (`\$key`). A reference gives the same object as the place it refers to.
 *
 * Data of users may hold members of the same names, a JSON schema for instance has `$id`. So the reference markers count only where and how
 * .NET writes them: `$id` before all other members, `$ref` alone, both with a number in quotes.
 * @throws JsonTooLargeError (`WM1105`) for references that multiply or nest what they refer to beyond the limits
 */
export function stripMarkers(value: unknown, options: StripOptions = {}): unknown {
  return new Stripper(options, indexIds(value)).strip(value);
}

/** What an object has become, and its values with each reference followed. */
interface Stripped {
  readonly result: unknown;
  readonly weight: number;
}

const UNFINISHED: Stripped = { result: null, weight: 0 };

class Stripper {
  private readonly results = new Map<object, Stripped>();
  private readonly maxValues: number;
  private weight = 0;
  private repeated = 0;
  private islandValues = 0;
  private depth = 0;

  constructor(
    private readonly options: StripOptions,
    private readonly byId: ReadonlyMap<string, object>,
  ) {
    this.maxValues = options.maxValues ?? 1_000_000;
  }

  strip(value: unknown): unknown {
    this.weight += weightOf(value);
    if (!Array.isArray(value) && !isPlainObject(value)) return value;
    if (++this.depth > MAX_DEPTH)
      throw new JsonTooLargeError(`refers to objects that are nested more than ${MAX_DEPTH} levels deep`, 'depth');
    const result: unknown = Array.isArray(value) ? value.map((item) => this.strip(item)) : this.once(value);
    this.depth--;
    return result;
  }

  private once(value: Record<string, unknown>): unknown {
    const known = this.results.get(value);
    if (known) return this.again(known);
    // Met again before it is done, an object contains itself. Cycles can be neither stored nor shown, so they end here.
    this.results.set(value, UNFINISHED);
    const before = this.weight;
    const result = this.stripObject(value);
    this.results.set(value, { result, weight: this.weight - before });
    return result;
  }

  /** It is the same object here, and a copy of it wherever it is stored or shown. */
  private again({ result, weight }: Stripped): unknown {
    this.weight += weight;
    this.repeated += weight;
    if (this.repeated > this.maxValues)
      throw new JsonTooLargeError(
        `refers to its objects so often that they would be more than ${this.maxValues} values`,
        'values',
      );
    return result;
  }

  private stripObject(object: Record<string, unknown>): unknown {
    const target = this.byId.get(referenceIn(object) ?? '');
    if (target) return this.strip(target);
    // Islands are opaque JSON, kept so that nothing in them is taken for a marker.
    if (typeof object._island === 'string' && hasOnly(object, '_island', '$id', '_type'))
      return this.island(object._island);
    const list = this.listIn(object);
    if (list) return list.map((item) => this.strip(item));
    return this.stripMembers(object);
  }

  /** All islands together have one limit: each is a text that no other limit has counted the values of. */
  private island(text: string): unknown {
    const content = parseIfJson(text, { maxValues: Math.max(0, this.maxValues - this.islandValues) });
    const count = countValues(content);
    this.islandValues += count;
    this.weight += count;
    return content;
  }

  private listIn(object: Record<string, unknown>): unknown[] | undefined {
    if (Array.isArray(object._items) && hasOnly(object, '_items', '$id', '_type')) return object._items;
    if (Array.isArray(object.$values) && hasOnly(object, '$values', '$id', '_type')) return object.$values;
    if (!this.options.wrappedLists || typeof object._type !== 'string') return undefined;
    if (Array.isArray(object.items) && hasOnly(object, 'items', '$id', '_type')) return object.items;
    return Array.isArray(object.values) && hasOnly(object, 'values', '$id', '_type') ? object.values : undefined;
  }

  private stripMembers(object: Record<string, unknown>): Record<string, unknown> {
    const dropId = idOf(object) !== undefined;
    const result: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(object)) {
      this.weight += weightOf(name) - 1;
      if (name === '_type' && typeof member === 'string') continue;
      if (name === '$id' && dropId) continue;
      setMember(result, name.startsWith('\\$') ? name.slice(1) : name, this.strip(member));
    }
    return result;
  }
}

const weightOf = (value: unknown): number =>
  typeof value === 'string' ? 1 + Math.floor(value.length / CHARS_OF_VALUE) : 1;

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return weightOf(value);
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1);
}

const NUMBER_TEXT = /^\d+$/;
/** JavaScript lists such names before all others, whatever their place in the text. */
const INDEX_NAME = /^\d+$/;

/** Number under which an object is referred to. */
function idOf(object: Record<string, unknown>): string | undefined {
  const first = Object.keys(object).find((name) => name !== '_type' && !INDEX_NAME.test(name));
  const id = first === '$id' ? object.$id : undefined;
  return typeof id === 'string' && NUMBER_TEXT.test(id) ? id : undefined;
}

function referenceIn(object: Record<string, unknown>): string | undefined {
  const ref = hasOnly(object, '$ref') ? object.$ref : undefined;
  return typeof ref === 'string' && NUMBER_TEXT.test(ref) ? ref : undefined;
}

function hasOnly(object: Record<string, unknown>, ...names: string[]): boolean {
  return Object.keys(object).every((name) => names.includes(name));
}

/** All objects with an id. Where user data repeats an id the first one wins: .NET numbers from the outside in. */
function indexIds(value: unknown, index = new Map<string, object>()): Map<string, object> {
  if (Array.isArray(value)) {
    for (const item of value) indexIds(item, index);
  } else if (isPlainObject(value)) {
    const id = idOf(value);
    if (id !== undefined && !index.has(id)) index.set(id, value);
    for (const member of Object.values(value)) indexIds(member, index);
  }
  return index;
}
