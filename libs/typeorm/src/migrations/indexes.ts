import type { QueryRunner } from 'typeorm';
import { indexName } from '../dialect/index-name.js';
import type { TableTarget } from './table-sql.js';

/** An index of its own migration. */
export interface IndexChange {
  readonly table: string;
  readonly columns: readonly string[];
  /** As the database has it, where that differs from the names. */
  readonly sql?: Partial<Record<TableTarget['family'], string>>;
  readonly where?: string;
}

/** Unless it is there. */
export async function createIndex(runner: QueryRunner, target: TableTarget, index: IndexChange): Promise<void> {
  const { table, columns, sql, where } = index;
  const name = nameOf(target, index);
  const listed = `${target.qualifier}${table} (${sql?.[target.family] ?? columns.join(', ')})`;
  if (target.family !== 'mysql') {
    await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ${listed}${where ? ` WHERE ${where}` : ''}`);
  } else if (!(await isThere(runner, target, index))) {
    await runner.query(`CREATE INDEX ${name} ON ${listed}`);
  }
}

export async function dropIndex(runner: QueryRunner, target: TableTarget, index: IndexChange): Promise<void> {
  const { table, columns } = index;
  if (target.family !== 'mysql') {
    // With the schema before it: an index is found like a table.
    await runner.query(`DROP INDEX IF EXISTS ${target.qualifier}${table}_${columns.join('_')}`);
  } else if (await isThere(runner, target, index)) {
    await runner.query(`DROP INDEX ${nameOf(target, index)} ON ${target.qualifier}${table}`);
  }
}

function nameOf({ family, prefix }: TableTarget, { table, columns }: IndexChange): string {
  return indexName(family, prefix + table, columns);
}

/** MySQL has neither CREATE INDEX IF NOT EXISTS nor DROP INDEX IF EXISTS. */
async function isThere(runner: QueryRunner, target: TableTarget, index: IndexChange): Promise<boolean> {
  const rows = (await runner.query(
    `SELECT 1 FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() ` +
      `AND TABLE_NAME = '${target.qualifier}${index.table}' AND INDEX_NAME = '${nameOf(target, index)}' LIMIT 1`,
  )) as unknown[];
  return rows.length > 0;
}
