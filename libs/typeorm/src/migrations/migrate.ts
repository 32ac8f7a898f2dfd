import { setTimeout as sleep } from 'node:timers/promises';
import { isWaymarkError } from '@waymark/core';
import { StoreUnavailableError } from '@waymark/runtime';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { familyOf, type SchemaSettings } from '../connection/database-family.js';
import { DIALECTS } from '../dialect/dialect.js';
import { migrationsTableName } from '../dialect/tables.js';
import { waymarkMigrations } from './index.js';
import { MIGRATION_GUARDS } from './migration-guards.js';
import { MigrationSession } from './migration-session.js';
import type { MigrationWaits } from './migration-waits.js';

/**
 * Brings the tables up to date. Not by TypeORM's own runner: it runs the migrations of the whole data source, which may be
 * the application's, and two nodes starting at once would run the same one twice. The record has TypeORM's form, so its
 * command line can continue from there.
 */
export async function migrate(dataSource: DataSource, settings: SchemaSettings, waits: MigrationWaits): Promise<void> {
  const guard = MIGRATION_GUARDS[familyOf(dataSource)];
  const table = qualified(settings);
  await MigrationSession.use(dataSource, waits, async (session) => {
    const { runner } = session;
    if ((await pendingOf(runner, settings)).length === 0) return;
    await guard(session, table, () => createRecord(runner, settings));
    for (const migration of instances(settings)) {
      const step = async (): Promise<void> => {
        // Another node may have run it while this one waited.
        if ((await recorded(runner, table)).has(nameOf(migration))) return;
        await session.allowing(waits.clientLimit(waits.statementMs), () => migration.up(runner));
        await runner.query(
          `INSERT INTO ${table} (timestamp, name) VALUES (${timestampOf(migration)}, '${nameOf(migration)}')`,
        );
      };
      await givingWay(session, nameOf(migration), () => guard(session, table, step));
    }
  });
}

/**
 * A change that meets a lock of another session is taken back and tried again, so that the nodes that serve have the table meanwhile. So
 * is one that the server has chosen to end a deadlock with them.
 * @throws StoreUnavailableError when it is held for longer than another node that migrates would be waited for
 */
async function givingWay({ runner, waits }: MigrationSession, name: string, step: () => Promise<void>): Promise<void> {
  const family = familyOf(runner.dataSource);
  // Of SQLite the whole file is locked, which its guard waits for.
  const isLocked = (error: unknown): boolean => family !== 'sqlite' && DIALECTS[family].isTransient(error);
  const start = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      return await step();
    } catch (error) {
      if (isWaymarkError(error) || !isLocked(error)) throw error;
      const { guardSeconds } = waits;
      if (performance.now() - start > waits.guardMs)
        throw new StoreUnavailableError(
          `Another session has held a lock on a table that migration ${name} changes, for ${guardSeconds} s. ` +
            'End it (a backup, a report, a forgotten transaction?), and start again.',
          { cause: error },
        );
      if (tries === 0)
        new WorkflowLogger('WorkflowPersistence').warn(
          `Migration ${name} waits for a lock on its table that another session holds (a backup, a report, a forgotten transaction?). ` +
            `Retrying every few seconds, for ${guardSeconds} seconds; running nodes are not blocked.`,
        );
    }
    // Real time, as in `backoff`: it is the other session that must get on.
    await sleep(waits.lockPauseMs);
  }
}

/** Names of the migrations that have not run. */
export function pendingMigrations(
  dataSource: DataSource,
  settings: SchemaSettings,
  waits: MigrationWaits,
): Promise<string[]> {
  return MigrationSession.use(dataSource, waits, ({ runner }) => pendingOf(runner, settings));
}

async function pendingOf(runner: QueryRunner, settings: SchemaSettings): Promise<string[]> {
  const exists = await runner.hasTable(qualified(settings));
  const done = exists ? await recorded(runner, qualified(settings)) : new Set<string>();
  return instances(settings)
    .map(nameOf)
    .filter((name) => !done.has(name));
}

async function recorded(runner: QueryRunner, table: string): Promise<Set<string>> {
  const rows = (await runner.query(`SELECT name FROM ${table}`)) as { name: string }[];
  return new Set(rows.map((row) => row.name));
}

const RECORD_COLUMNS = {
  sqlite: 'id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, timestamp BIGINT NOT NULL, name VARCHAR NOT NULL',
  mysql: 'id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, timestamp BIGINT NOT NULL, name VARCHAR(255) NOT NULL',
  postgres: 'id SERIAL PRIMARY KEY, timestamp BIGINT NOT NULL, name VARCHAR NOT NULL',
};

async function createRecord(runner: QueryRunner, settings: SchemaSettings): Promise<void> {
  const family = familyOf(runner.dataSource);
  const { schema } = settings;
  // A schema that exists is left alone even where the account could not create it.
  if (schema !== undefined && !(await runner.hasSchema(schema))) await runner.query(`CREATE SCHEMA ${schema}`);
  await runner.query(`CREATE TABLE IF NOT EXISTS ${qualified(settings)} (${RECORD_COLUMNS[family]})`);
}

function qualified({ prefix, schema }: SchemaSettings): string {
  return `${schema === undefined ? '' : `${schema}.`}${migrationsTableName(prefix)}`;
}

function instances({ prefix, schema }: SchemaSettings): MigrationInterface[] {
  return waymarkMigrations(prefix, schema).map((migration) => new migration());
}

function nameOf(migration: MigrationInterface): string {
  return migration.name ?? migration.constructor.name;
}

/** TypeORM keeps the time at the end of the name in a column of its own. */
function timestampOf(migration: MigrationInterface): string {
  return nameOf(migration).slice(-13);
}
