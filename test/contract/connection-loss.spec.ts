import { afterAll, expect, it } from '@jest/globals';
import { TypeOrmPersistence } from '@waymark/typeorm';
import type { WorkflowPersistence } from '@waymark/runtime';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

const start = (id: string) =>
  aBurstOf(anInstanceOf(id), {
    addedBookmarks: [
      {
        id: `${id}-b`,
        name: 'x',
        hash: id,
        workflowInstanceId: id,
        activityInstanceId: 'a',
        createdAt: new Date(0),
      },
    ],
  });

/** Ids of the sessions that a persistence has open, and of no others. */
async function sessionsOf(persistence: WorkflowPersistence, admin: DataSource): Promise<number[]> {
  const { driver } = (persistence as any).dataSource;
  if (admin.options.type === 'mysql') return driver.pool._allConnections.toArray().map((c: any) => c.threadId);
  return driver.master._clients.map((client: any) => client.processID);
}

async function kill(admin: DataSource, sessions: readonly number[]): Promise<void> {
  for (const id of sessions) {
    const sql = admin.options.type === 'mysql' ? `KILL ${id}` : `SELECT pg_terminate_backend(${id})`;
    // Gone by itself meanwhile.
    await admin.query(sql).catch(() => undefined);
  }
}

describeOn(await testBackends('mysql', 'postgres'), 'sessions that are killed: $name', (backend) => {
  const { url } = backend;

  afterAll(() => backend.drop());

  it.each(['own pool', "application's pool"])(
    'cost no commit that was acknowledged, and nothing is half there: %s',
    async (pool) => {
      const admin = await new DataSource({ type: backend.name, url, poolSize: 1 } as DataSourceOptions).initialize();
      const shared = await new DataSource({ type: backend.name, url, poolSize: 6 } as DataSourceOptions).initialize();
      const persistence =
        pool === 'own pool'
          ? ((await backend.create()) as TypeOrmPersistence)
          : TypeOrmPersistence.fromDataSource(shared, { tablePrefix: backend.tablePrefix });
      await persistence.initialize();

      const outcomes = new Map<string, string>();
      let running = true;
      const killer = (async () => {
        for (let round = 0; running; round++) {
          await sleep(15);
          await kill(admin, await sessionsOf(persistence, admin));
        }
      })();
      await Promise.all(
        Array.from({ length: 10 }, async (_, worker) => {
          for (let n = 0; n < 30; n++) {
            const id = `${pool.slice(0, 3)}-${worker}-${n}`;
            const outcome = await persistence.commit(start(id)).then(
              () => 'stored',
              (error: { code?: string; message: string }) => (error.code === 'WM7015' ? 'unknown' : error.message),
            );
            outcomes.set(id, outcome);
          }
        }),
      );
      running = false;
      await killer;

      const idsThere = new Set(await persistence.instances.findIds({ ids: [...outcomes.keys()] }));
      const bookmarks = await persistence.bookmarks.findMany({ names: ['x'] });
      const bookmarksThere = new Set(bookmarks.map((bookmark) => bookmark.workflowInstanceId));
      for (const [id, outcome] of outcomes) {
        expect([id, ['stored', 'unknown'].includes(outcome) ? 'known' : outcome]).toEqual([id, 'known']);
        if (outcome === 'stored') expect([id, idsThere.has(id)]).toEqual([id, true]);
        expect([id, bookmarksThere.has(id)]).toEqual([id, idsThere.has(id)]);
      }
      // Most get through in spite of it all, since what failed before COMMIT is tried again.
      expect([...outcomes.values()].filter((outcome) => outcome === 'stored').length).toBeGreaterThan(150);
      await persistence.close();
      await shared.destroy();
      await admin.destroy();
    },
    60_000,
  );
});
