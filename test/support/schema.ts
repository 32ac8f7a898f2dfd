import { createWaymarkDataSource } from '@waymark/typeorm';
import type { DataSource } from 'typeorm';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestBackend } from './backends.js';

export interface Manifest {
  [table: string]: { columns: string[]; indexes: string[] };
}

const MANIFEST = path.join(import.meta.dirname, '../contract/schema-manifest.json');

/**
 * What MySQL has in place of an index of the others: each of its indexes ends with the primary key, and has all rows. None: one of
 * those that it has anyway gives the same rows in the same order.
 */
const ON_MYSQL: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  definitions: { 'id, is_latest, name': ['is_latest, name'], 'id, is_published, name': ['is_published, name'] },
  outbox: { seq: [] },
};

/** The schema that migrations make on that database. */
export function manifestOf(backend: TestBackend): Manifest {
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;
  if (!isMySql(backend)) return manifest;
  for (const [table, others] of Object.entries(ON_MYSQL))
    manifest[table]!.indexes = manifest[table]!.indexes.flatMap((index) => others[index] ?? [index]).sort(byText);
  return manifest;
}

/** Written by `WAYMARK_UPDATE_MANIFEST=1 npm test -- test/contract/migrations.spec.ts`, from a database that is not MySQL. */
export function writeManifest(backend: TestBackend, schema: Manifest): void {
  if (!isMySql(backend)) writeFileSync(MANIFEST, `${JSON.stringify(schema, null, 2)}\n`);
}

const isMySql = ({ name }: TestBackend): boolean => name === 'mysql';
const byText = (left: string, right: string): number => (left < right ? -1 : 1);

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
          .sort(byText),
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
