import { createWaymarkDataSource } from '@waymark/typeorm';

type DataSource = ReturnType<typeof createWaymarkDataSource>;

/** More would be beyond what MySQL recurses by default. */
export const MOST_COPIES = 999;

export interface Copying {
  /** With its prefix. */
  readonly table: string;
  /** Of each row. Copies are numbered from 1. */
  readonly copies: number;
  /** Columns that differ: an expression of the row `o` and of `n.number`. */
  readonly replaced: Readonly<Record<string, string>>;
  /** Which rows `o` are copied. @default all */
  readonly where?: string;
  /** The order in which they are written. @default as the database likes */
  readonly order?: string;
}

/** Copies rows of a table, by one statement of which every database has the words. */
export async function copyRows(
  dataSource: DataSource,
  { table, copies, replaced, where, order }: Copying,
): Promise<void> {
  if (copies < 1) return;
  const columns = await columnsOf(dataSource, table);
  // A number that counts up is the database's own.
  const written = columns.filter((column) => column !== 'seq');
  await dataSource.query(
    `INSERT INTO ${table} (${written.join(', ')}) ` +
      `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${copies}) ` +
      `SELECT ${written.map((column) => replaced[column] ?? `o.${column}`).join(', ')} ` +
      `FROM ${table} o CROSS JOIN numbers n${where ? ` WHERE ${where}` : ''}${order ? ` ORDER BY ${order}` : ''}`,
  );
}

/** As servers do by themselves after a while. */
export async function analyzeTables(dataSource: DataSource, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    if (dataSource.options.type === 'postgres') await dataSource.query(`VACUUM ANALYZE ${table}`);
    if (dataSource.options.type === 'mariadb') await dataSource.query(`ANALYZE TABLE ${table}`);
  }
}

async function columnsOf(dataSource: DataSource, table: string): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    return (await runner.getTable(table))!.columns.map((column) => column.name);
  } finally {
    await runner.release();
  }
}
