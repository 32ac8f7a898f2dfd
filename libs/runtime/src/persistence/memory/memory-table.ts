/**
 * Rows by id, with secondary indexes. Rows are never changed in place: a change puts a new row, so that what a reader
 * holds stays as it was.
 */
export class MemoryTable<Row extends { readonly id: string }, Index extends string = never> {
  private readonly rows = new Map<string, Row>();
  private readonly indexes = new Map<Index, Map<string, Map<string, Row>>>();

  /** @param keys of each index, how to get a row's key; undefined leaves the row out of it */
  constructor(private readonly keys: Record<Index, (row: Row) => string | undefined>) {
    for (const index of Object.keys(keys) as Index[]) this.indexes.set(index, new Map());
  }

  get(id: string): Row | undefined {
    return this.rows.get(id);
  }

  has(id: string): boolean {
    return this.rows.has(id);
  }

  /** In order of insertion. */
  values(): IterableIterator<Row> {
    return this.rows.values();
  }

  get size(): number {
    return this.rows.size;
  }

  find(index: Index, key: string): Iterable<Row> {
    return this.indexes.get(index)?.get(key)?.values() ?? [];
  }

  /** How many rows `find` gives. */
  count(index: Index, key: string): number {
    return this.indexes.get(index)?.get(key)?.size ?? 0;
  }

  put(row: Row): void {
    const former = this.rows.get(row.id);
    if (former) this.unindex(former);
    this.rows.set(row.id, row);
    for (const [index, rowsByKey] of this.indexes) {
      const key = this.keys[index](row);
      if (key === undefined) continue;
      const rows = rowsByKey.get(key);
      if (rows) rows.set(row.id, row);
      else rowsByKey.set(key, new Map([[row.id, row]]));
    }
  }

  delete(id: string): boolean {
    const row = this.rows.get(id);
    if (!row) return false;
    this.unindex(row);
    return this.rows.delete(id);
  }

  private unindex(row: Row): void {
    for (const [index, rowsByKey] of this.indexes) {
      const key = this.keys[index](row);
      if (key === undefined) continue;
      const rows = rowsByKey.get(key);
      rows?.delete(row.id);
      if (rows?.size === 0) rowsByKey.delete(key);
    }
  }
}
