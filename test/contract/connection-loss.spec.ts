import { afterAll, expect, it } from '@jest/globals';
import { TypeOrmPersistence } from '@waymark/typeorm';
import type { WorkflowPersistence } from '@waymark/runtime';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

const WORKERS = 10;
const EACH = 30;
/** Commits from one kill of all sessions to the next. */
const KILL_EVERY = 20;

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
    'sessions that are killed lose no acknowledged commit and leave none half-stored: %s',
    async (pool) => {
      const admin = await new DataSource({ type: backend.name, url, poolSize: 1 } as DataSourceOptions).initialize();
      const shared = await new DataSource({ type: backend.name, url, poolSize: 6 } as DataSourceOptions).initialize();
      const persistence =
        pool === 'own pool'
          ? ((await backend.create()) as TypeOrmPersistence)
          : TypeOrmPersistence.fromDataSource(shared, { tablePrefix: backend.tablePrefix });
      await persistence.initialize();

      const outcomes = new Map<string, string>();
      // Paced by what gets done, not by time: on a slow machine just as much would get through.
      let killing: Promise<void> = Promise.resolve();
      const killAll = async () => kill(admin, await sessionsOf(persistence, admin));
      await Promise.all(
        Array.from({ length: WORKERS }, async (_, worker) => {
          for (let n = 0; n < EACH; n++) {
            const id = `${pool.slice(0, 3)}-${worker}-${n}`;
            const outcome = await persistence.commit(start(id)).then(
              () => 'stored',
              (error: { code?: string; message: string }) => (error.code === 'WM7015' ? 'unknown' : error.message),
            );
            outcomes.set(id, outcome);
            if (outcomes.size % KILL_EVERY === 0) killing = killing.then(killAll);
          }
        }),
      );
      await killing;

      const idsThere = new Set(await persistence.instances.findIds({ ids: [...outcomes.keys()] }));
      const bookmarks = await persistence.bookmarks.findMany({ names: ['x'] });
      const bookmarksThere = new Set(bookmarks.map((bookmark) => bookmark.workflowInstanceId));
      for (const [id, outcome] of outcomes) {
        expect([id, ['stored', 'unknown'].includes(outcome) ? 'known' : outcome]).toEqual([id, 'known']);
        if (outcome === 'stored') expect([id, idsThere.has(id)]).toEqual([id, true]);
        expect([id, bookmarksThere.has(id)]).toEqual([id, idsThere.has(id)]);
      }
      // Many get through in spite of it all, since what failed before COMMIT is tried again: of those between two kills, at most
      // the ones under way are lost sight of.
      const stored = [...outcomes.values()].filter((outcome) => outcome === 'stored').length;
      expect(stored).toBeGreaterThanOrEqual(WORKERS * EACH * (1 - WORKERS / KILL_EVERY) - WORKERS);
      await persistence.close();
      await shared.destroy();
      await admin.destroy();
    },
    60_000,
  );
});
