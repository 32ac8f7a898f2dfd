/** Rows by their ids, ticked under one filter. */
export interface Ticked<T> {
  readonly key: string;
  readonly rows: ReadonlyMap<string, T>;
  /** If true, all that matched were taken. */
  readonly isOfAll?: boolean;
}

/** What is ticked when a row is deleted. */
export function without<T>(ticked: Ticked<T>, id: string): Ticked<T> {
  if (!ticked.rows.has(id)) return ticked;
  const rows = new Map(ticked.rows);
  rows.delete(id);
  return { ...ticked, rows };
}

/** What is ticked, after these were asked for: as they are now, without those that were not found. */
export function renewed<T>(ticked: Ticked<T>, asked: readonly string[], found: ReadonlyMap<string, T>): Ticked<T> {
  const rows = new Map(ticked.rows);
  for (const id of asked) {
    const row = found.get(id);
    // Unticked meanwhile, it stays so.
    if (!rows.has(id)) continue;
    if (row === undefined) rows.delete(id);
    else rows.set(id, row);
  }
  return { ...ticked, rows };
}
