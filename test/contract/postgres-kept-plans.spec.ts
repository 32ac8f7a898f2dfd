import { afterEach, expect, it } from '@jest/globals';
import type { WorkflowPersistence } from '@waymark/runtime';
import type { BurstCommit } from '@waymark/runtime/adapter';
import type { DataSource } from 'typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { analyze } from '../support/query-plans.js';

interface Pool {
  readonly idleCount: number;
  connect(): Promise<Client>;
}

interface Client {
  query<Row>(sql: string): Promise<{ rows: Row[] }>;
  release(): void;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

describeOn(await testBackends('postgres'), 'plans that sessions keep: $name', (backend) => {
  // Each begins with tables that were never counted.
  afterEach(() => backend.drop());

  // Planning them anew took the server a quarter of its time for delays that are due. A plan that was made for an empty table must be
  // of use for a large one: each row that is read is found by an index, and what is due comes in the order of one.
  it.each(['before rows came', 'of many rows'])(
    'plans that sessions keep are kept for groups of commits and claims, made %s',
    async (when) => {
      const store = await backend.create({});
      await store.initialize();
      const delayed = async (from: number, count: number): Promise<void> => {
        const due = Array.from({ length: count }, (_, n) => delay(from + n));
        await Promise.all(due.map(({ burst }) => store.commit(burst)));
      };
      if (when === 'of many rows') {
        await delayed(0, 2_000);
        await analyze(store, backend.tablePrefix);
      }
      await delayed(10_000, 50);
      const lease = { owner: 'node', leaseMs: 60_000, now: new Date(AT.getTime() + 1) };
      const { bookmarks } = await store.bookmarks.claimDue({ ...lease, limit: 40, along: 100, lookAheadMs: 1000 });
      expect(bookmarks).toHaveLength(40);
      // With a claim that finds all that is due, it asks when claims of others end.
      await store.bookmarks.claimDue({ ...lease, owner: 'other', limit: 5000, along: 100, lookAheadMs: 1000 });
      const ids = bookmarks.map(({ id }) => id);
      expect((await store.bookmarks.renewClaims(ids, lease)).renewed).toHaveLength(40);
      const finished = { status: 'Finished', subStatus: 'Finished', isExecuting: false } as const;
      await Promise.all(
        bookmarks.map(({ id, workflowInstanceId }) => {
          const used = { expectedRevision: 1, removedBookmarkIds: [id], consumedBookmarkIds: [id] };
          return store.commit(aBurstOf({ ...anInstanceOf(workflowInstanceId), ...finished }, used));
        }),
      );
      const kept = await keptPlansOf(store, backend.tablePrefix);
      expect(kept.filter(({ statement }) => !statement.startsWith('INSERT')).map(tableOf)).toEqual(
        expect.arrayContaining([
          'SELECT bookmarks',
          'UPDATE bookmarks',
          'DELETE bookmarks',
          'SELECT instances',
          'UPDATE instances',
        ]),
      );
      expect(kept.map(({ statement }) => statement)).toContainEqual(expect.stringContaining('MIN(claimed_until)'));
      for (const { statement, plan } of kept) {
        const nodes = nodesOf(plan);
        const read = nodes.filter(
          (node) =>
            node['Node Type'].includes('Scan') && !['Function Scan', 'Subquery Scan'].includes(node['Node Type']),
        );
        for (const node of read)
          expect({ statement, node }).toMatchObject({
            node: { 'Node Type': expect.stringMatching(/^Index (Only )?Scan$/), 'Index Cond': expect.anything() },
          });
        if (!statement.includes('ORDER BY due_at LIMIT')) continue;
        expect(read.map((node) => node['Index Name'])).toEqual([`${backend.tablePrefix}bookmarks_due_at`]);
        expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
      }
      await store.close();

      function tableOf({ statement }: KeptPlan): string {
        const [verb = ''] = statement.split(' ', 1);
        return `${verb} ${statement.split(backend.tablePrefix)[1]?.split(' ', 1)[0]}`;
      }
    },
  );
});

const AT = new Date('2026-03-01T00:00:00Z');

function delay(n: number): { readonly burst: BurstCommit } {
  const instance = anInstanceOf(`delayed-${n}`);
  const bookmark = {
    id: `delay-${n}`,
    name: 'Test.Delay',
    hash: 'hash',
    workflowInstanceId: instance.id,
    activityInstanceId: `activity-${n}`,
    createdAt: AT,
    dueAt: AT,
  };
  return { burst: aBurstOf(instance, { addedBookmarks: [bookmark] }) };
}

interface KeptPlan {
  readonly statement: string;
  readonly plan: PlanNode;
}

/** As the sessions of the store keep them. */
async function keptPlansOf(store: WorkflowPersistence, tablePrefix: string): Promise<KeptPlan[]> {
  const { dataSource } = store as unknown as { dataSource: DataSource };
  const { master: pool } = dataSource.driver as unknown as { master: Pool };
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  const kept: KeptPlan[] = [];
  for (const client of clients) {
    const { rows } = await client.query<{ name: string; statement: string; count: number }>(
      'SELECT name, statement, cardinality(parameter_types) AS count FROM pg_prepared_statements ' +
        `WHERE generic_plans > 0 AND statement LIKE '%${tablePrefix}%' AND statement NOT LIKE 'ANALYZE%'`,
    );
    await client.query('BEGIN; SET LOCAL plan_cache_mode = force_generic_plan');
    for (const { name, statement, count } of rows) {
      const values = Array.from({ length: count }, () => 'NULL').join(', ');
      const explain = `EXPLAIN (FORMAT JSON) EXECUTE "${name}"${count > 0 ? `(${values})` : ''}`;
      const [row] = (await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain)).rows;
      kept.push({ statement, plan: row!['QUERY PLAN'][0].Plan });
    }
    await client.query('ROLLBACK');
    client.release();
  }
  return kept;
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
