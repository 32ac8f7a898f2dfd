/** The part of better-sqlite3's connection that is used; other drivers can be put behind it. */
export interface SqliteHandle {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  pragma(text: string, options?: { simple?: boolean }): unknown;
  function(name: string, options: { deterministic: boolean }, body: (...values: unknown[]) => unknown): unknown;
}

export interface SqliteStatement {
  /** Whether it answers rows. */
  readonly reader: boolean;
  all(...params: unknown[]): unknown[];
  run(...params: unknown[]): { changes: number };
}
