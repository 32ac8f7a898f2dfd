import { afterAll, expect, it } from '@jest/globals';
import { createWaymarkDataSource, TypeOrmPersistence } from '@waymark/typeorm';
import { type TestBackend, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { inspect, manifestOf, schemaOf, tableNames, writeManifest } from '../support/schema.js';

const recorded = (backend: TestBackend): Promise<string[]> =>
  inspect(backend, async (dataSource) => {
    const rows = (await dataSource.query(`SELECT name FROM ${backend.tablePrefix}migrations ORDER BY id`)) as {
      name: string;
    }[];
    return rows.map(({ name }) => name);
  });

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'migrations: $name', (backend) => {
  afterAll(() => backend.drop());

  it('migrations are reported as missing if the host runs them itself and did not', async () => {
    const persistence = await backend.create({ migrate: false });
    await expect(persistence.initialize()).rejects.toMatchObject({
      code: 'WM7013',
      migrations: [
        'CreateTables',
        'BookmarkPatterns',
        'LookUpIndexes',
        'BookmarkClaims',
        'RequestKeyTimes',
        'AlterationPlans',
        'DefinitionChanges',
        'OutboxTurns',
        'JournalValues',
        'BulkPlans',
        'AlterationSelections',
        'BulkDeletions',
        'WaitingOfOneInstance',
        'UserTasks',
        'PausedTriggers',
        'ListIndexes',
        'AuditTrail',
        'Schedules',
        'Operations',
        'ExecutingById',
        'GrowthIndexes',
        'RoomForClaims',
        'ListOrders',
        'ProcessesOfNodes',
        'QuickCompression',
        'RequestedPlans',
      ].map((name) => expect.stringMatching(new RegExp(`^${name}\\d{13}$`))),
    });
    await persistence.close();
  });

  it('migrations run once when many nodes start at the same time', async () => {
    const nodes = await Promise.all(Array.from({ length: 6 }, () => backend.create()));
    await Promise.all(nodes.map((node) => node.initialize()));
    await Promise.all(nodes.map((node) => node.close()));
    const names = await recorded(backend);
    expect(new Set(names).size).toBe(names.length);
    const pending = await inspect(backend, (dataSource) => dataSource.showMigrations());
    expect(pending).toBe(false);
  });

  it('migrations make the schema of the manifest', async () => {
    const schema = await schemaOf(backend);
    if (process.env.WAYMARK_UPDATE_MANIFEST) writeManifest(backend, schema);
    expect(schema).toEqual(manifestOf(backend));
  });

  it('can run again after a crash between a migration and its record', async () => {
    await inspect(backend, (dataSource) => dataSource.query(`DELETE FROM ${backend.tablePrefix}migrations`));
    const persistence = await backend.create();
    await persistence.initialize();
    expect(await persistence.definitions.changeCounter()).toBe(0);
    await persistence.close();
    expect((await recorded(backend)).length).toBeGreaterThan(0);
  });

  it('migrations are understood by the TypeORM command line, which can undo them', async () => {
    const { length } = await recorded(backend);
    const left = await inspect(backend, async (dataSource) => {
      expect(await dataSource.showMigrations()).toBe(false);
      for (let undone = 0; undone < length; undone++) await dataSource.undoLastMigration();
      expect(await dataSource.showMigrations()).toBe(true);
      const names = await tableNames(dataSource, backend.tablePrefix);
      await dataSource.runMigrations();
      return names;
    });
    expect(
      left.filter((name: string) => name !== `${backend.tablePrefix}migrations` && !name.startsWith('sqlite_')),
    ).toEqual([]);
    const persistence = await backend.create({ migrate: false });
    await persistence.initialize();
    await persistence.close();
  });
});

describeOn(await testBackends('postgres'), 'compression: $name', (backend) => {
  const columns = ['instances.state', 'journal.data', 'journal_values.data', 'outbox.data'];

  it('is by LZ4 for what bursts write, where the server has it', async () => {
    const persistence = await backend.create();
    await persistence.initialize();
    await persistence.close();
    const { tablePrefix: prefix } = backend;
    const [offered, chosen] = await inspect(backend, async (dataSource) => [
      await dataSource.query(
        `SELECT unnest(enumvals) AS method FROM pg_settings WHERE name = 'default_toast_compression'`,
      ),
      await dataSource.query(
        `SELECT replace(attrelid::regclass::text, '${prefix}', '') || '.' || attname AS name FROM pg_attribute a
         JOIN pg_class c ON c.oid = attrelid WHERE relname LIKE '${prefix}%' AND to_jsonb(a) ->> 'attcompression' = 'l'`,
      ),
    ]);
    const hasLz4 = offered.some(({ method }: { method: string }) => method === 'lz4');
    expect(chosen.map(({ name }: { name: string }) => name).sort()).toEqual(hasLz4 ? columns : []);
    await backend.drop();
  });
});

describeOn(await testBackends('postgres'), 'a schema of its own: $name', ({ url }) => {
  it('is created, and holds the tables', async () => {
    const schema = 'waymark_schema_test';
    const persistence = TypeOrmPersistence.fromOptions({ type: 'postgres', url, schema });
    const admin = await createWaymarkDataSource(url).initialize();
    await admin.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await persistence.initialize();
    const definition = { saved: [], deletedIds: [], removedTriggerIds: [] };
    const trigger = {
      workflowDefinitionId: 'd',
      workflowDefinitionVersionId: 'v',
      name: 'n',
      activityId: 'a',
      hash: 'h',
    };
    await persistence.definitions.apply({
      ...definition,
      addedTriggers: [{ id: 't', ...trigger, dueAt: new Date(5) }],
    });
    await persistence.definitions.apply({
      ...definition,
      addedTriggers: [{ id: 't', ...trigger, dueAt: new Date(9) }],
    });
    expect((await persistence.triggers.findMany({}))[0]?.dueAt).toEqual(new Date(5));
    await persistence.close();
    const rows = await admin.query(
      `SELECT count(*) AS n FROM information_schema.tables WHERE table_schema = '${schema}'`,
    );
    expect(Number(rows[0].n)).toBe(28);
    await admin.query(`DROP SCHEMA ${schema} CASCADE`);
    await admin.destroy();
  });
});
