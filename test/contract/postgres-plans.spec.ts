import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { planOf, statementsOf } from '../support/query-plans.js';

interface Pool {
  readonly idleCount: number;
  connect(): Promise<Client>;
}

interface Client {
  query(sql: string): Promise<{ rows: { name: string; generic: string; custom: string }[] }>;
  release(): void;
}

// The seventh use of a prepared statement may take the plan that the server keeps for all parameters. Made while the table
// was empty, it reads the whole table, however many rows a backlog brings before the next ANALYZE.
const USES = 20;

describeOn(await testBackends('postgres'), 'plans of prepared statements: $name', (backend) => {
  afterAll(() => backend.drop());

  it('plans of prepared statements are made for the current table, not kept from when it was empty', async () => {
    // Options make tables for it alone: those that other files have used were not empty before.
    const store = await backend.create({});
    await store.initialize();
    for (let use = 0; use < USES; use++) await store.outbox.delete('missing');
    const { dataSource } = store as unknown as { dataSource: DataSource };
    const { master: pool } = dataSource.driver as unknown as { master: Pool };
    const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
    const found = await Promise.all(
      clients.map((client) =>
        client.query(
          'SELECT name, generic_plans AS generic, custom_plans AS custom FROM pg_prepared_statements ' +
            `WHERE statement LIKE 'DELETE FROM ${backend.tablePrefix}outbox%'`,
        ),
      ),
    );
    const settings = await Promise.all(
      clients.map((client) =>
        client.query("SELECT name, setting AS generic, '' AS custom FROM pg_settings WHERE name = 'jit'"),
      ),
    );
    for (const client of clients) client.release();
    // Compiling a plan of ours takes a hundred times as long as carrying it out.
    expect(settings.flatMap(({ rows }) => rows.map(({ generic }) => generic))).toEqual(clients.map(() => 'off'));
    const plans = found.flatMap(({ rows }) => rows);
    expect(plans.reduce((sum, { custom }) => sum + Number(custom), 0)).toBeGreaterThanOrEqual(USES);
    expect(plans.map(({ generic }) => Number(generic))).toEqual(plans.map(() => 0));
    await store.close();
  });

  // A server analyses a table up to a minute after its rows came. Until then it takes each instance for a 200th of all bookmarks,
  // and would read the whole table for some instances: 100,000 delays took five times as long.
  it('plans of prepared statements find the bookmarks of some instances by the index before the server has counted the rows', async () => {
    const store = await backend.create();
    await store.initialize();
    const waiting = Array.from({ length: 2_000 }, (_, n) => anInstanceOf(`waiting-${n}`));
    const at = new Date('2026-03-01T00:00:00Z');
    await Promise.all(
      waiting.map((instance, n) => {
        const bookmark = {
          id: `bookmark-${n}`,
          name: 'Test.Delay',
          hash: 'hash',
          workflowInstanceId: instance.id,
          activityInstanceId: `activity-${n}`,
          createdAt: at,
          dueAt: at,
          // A small table is rightly read as a whole.
          payload: { text: randomBytes(800).toString('hex') },
        };
        return store.commit(aBurstOf(instance, { addedBookmarks: [bookmark] }));
      }),
    );
    const statements = await statementsOf(store, async () => {
      const lease = { owner: 'node', leaseMs: 60_000, now: new Date(at.getTime() + 1) };
      const { bookmarks } = await store.bookmarks.claimDue({ ...lease, limit: 200, along: 100, lookAheadMs: 1000 });
      expect(bookmarks).toHaveLength(200);
      const claimed = new Set(bookmarks.map(({ workflowInstanceId }) => workflowInstanceId));
      const finished = { status: 'Finished', subStatus: 'Finished', isExecuting: false } as const;
      await Promise.all(
        waiting
          .filter(({ id }) => claimed.has(id))
          .map((instance) => store.commit(aBurstOf({ ...instance, ...finished }, { expectedRevision: 1 }))),
      );
    });
    const ofInstances = statements.filter(
      ({ sql }) => sql.includes(`${backend.tablePrefix}bookmarks`) && sql.includes('workflow_instance_id = '),
    );
    const kinds = new Set(ofInstances.map(({ sql }) => sql.split(' ', 1)[0]));
    expect([...kinds].sort()).toEqual(['DELETE', 'SELECT']);
    for (const statement of ofInstances) {
      const { text } = await planOf(store, statement);
      expect(text).not.toContain('Seq Scan');
    }
    await store.close();
  });
});
