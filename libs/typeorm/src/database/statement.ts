/** Lists are for `Conditions.oneOf` only, which writes them as the dialect needs. */
export type SqlValue = string | number | null | readonly (string | number)[];

/**
 * One statement with `?` for its parameters, whatever the database. Selects name their columns: with `*`, a migration run
 * by a newer node would break the statements that PostgreSQL has prepared for this one.
 */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** What must come of it; otherwise the transaction is rolled back with a `RefusedStatement`. */
  readonly expect?: { readonly affected: number } | { readonly rows: 0 };
}

export type Row = Record<string, unknown>;

export interface Result {
  readonly rows: readonly Row[];
  /** Rows that an UPDATE or DELETE matched, or an INSERT added. */
  readonly affected: number;
}

/**
 * A statement did not find what it must find, or met a row with the same key. Internal: whoever wrote the statement
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
  const met = 'affected' in expect ? affected === expect.affected : rows.length === expect.rows;
  if (!met) throw new RefusedStatement(sql);
}

// Statement parameters are limited: 32,766 on SQLite, 65,535 on PostgreSQL.
const MAX_PARAMS = 20_000;

/** Inserts rows, in as few statements as the databases allow. None for no rows. */
export function insertRows(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  suffix = '',
): Statement[] {
  const perStatement = Math.max(1, Math.floor(MAX_PARAMS / columns.length));
  const row = `(${columns.map(() => '?').join(', ')})`;
  const statements: Statement[] = [];
  for (let at = 0; at < rows.length; at += perStatement) {
    const some = rows.slice(at, at + perStatement);
    const values = some.length === 1 ? row : some.map(() => row).join(', ');
    statements.push({
      sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}${suffix}`,
      params: some.flat(),
    });
  }
  return statements;
}

/** Splits what would make a statement too long. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}
