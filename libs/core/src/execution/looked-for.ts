/** For so many keys, all items are looked at; for more, an index is made. */
export const FEW = 8;

/**
 * Items by a key that several of them may have. A burst that continues with one of ten thousand branches asks for a few, and an index of all of
 * them would cost more than everything else that it does; one that asks for all of them gets the index.
 */
export class LookedFor<T> {
  private asked = 0;
  private index: Map<string, T[]> | undefined;

  constructor(
    private readonly items: readonly T[],
    private readonly keyOf: (item: T) => string | undefined,
  ) {}

  /** Returns true if an item has that key. */
  has(key: string): boolean {
    return this.first(key) !== undefined;
  }

  /** The first item of that key. */
  first(key: string): T | undefined {
    if (this.index || ++this.asked > FEW) return this.all(key)[0];
    return this.items.find((item) => this.keyOf(item) === key);
  }

  /** All items of that key, in their order. */
  all(key: string): readonly T[] {
    if (!this.index && ++this.asked <= FEW) return this.items.filter((item) => this.keyOf(item) === key);
    return (this.index ??= this.indexed()).get(key) ?? NONE;
  }

  private indexed(): Map<string, T[]> {
    const index = new Map<string, T[]>();
    for (const item of this.items) {
      const key = this.keyOf(item);
      if (key === undefined) continue;
      const others = index.get(key);
      if (others) others.push(item);
      else index.set(key, [item]);
    }
    return index;
  }
}

const NONE: readonly never[] = Object.freeze([]);
