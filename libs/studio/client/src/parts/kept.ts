import { fieldKind, type FormSchema, UnreadableJson } from './form-values.js';

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const PREFIX = 'waymark-kept ';

/**
 * What was filled in and not sent, by what it is of: in memory, and in the storage of this tab, because Studio loads the page anew by itself
 * after a deployment, and browsers do so with tabs in the background.
 */
export class Kept {
  private readonly values = new Map<string, unknown>();

  /** @param shelf asked for at each use: where people do not allow it, its mention alone throws @param owner in whose name it is written: it is not for the next person at this tab */
  constructor(
    private readonly shelf: () => Shelf,
    private readonly owner: () => string,
  ) {}

  /** @returns undefined when nothing is kept */
  get(name: string): { readonly value: unknown } | undefined {
    if (this.values.has(name)) return { value: this.values.get(name) };
    try {
      const text = this.shelf().getItem(this.nameOf(name));
      return text === null ? undefined : (JSON.parse(text) as { value: unknown });
    } catch {
      return undefined;
    }
  }

  /** @param schema of a form: its passwords are kept in memory only */
  set(name: string, value: unknown, schema?: FormSchema): void {
    this.values.set(name, value);
    try {
      this.shelf().setItem(this.nameOf(name), JSON.stringify({ value: storable(value, schema) }));
    } catch {
      // No room, or not allowed: until the page is loaded anew, it is in memory.
    }
  }

  delete(name: string): void {
    this.values.delete(name);
    this.remove(this.nameOf(name));
  }

  /** Another person comes, or the same one logs in again: what the owner of now has written stays. */
  clear(): void {
    this.values.clear();
    try {
      const names = Array.from({ length: this.shelf().length }, (_, index) => this.shelf().key(index));
      const own = this.nameOf('');
      for (const name of names) if (name?.startsWith(PREFIX) && !name.startsWith(own)) this.remove(name);
    } catch {
      // Not allowed: then nothing was written either.
    }
  }

  private remove(name: string): void {
    try {
      this.shelf().removeItem(name);
    } catch {
      // Not allowed: then nothing was written either.
    }
  }

  private nameOf(name: string): string {
    return `${PREFIX}${this.owner()} ${name}`;
  }
}

/** Without passwords, and without what is not JSON yet: it would come back as something else. */
function storable(value: unknown, schema: FormSchema = {}): unknown {
  if (value instanceof UnreadableJson) return undefined;
  const kind = fieldKind(schema);
  if (kind === 'password' || (kind !== 'object' && JSON.stringify(schema).includes('"format":"password"')))
    return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, storable(member, schema.properties?.[name])]),
  );
}
