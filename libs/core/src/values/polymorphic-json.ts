import { parseIfJson } from './json-text.js';
import { isPlainObject, setMember } from './plain-object.js';

export interface StripOptions {
  /**
   * True also turns `{ "_type": …, "items": […] }` and `{ "_type": …, "values": […] }` into the list. Inside activity
   * nodes only: elsewhere such an object is data of the application.
   * @default false
   */
  readonly wrappedLists?: boolean;
}

/**
 * Returns plain data from JSON that Elsa has written with type and reference markers: `_type`, `_items`, `_island`, `$id`, `$ref`,
 * `$values` and escaped names (`\$key`). A reference gives the same object as the place it refers to.
 *
 * Data of users may hold members of the same names, a JSON schema for instance has `$id`. So the reference markers count only where and how
 * .NET writes them: `$id` before all other members, `$ref` alone, both with a number in quotes.
 */
export function stripMarkers(value: unknown, options: StripOptions = {}): unknown {
  return new Stripper(options, indexIds(value)).strip(value);
}

class Stripper {
  private readonly results = new Map<object, unknown>();

  constructor(
    private readonly options: StripOptions,
    private readonly byId: ReadonlyMap<string, object>,
  ) {}

  strip(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.strip(item));
    if (!isPlainObject(value)) return value;
    if (this.results.has(value)) return this.results.get(value);
    // Met again before it is done, an object contains itself. Cycles can be neither stored nor shown, so they end here.
    this.results.set(value, null);
    const result = this.stripObject(value);
    this.results.set(value, result);
    return result;
  }

  private stripObject(object: Record<string, unknown>): unknown {
    const target = this.byId.get(referenceIn(object) ?? '');
    if (target) return this.strip(target);
    // Islands are opaque JSON, kept so that nothing in them is taken for a marker.
    if (typeof object._island === 'string') return parseIfJson(object._island);
    const list = this.listIn(object);
    if (list) return list.map((item) => this.strip(item));
    return this.stripMembers(object);
  }

  private listIn(object: Record<string, unknown>): unknown[] | undefined {
    if (Array.isArray(object._items)) return object._items;
    if (Array.isArray(object.$values) && hasOnly(object, '$values', '$id', '_type')) return object.$values;
    if (!this.options.wrappedLists || typeof object._type !== 'string') return undefined;
    if (Array.isArray(object.items) && hasOnly(object, 'items', '$id', '_type')) return object.items;
    return Array.isArray(object.values) && hasOnly(object, 'values', '$id', '_type') ? object.values : undefined;
  }

  private stripMembers(object: Record<string, unknown>): Record<string, unknown> {
    const dropId = idOf(object) !== undefined;
    const result: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(object)) {
      if (name === '_type' && typeof member === 'string') continue;
      if (name === '$id' && dropId) continue;
      setMember(result, name.startsWith('\\$') ? name.slice(1) : name, this.strip(member));
    }
    return result;
  }
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
