import type { ValueList } from '../dialect/value-list.js';

/** Lists are for `Conditions.oneOf` only, which writes them as the dialect needs, and for `rowLists`, where the dialect has lists. */
export type SqlValue = string | number | null | readonly (string | number)[] | ValueList;

/**
 * One statement with `?` for its parameters, whatever the database. Selects name their columns: with `*`, a migration run
 * by a newer node would break the statements that PostgreSQL has prepared for this one.
 */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** What must come of it; otherwise the transaction is rolled back with a `RefusedStatement`. */
  readonly expect?:
    | { readonly affected: number }
    | { readonly atLeast: number }
    | { readonly rows: (rows: readonly Row[]) => boolean };
}

export type Row = Record<string, unknown>;

export interface Result {
  readonly rows: readonly Row[];
  /** Rows that an UPDATE or DELETE matched, or an INSERT added. */
  readonly affected: number;
}

/**
 * A statement did not find what it must find, or met a row with the same key. Internal: the author of the statement
 * finds out why and throws the typed error.
 */
export class RefusedStatement extends Error {
  constructor(
    readonly sql: string,
    options?: { cause?: unknown },
  ) {
    super(`Refused: ${sql}`, options);
  }
}

/** @throws RefusedStatement */
export function verify({ sql, expect }: Statement, { affected, rows }: Result): void {
  if (!expect) return;
  if (!isMet(expect, affected, rows)) throw new RefusedStatement(sql);
}

function isMet(expect: NonNullable<Statement['expect']>, affected: number, rows: readonly Row[]): boolean {
  if ('affected' in expect) return affected === expect.affected;
  return 'atLeast' in expect ? affected >= expect.atLeast : expect.rows(rows);
}

/** Splits what would make a statement too long. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}
