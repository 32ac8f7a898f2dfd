/** Keeps the entries used last, up to a limit. */
export class LruCache<V> {
  private readonly entries = new Map<string, V>();
  /** Key used last: the one that need not be moved. */
  private newest: string | undefined;

  constructor(private readonly limit: number) {}

  get(key: string): V | undefined {
    const value = this.entries.get(key);
    if (value !== undefined && key !== this.newest) {
      // Moved to the end: the first entry is always the one unused for longest.
      this.entries.delete(key);
      this.entries.set(key, value);
      this.newest = key;
    }
    return value;
  }

  set(key: string, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    this.newest = key;
    if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value!);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  values(): Iterable<V> {
    return this.entries.values();
  }

  deleteWhere(selects: (value: V, key: string) => boolean): void {
    for (const [key, value] of this.entries) if (selects(value, key)) this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
