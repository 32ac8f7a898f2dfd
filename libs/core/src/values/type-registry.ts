import { arrayAlias, collectionAlias } from './type-alias.js';
import { parseTypeName } from './type-name.js';
import type { ValueType } from './value-type.js';

/** A type to be registered; its alias defaults to the one it is registered under. */
export type ValueTypeShape = Omit<ValueType, 'alias'> & { readonly alias?: string };

/** Generic collections by lower-case name, with the alias Elsa writes for them: interfaces are written as lists. */
const COLLECTIONS: ReadonlyMap<string, string> = new Map([
  ['list', 'List'],
  ['ilist', 'List'],
  ['icollection', 'List'],
  ['ienumerable', 'List'],
  ['ireadonlycollection', 'List'],
  ['ireadonlylist', 'List'],
  ['collection', 'Collection'],
  ['hashset', 'HashSet'],
  ['iset', 'HashSet'],
]);

const DICTIONARIES: ReadonlySet<string> = new Set(['dictionary', 'idictionary', 'ireadonlydictionary']);

/** Namespaces whose types are found by class name alone: types have moved between them from version to version. */
const FRAMEWORK_NAMESPACE = /^(Elsa|System|Microsoft|Newtonsoft)(\.|$)/i;

/** Longer names are not looked at: they come from outside, and no real type needs more. */
const MAX_NAME_LENGTH = 1000;
/** Spellings that are kept. A name of .NET may say any version of its assembly, so there is no end of them. */
const MOST_BUILT = 10_000;

/**
 * Types by name. Knows nothing at first; `createDefaultTypeRegistry` makes one with all aliases of Elsa, to which a host
 * adds its own. Equal names in any spelling give the same `ValueType` object, unless ten thousand others came between them.
 */
export class TypeRegistry {
  private readonly named = new Map<string, ValueType>();
  /** Types built from others, by alias, and every spelling resolved so far. Unknown names are not kept: see below. */
  private readonly built = new Map<string, ValueType>();

  /** @param isStrict what is converted to these types must have a form in them, see `ValueType.isStrict` */
  constructor(private readonly isStrict = false) {}

  /** Adds a type, or replaces the one of that name. Names are matched in any casing. */
  register(alias: string, type: ValueTypeShape, ...otherNames: string[]): ValueType {
    const registered: ValueType = { ...type, alias: type.alias ?? alias, ...(this.isStrict && { isStrict: true }) };
    for (const name of [alias, registered.alias, ...otherNames]) this.named.set(keyOf(name), registered);
    // A compound such as `X[]` may have been built from the type that is now replaced.
    this.built.clear();
    return registered;
  }

  /** The type a name stands for; `undefined` for an unknown one, which callers may drop, ignore or refuse. */
  resolve(text: string | null | undefined): ValueType | undefined {
    if (text == null || text === '' || text.length > MAX_NAME_LENGTH) return undefined;
    const key = keyOf(text);
    const known = this.named.get(key) ?? this.built.get(key);
    if (known) return known;
    const type = this.build(text);
    // Only hits are kept, or a client could fill the memory with names it made up.
    if (type) this.keep(key, type);
    return type;
  }

  /** Returns the type `X[]` for an element type `X`. */
  arrayOf(element: ValueType): ValueType {
    const bytes = element.alias === 'Byte' ? this.named.get('bytearray') : undefined;
    return bytes ?? this.intern({ alias: arrayAlias(element.alias), kind: 'list', element });
  }

  private build(text: string): ValueType | undefined {
    const parts = parseTypeName(text);
    switch (parts.form) {
      case 'array': {
        const element = this.resolve(parts.of);
        return element && this.arrayOf(element);
      }
      case 'nullable':
        return this.nullable(this.resolve(parts.of));
      case 'generic':
        return this.generic(parts.name.toLowerCase(), parts.args);
      case 'simple':
        return this.simple(parts.name, parts.namespace);
    }
  }

  private simple(name: string, namespace: string): ValueType | undefined {
    if (namespace === '') return this.named.get(keyOf(name));
    const exact = this.named.get(keyOf(`${namespace}.${name}`));
    return exact ?? (FRAMEWORK_NAMESPACE.test(namespace) ? this.named.get(keyOf(name)) : undefined);
  }

  private generic(name: string, args: readonly string[]): ValueType | undefined {
    const types = args.map((arg) => this.resolve(arg));
    const last = types.at(-1);
    if (!last || types.includes(undefined)) return undefined;
    if (name === 'nullable' && types.length === 1) return this.nullable(last);
    if (DICTIONARIES.has(name) && types.length === 2) return this.dictionary(name, last);
    const collection = types.length === 1 ? COLLECTIONS.get(name) : undefined;
    if (collection === undefined) return undefined;
    return this.intern({ alias: collectionAlias(collection, last.alias), kind: 'list', element: last });
  }

  /** Elsa has aliases for the common dictionaries, one for the interface and one for the class. Keys are always text. */
  private dictionary(name: string, element: ValueType): ValueType {
    const isInterface = name.startsWith('i');
    if (element.alias === 'String' || element.alias === 'Object') {
      const known = this.named.get(`${element.alias}${isInterface ? 'Dictionary' : 'Map'}`.toLowerCase());
      if (known) return known;
    }
    return this.intern({ alias: `Dictionary<String, ${element.alias}>`, kind: 'dictionary', element });
  }

  private nullable(type: ValueType | undefined): ValueType | undefined {
    if (!type || type.nullable) return type;
    return this.intern({ ...type, alias: `${type.alias}?`, nullable: true });
  }

  private intern(type: ValueType): ValueType {
    const key = keyOf(type.alias);
    const existing = this.built.get(key);
    if (existing) return existing;
    this.keep(key, type);
    return type;
  }

  private keep(key: string, type: ValueType): void {
    if (this.built.size >= MOST_BUILT) this.built.clear();
    this.built.set(key, type);
  }
}

const keyOf = (name: string): string => name.trim().toLowerCase();
