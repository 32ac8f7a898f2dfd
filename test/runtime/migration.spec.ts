import { afterAll, expect, it } from '@jest/globals';
import type { ActivityJson, MigrationReport } from '@waymark/core';
import {
  IInstanceMigrator,
  IWorkflowRuntime,
  IBookmarkResumer,
  WorkflowPersistence,
  AlterationPlans,
  AlterationRunner,
  type Alteration,
} from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const V = {
  id: 'v',
  name: 'Amount',
  typeName: 'Int32',
  value: 7,
  storageDriverTypeName: 'WorkflowInstanceStorageDriver',
};

describeOn(await testBackends(), 'migrations on $name', (backend) => {
  let definitions = 0;
  afterAll(() => backend.drop());

  async function withNodes(count: number, body: (nodes: RuntimeNode[], definition: string) => Promise<void>) {
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    const nodes: RuntimeNode[] = [];
    try {
      for (let n = 0; n < count; n++) nodes.push(await startNode(await backend.create(), { clock }));
      await body(nodes, `moved-${++definitions}`);
    } finally {
      for (const node of nodes) await node.close();
    }
  }
  const start = async (node: RuntimeNode, definition: string) => {
    const client = await node.get(IWorkflowRuntime).createClient();
    return (await client.createAndRunInstance({ definition })).workflowInstanceId;
  };
  /** Two versions of a definition, with an instance of the first. */
  async function between(
    node: RuntimeNode,
    definition: string,
    v1: ActivityJson,
    v2: ActivityJson,
    variables = [[V], [V]],
  ) {
    await node.deploy(definition, v1, { variables: variables[0] });
    const id = await start(node, definition);
    await node.deploy(definition, v2, { variables: variables[1] });
    return id;
  }
  const load = async (node: RuntimeNode, id: string) => (await node.get(WorkflowPersistence).instances.load(id))!;
  const altered = async (node: RuntimeNode, id: string) =>
    (await node.get(WorkflowPersistence).journal.readLog(id)).filter(({ eventName }) => eventName === 'Altered');
  const resume = async (node: RuntimeNode, id: string) => {
    const [bookmark] = (await load(node, id)).state.bookmarks;
    await node.get(IBookmarkResumer).resumeById(bookmark!.id);
    await node.settled();
  };
  const to = (targetVersion: number, activities?: Record<string, string>) => ({
    targetVersion,
    mapping: { activities },
  });
  const codes = ({ problems }: MigrationReport) => problems.map(({ code }) => code);

  it('migrations are refused where the instance could not continue, and nothing is changed', async () => {
    await withNodes(1, async ([node], definition) => {
      const id = await between(node!, definition, sequence('S', waitFor('E', 'go')), sequence('S', line('L', 'x')));
      const before = await load(node!, id);
      const { isSuccessful, log } = await node!.get(AlterationRunner).run(id, [{ type: 'Migrate', targetVersion: 2 }]);
      expect([isSuccessful, log.logEntries.map(({ message }) => message)]).toEqual([
        false,
        [expect.stringContaining("'E' (Elsa.Event) runs or waits")],
      ]);
      const migrator = node!.get(IInstanceMigrator);
      await expect(migrator.migrate(id, to(2))).rejects.toMatchObject({ code: 'WM2050' });
      await expect(migrator.migrate(id, to(9))).rejects.toMatchObject({ problems: [{ code: 'NoVersion' }] });
      await expect(migrator.undo(id)).rejects.toMatchObject({ code: 'WM2052' });
      expect(await load(node!, id)).toEqual(before);
    });
  });

  it('migrations show in a dry run what they would do, change nothing, and then do that', async () => {
    await withNodes(1, async ([node], definition) => {
      const v1 = sequence('S', line('L', 'before'), waitFor('E', 'go'), line('M', 'old'));
      const id = await between(node!, definition, v1, sequence('S', waitFor('E2', 'go'), line('M', 'new')));
      const before = await load(node!, id);
      const migrator = node!.get(IInstanceMigrator);
      expect(codes(await migrator.dryRun(id, to(2)))).toEqual(['NoCounterpart']);
      const report = await migrator.dryRun(id, to(2, { E: 'E2' }));
      expect(report).toMatchObject({
        workflowInstanceId: id,
        isPossible: true,
        waits: [{ activityId: 'E', to: { activityId: 'E2' } }],
        variables: [{ name: 'Amount', to: 'Amount' }],
      });
      expect(await load(node!, id)).toEqual(before);
      expect(await migrator.migrate(id, to(2, { E: 'E2' }), { by: 'mia' })).toEqual(report);
      const rows = await node!.get(WorkflowPersistence).bookmarks.findMany({ workflowInstanceId: id });
      expect(rows.map(({ id: rowId }) => rowId)).toEqual(before.state.bookmarks.map((b) => b.id));
      expect((await altered(node!, id)).map(({ message, payload }) => [message, payload])).toEqual([
        ['Migrate to version 2', { Alteration: { type: 'Migrate', ...to(2, { E: 'E2' }) }, By: 'mia', FromVersion: 1 }],
      ]);
      await resume(node!, id);
      // What was done before is not done again.
      expect([node!.lines, (await load(node!, id)).subStatus]).toEqual([['before', 'new'], 'Finished']);
      expect(codes(await migrator.dryRun(id, to(1)))).toEqual(['Ended']);
    });
  });

  it('can be undone until something changes the instance', async () => {
    await withNodes(2, async ([node, other], definition) => {
      const v1 = sequence('S', waitFor('E', 'go'), line('L', 'old'), waitFor('F', 'go'));
      const v2 = sequence('S', line('M', 'x'), waitFor('E', 'go'), line('L', 'new'), waitFor('F', 'go'));
      const renamed = { ...V, id: 'w', name: 'Total', typeName: 'Int64' };
      const id = await between(node!, definition, v1, v2, [[V], [renamed]]);
      const before = await load(node!, id);
      const migrator = node!.get(IInstanceMigrator);
      const request = { targetVersion: 2, mapping: { variables: { Amount: 'Total' } } };
      await migrator.migrate(id, request);
      const moved = await load(node!, id);
      expect(moved).toMatchObject({
        version: 2,
        revision: before.revision + 1,
        state: { migration: { fromVersion: 1 } },
      });
      await other!.get(IInstanceMigrator).undo(id, { by: 'ole' });
      const undone = await load(node!, id);
      const { updatedAt: _at, executionLogSequence: _sequence, ...expected } = before.state;
      expect(undone.state).toMatchObject(expected);
      expect([undone.version, undone.state.migration]).toEqual([1, undefined]);
      await expect(migrator.undo(id)).rejects.toMatchObject({ code: 'WM2052' });
      await migrator.migrate(id, request);
      await resume(node!, id);
      expect([node!.lines, (await load(node!, id)).state.migration]).toEqual([['new'], undefined]);
      const undo = await node!.get(AlterationRunner).run(id, [{ type: 'UndoMigration' }]);
      expect([undo.isSuccessful, undo.log.logEntries[0]!.message]).toEqual([
        false,
        expect.stringContaining('resumed or changed since'),
      ]);
      expect((await altered(node!, id)).map(({ message }) => message)).toEqual([
        'Migrate to version 2',
        'UndoMigration',
        'Migrate to version 2',
      ]);
    });
  });

  it('a migration that is repeated can be undone like one', async () => {
    await withNodes(1, async ([node], definition) => {
      const id = await between(node!, definition, sequence('S', waitFor('E', 'go')), sequence('S', waitFor('E', 'go')));
      const migrator = node!.get(IInstanceMigrator);
      await migrator.migrate(id, to(2));
      await migrator.migrate(id, to(2));
      await migrator.undo(id);
      expect([(await load(node!, id)).version, (await load(node!, id)).state.migration]).toEqual([1, undefined]);
    });
  });

  it('a failed instance that is migrated continues on the corrected version', async () => {
    await withNodes(1, async ([node], definition) => {
      const v1 = sequence('S', line('L', 'once'), {
        type: 'Elsa.SetVariable',
        id: 'X',
        variable: { id: 'gone', name: 'Gone' },
      });
      const v2 = sequence(
        'S',
        line('L', 'once'),
        { type: 'Elsa.SetVariable', id: 'X', variable: V, value: null },
        line('M', 'on'),
      );
      const id = await between(node!, definition, v1, v2);
      const failed = await load(node!, id);
      const alterations = [
        { type: 'Migrate' as const, targetVersion: 2 },
        { type: 'ScheduleActivity' as const, activityId: 'X' },
      ];
      expect(failed.subStatus).toBe('Faulted');
      expect((await node!.get(AlterationRunner).run(id, alterations)).isSuccessful).toBe(true);
      expect([node!.lines, (await load(node!, id)).subStatus]).toEqual([['once', 'on'], 'Finished']);
    });
  });

  it('migrations and concurrent resumes run one after the other, and none is lost', async () => {
    await withNodes(2, async ([node, other], definition) => {
      for (let round = 0; round < 5; round++) {
        const name = `${definition}-${round}`;
        const v = (text: string) =>
          sequence('S', waitFor('E', 'go'), line('L', text), waitFor('F', 'go'), line('M', text));
        const id = await between(node!, name, v('old'), v('new'));
        await node!.get(WorkflowPersistence).instances.load(id);
        const [bookmark] = (await load(node!, id)).state.bookmarks;
        const [moved] = await Promise.all([
          node!.get(IInstanceMigrator).migrate(id, to(2)),
          other!.get(IBookmarkResumer).resumeById(bookmark!.id),
        ]);
        expect(moved.isPossible).toBe(true);
        const { version, state, subStatus } = await load(node!, id);
        expect([version, subStatus, state.bookmarks.map((b) => b.activityId)]).toEqual([2, 'Suspended', ['F']]);
        node!.lines.length = 0;
        await resume(node!, id);
        expect(node!.lines).toEqual(['new']);
      }
    });
  });

  it('migrations wait for a burst that is under way', async () => {
    await withNodes(1, async ([node], definition) => {
      const id = await between(node!, definition, sequence('S', waitFor('E', 'go')), sequence('S', waitFor('E', 'go')));
      const { instances } = node!.get(WorkflowPersistence);
      const stored = instances.load.bind(instances);
      instances.load = async (instanceId) => {
        const loaded = (await stored(instanceId))!;
        return { ...loaded, isExecuting: true, state: { ...loaded.state, isExecuting: true } };
      };
      const migrator = node!.get(IInstanceMigrator);
      expect(codes(await migrator.dryRun(id, to(2)))).toEqual(['Busy']);
      await expect(migrator.migrate(id, to(2))).rejects.toMatchObject({ code: 'WM2051' });
      const filter = { workflowInstanceIds: [id] };
      const planId = await node!.get(AlterationPlans).submit({ alterations: [{ type: 'Migrate', ...to(2) }], filter });
      await node!.settled();
      expect((await node!.get(AlterationPlans).find(planId!))!.jobs).toMatchObject([{ status: 'Running' }]);
      instances.load = stored;
    });
  });

  it('a plan migrates many instances, with a result for each', async () => {
    await withNodes(1, async ([node], definition) => {
      const fork = (...branches: ActivityJson[]) => ({ type: 'Elsa.Fork', id: 'F', branches });
      const rest = (text: string) => sequence('B', waitFor('G', 'stop'), line('L', text));
      await node!.deploy(definition, fork(waitFor('E', 'go'), rest('old')));
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) ids.push(await start(node!, definition));
      await node!.deploy(definition, fork(rest('new')));
      // These wait no longer where the other version has nothing.
      for (const id of ids.slice(1))
        await node!.get(AlterationRunner).run(id, [{ type: 'SkipActivity', activityId: 'E' }]);
      const submit = async (alteration: Alteration) => {
        const filter = { definitionIds: [definition] };
        const planId = await node!.get(AlterationPlans).submit({ alterations: [alteration], filter, by: 'mia' });
        await node!.settled();
        return (await node!.get(AlterationPlans).find(planId!))!;
      };
      const { plan, jobs } = await submit({ type: 'Migrate', targetVersion: 2 });
      expect(plan).toMatchObject({ status: 'Completed', submittedBy: 'mia' });
      const results = new Map(jobs.map(({ workflowInstanceId, status }) => [workflowInstanceId, status]));
      expect(ids.map((id) => results.get(id))).toEqual(['Failed', 'Completed', 'Completed', 'Completed']);
      expect(jobs.find(({ status }) => status === 'Failed')!.log![0]!.message).toContain("'E' (Elsa.Event)");
      expect((await altered(node!, ids[1]!)).at(-1)!.payload).toMatchObject({ PlanId: plan.id, By: 'mia' });
      await resume(node!, ids[1]!);
      const undone = await submit({ type: 'UndoMigration' });
      const after = new Map(undone.jobs.map(({ workflowInstanceId, status }) => [workflowInstanceId, status]));
      expect(ids.map((id) => after.get(id))).toEqual(['Failed', 'Failed', 'Completed', 'Completed']);
      await resume(node!, ids[2]!);
      expect(node!.lines).toEqual(['new', 'old']);
    });
  });
});
