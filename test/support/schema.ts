import { createWaymarkDataSource } from '@waymark/typeorm';
import type { DataSource } from 'typeorm';
import type { TestBackend } from './backends.js';

export interface Manifest {
  [table: string]: { columns: string[]; indexes: string[] };
}

export async function inspect({ url = '', tablePrefix }: TestBackend, query: (dataSource: DataSource) => Promise<any>) {
  const dataSource = await createWaymarkDataSource(url, { tablePrefix }).initialize();
  try {
    return await query(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Tables, columns and indexes as the database has them, without the prefix. */
export async function schemaOf(backend: TestBackend): Promise<Manifest> {
  return inspect(backend, async (dataSource) => {
    const { tablePrefix } = backend;
    const runner = dataSource.createQueryRunner();
    const tables = await runner.getTables(await tableNames(dataSource, tablePrefix));
    await runner.release();
    const plain = (name: string) => name.replace(/^.*\./, '').replace(tablePrefix, '');
    const described = tables.map((table): [string, Manifest[string]] => [
      plain(table.name),
      {
        // The catalogue has no order of its own.
        columns: table.columns.map((column) => `${column.name}${column.isNullable ? '?' : ''}`).sort(),
        indexes: table.indices
          // TypeORM has the columns of PostgreSQL's indexes in the order of the table.
          .map((index) => `${index.isUnique ? 'unique ' : ''}${index.columnNames.toSorted().join(', ')}`)
          .sort((left, right) => (left < right ? -1 : 1)),
      },
    ]);
    return Object.fromEntries(described.sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}

export async function tableNames(dataSource: DataSource, prefix: string): Promise<string[]> {
  const sql =
    dataSource.options.type === 'better-sqlite3'
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '${prefix}%'`
      : `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE '${prefix}%'`;
  const rows = (await dataSource.query(sql)) as { name: string }[];
  return rows.map(({ name }) => name);
}
