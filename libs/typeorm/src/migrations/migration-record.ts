import type { MigrationInterface, QueryRunner } from 'typeorm';
import { familyOf, type SchemaSettings } from '../connection/database-family.js';
import { migrationsTableName } from '../dialect/tables.js';

const RECORD_COLUMNS = {
  sqlite: 'id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, timestamp BIGINT NOT NULL, name VARCHAR NOT NULL',
  mysql: 'id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, timestamp BIGINT NOT NULL, name VARCHAR(255) NOT NULL',
  postgres: 'id SERIAL PRIMARY KEY, timestamp BIGINT NOT NULL, name VARCHAR NOT NULL',
};

/** The table that says which migrations have run, maybe with its schema. */
export function recordTable({ prefix, schema }: SchemaSettings): string {
  return `${schema === undefined ? '' : `${schema}.`}${migrationsTableName(prefix)}`;
}

export async function createRecord(runner: QueryRunner, settings: SchemaSettings): Promise<void> {
  const family = familyOf(runner.dataSource);
  const { schema } = settings;
  // A schema that exists is left alone even where the account could not create it.
  if (schema !== undefined && !(await runner.hasSchema(schema))) await runner.query(`CREATE SCHEMA ${schema}`);
  await runner.query(`CREATE TABLE IF NOT EXISTS ${recordTable(settings)} (${RECORD_COLUMNS[family]})`);
}

/** Names of those that have run. */
export async function recorded(runner: QueryRunner, table: string): Promise<Set<string>> {
  const rows = (await runner.query(`SELECT name FROM ${table}`)) as { name: string }[];
  return new Set(rows.map((row) => row.name));
}

export async function record(runner: QueryRunner, table: string, migration: MigrationInterface): Promise<void> {
  const name = nameOf(migration);
  // TypeORM keeps the time at the end of the name in a column of its own.
  await runner.query(`INSERT INTO ${table} (timestamp, name) VALUES (${name.slice(-13)}, '${name}')`);
}

export async function forget(runner: QueryRunner, table: string, migration: MigrationInterface): Promise<void> {
  await runner.query(`DELETE FROM ${table} WHERE name = '${nameOf(migration)}'`);
}

export function nameOf(migration: MigrationInterface): string {
  return migration.name ?? migration.constructor.name;
}
