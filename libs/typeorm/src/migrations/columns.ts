import type { QueryRunner } from 'typeorm';
import { type ColumnDescription, columnSql, type TableTarget } from './table-sql.js';

/** Adds a column unless it is there: MySQL commits each statement by itself, and a crash may come between two. */
export async function addColumn(
  runner: QueryRunner,
  target: TableTarget,
  table: string,
  column: string,
  type: ColumnDescription,
  /** In rows that are there, and in those of nodes that do not know the column. */
  defaultValue?: number,
): Promise<void> {
  if (await hasColumn(runner, target, table, column)) return;
  const described = `${columnSql(target.family, type)}${defaultValue === undefined ? '' : ` DEFAULT ${defaultValue}`}`;
  await runner.query(`ALTER TABLE ${target.qualifier}${table} ADD COLUMN ${column} ${described}`);
}

export async function dropColumn(
  runner: QueryRunner,
  target: TableTarget,
  table: string,
  column: string,
): Promise<void> {
  if (!(await hasColumn(runner, target, table, column))) return;
  await runner.query(`ALTER TABLE ${target.qualifier}${table} DROP COLUMN ${column}`);
}

/** PostgreSQL finds a name without a schema as a statement would. */
async function hasColumn(runner: QueryRunner, target: TableTarget, table: string, column: string): Promise<boolean> {
  const { family, qualifier } = target;
  const name = `${qualifier}${table}`;
  const sql = {
    sqlite: `SELECT 1 FROM pragma_table_info('${name}') WHERE name = '${column}'`,
    mysql:
      `SELECT 1 FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ` +
      `AND TABLE_NAME = '${name}' AND COLUMN_NAME = '${column}'`,
    postgres:
      `SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('${name}') ` +
      `AND attname = '${column}' AND NOT attisdropped`,
  }[family];
  return ((await runner.query(sql)) as unknown[]).length > 0;
}
