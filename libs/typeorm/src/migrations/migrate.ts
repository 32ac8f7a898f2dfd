import { setTimeout as sleep } from 'node:timers/promises';
import { isWaymarkError } from '@waymark/core';
import { StoreUnavailableError } from '@waymark/runtime';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { familyOf, type SchemaSettings } from '../connection/database-family.js';
import { DIALECTS } from '../dialect/dialect.js';
import { migrationsFor } from './index.js';
import { MIGRATION_GUARDS } from './migration-guards.js';
import { createRecord, nameOf, record, recorded, recordTable } from './migration-record.js';
import { MigrationSession } from './migration-session.js';
import type { MigrationWaits } from './migration-waits.js';

/**
 * Brings the tables up to date. Not by TypeORM's own runner: it runs the migrations of the whole data source, which may be
 * the application's, and two nodes starting at once would run the same one twice. The record has TypeORM's form, so its
 * command line can continue from there.
 */
export async function migrate(dataSource: DataSource, settings: SchemaSettings, waits: MigrationWaits): Promise<void> {
  const guard = MIGRATION_GUARDS[familyOf(dataSource)];
  const table = recordTable(settings);
  await MigrationSession.use(dataSource, waits, async (session) => {
    const { runner } = session;
    if ((await pendingOf(runner, settings)).length === 0) return;
    await guard(session, table, () => createRecord(runner, settings));
    for (const migration of instances(settings)) {
      const step = async (): Promise<void> => {
        // Another node may have run it while this one waited.
        if ((await recorded(runner, table)).has(nameOf(migration))) return;
        await session.allowing(waits.clientLimit(waits.statementMs), () => migration.up(runner));
        await record(runner, table, migration);
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
  const exists = await runner.hasTable(recordTable(settings));
  const done = exists ? await recorded(runner, recordTable(settings)) : new Set<string>();
  return instances(settings)
    .map(nameOf)
    .filter((name) => !done.has(name));
}

function instances({ prefix, schema }: SchemaSettings): MigrationInterface[] {
  return migrationsFor(prefix, schema).map((migration) => new migration());
}
