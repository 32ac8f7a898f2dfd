import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import type { WorkflowPersistence } from '@waymark/runtime';
import { createWaymarkDataSource, TypeOrmPersistence } from '@waymark/typeorm';
import { DataSource } from 'typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { type TestBackend, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

// How a server reads a text depends on settings of the session, which servers force on their clients and applications change.
// In GBK, the byte before a backslash or an apostrophe can take it for a part of itself.

const SETTINGS = {
  'GBK, forced by the server': 'SET NAMES gbk',
  'GBK without backslash escapes': "SET NAMES gbk, SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'",
  'no backslash escapes': "SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'",
  'ANSI quotes': "SET SESSION sql_mode = 'ANSI_QUOTES,STRICT_TRANS_TABLES'",
};

/** What each of them reads as the end of a text, and as SQL behind it, when it is written for another one. */
const ATTACKS = ["x' OR 1=1) #", "x\\' OR 1=1) #", '\ubf5c', "\ubf5c' OR 1=1) #", "\u8868' OR 1=1) #", 'x\\', "x''\\"];

const backends = await testBackends('mysql');

/** Opens a persistence whose connections are set in a way before we see them. */
type Open = (backend: TestBackend, setting: string) => Promise<{ store: WorkflowPersistence; end(): Promise<void> }>;

const forceOnEach = (dataSource: DataSource, setting: string): void => {
  const { pool } = dataSource.driver as unknown as { pool: { on(event: string, use: (c: Connection) => void): void } };
  pool.on('connection', (connection) => connection.query(setting));
};

interface Connection {
  query(sql: string): void;
}

const POOLS: Readonly<Record<string, Open>> = {
  'a pool of our own': async (backend, setting) => {
    const store = await backend.create();
    await store.initialize();
    const { dataSource } = store as unknown as { dataSource: DataSource };
    forceOnEach(dataSource, setting);
    // Those that are open already have been set up by us.
    const { pool } = dataSource.driver as unknown as {
      pool: { _freeConnections: { toArray(): { destroy(): void }[] } };
    };
    for (const connection of pool._freeConnections.toArray()) connection.destroy();
    return { store, end: () => store.close() };
  },
  "the application's pool": async (backend, setting) => {
    const dataSource = new DataSource({ type: 'mysql', url: backend.url!, entities: [], poolSize: 2 });
    await dataSource.initialize();
    forceOnEach(dataSource, setting);
    const store = TypeOrmPersistence.fromDataSource(dataSource, { tablePrefix: backend.tablePrefix });
    await store.initialize();
    return {
      store,
      end: async () => {
        await store.close();
        await dataSource.destroy();
      },
    };
  },
};

for (const [pool, open] of Object.entries(POOLS))
  for (const [named, setting] of Object.entries(SETTINGS))
    describeOn(backends, `${pool} with ${named}, on $name`, (backend) => {
      let store: WorkflowPersistence;
      let end: () => Promise<void>;

      beforeEach(async () => ({ store, end } = await open(backend, setting)));
      afterEach(() => end());
      afterAll(() => backend.drop());

      it('finds nothing by a text that would be SQL in another character set', async () => {
        await store.commit(aBurstOf({ ...anInstanceOf('secret'), name: 'secret' }));
        for (const searchTerm of ATTACKS) {
          const { items } = await store.instances.findMany({ searchTerm });
          expect([searchTerm, items.map(({ id }) => id)]).toEqual([searchTerm, []]);
          expect(await store.instances.load(searchTerm)).toBeUndefined();
        }
        const { items } = await store.instances.findMany({ searchTerm: 'secr' });
        expect(items).toHaveLength(1);
      });

      it('keeps such texts as they are', async () => {
        const output = { texts: ATTACKS };
        const instance = anInstanceOf('texts');
        await store.commit(aBurstOf({ ...instance, state: { ...instance.state, output } }));
        // Read by another session, which is what we expect of one.
        const other = await backend.create();
        await other.initialize();
        expect((await other.instances.load('texts'))?.state.output).toEqual(output);
        await other.close();
      });

      it('keeps such texts in messages of a transaction of the application', async () => {
        const { dataSource } = store as unknown as { dataSource: DataSource };
        const at = new Date();
        await dataSource.transaction(async (manager) => {
          const row = { id: 'm', kind: 'Test', payload: ATTACKS, createdAt: at, availableAt: at, attempts: 0 };
          await store.enlist(manager).add([row]);
        });
        const other = await backend.create();
        await other.initialize();
        const claimed = await other.outbox.claim({ owner: 'n', limit: 1, leaseMs: 1, now: at, exceptKinds: [] });
        expect(claimed.map(({ payload }) => payload)).toEqual([ATTACKS]);
        await other.outbox.delete('m');
        await other.close();
      });
    });

it('refuses a pool of our own with another character set', () => {
  const options = { type: 'mysql', url: 'mysql://127.0.0.1/x', charset: 'gbk' } as const;
  expect(() => createWaymarkDataSource(options)).toThrow(/option charset .* is gbk, but must be utf8mb4/);
});
