import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type Alteration,
  AlterationRunner,
  IInstanceMigrator,
  IWorkflowRuntime,
  MemoryPersistence,
  WorkflowPersistence,
} from '@waymark/runtime';
import { InstanceEditor, loopTurns } from '@waymark/runtime/adapter';
import { startNode, waitFor } from '../support/runtime-node.js';

const BRANCHES = 1200;

type Node = Awaited<ReturnType<typeof startNode>>;

describe('alterations of an activity that has a thousand executions', () => {
  let node: Node;
  let id: string;

  beforeAll(async () => {
    node = await startNode(new MemoryPersistence());
    const items = {
      typeName: null,
      expression: { type: 'Object', value: JSON.stringify(Array.from({ length: BRANCHES }, (_, i) => i)) },
    };
    await node.deploy('many', {
      type: 'Elsa.Fork',
      id: 'F',
      branches: [waitFor('W', 'other'), { type: 'Elsa.ParallelForEach', id: 'P', items, body: waitFor('E', 'go') }],
    });
  });
  afterAll(() => node.close());

  const start = async (): Promise<void> => {
    const client = await node.get(IWorkflowRuntime).createClient();
    id = (await client.createAndRunInstance({ definition: 'many' })).workflowInstanceId;
  };

  it.each<Alteration>([
    { type: 'CancelActivity', activityId: 'E' },
    { type: 'SkipActivity', activityId: 'E' },
  ])('look at all executions a few times, not once for each, and pause (%j)', async (alteration) => {
    await start();
    const { contexts } = await node.get(InstanceEditor).open(id);
    const looks = jest.spyOn(Object.getPrototypeOf(contexts) as typeof contexts, 'awake');
    const pauses = jest.spyOn(loopTurns, 'next');
    try {
      expect(await node.get(AlterationRunner).run(id, [alteration])).toMatchObject({ isSuccessful: true });
      expect(looks.mock.calls.length).toBeLessThan(50);
      // Five of them are those of loading and storing it.
      expect(pauses.mock.calls.length).toBeGreaterThan(5);
    } finally {
      looks.mockRestore();
      pauses.mockRestore();
    }
    const { state } = (await node.get(WorkflowPersistence).instances.load(id))!;
    expect([state.subStatus, state.bookmarks.map(({ activityId }) => activityId)]).toEqual(['Suspended', ['W']]);
  });

  const pausesOf = async (task: () => Promise<unknown>): Promise<number> => {
    const pauses = jest.spyOn(loopTurns, 'next');
    try {
      await task();
      return pauses.mock.calls.length;
    } finally {
      pauses.mockRestore();
    }
  };

  it('alterations of an activity that has a thousand executions restore it in parts for a migration, its report, and the way back', async () => {
    await start();
    const migrator = node.get(IInstanceMigrator);
    const counts = [
      await pausesOf(() => migrator.dryRun(id, { targetVersion: 1 })),
      await pausesOf(() => migrator.migrate(id, { targetVersion: 1 })),
      await pausesOf(() => migrator.undo(id)),
    ];
    // Storing it pauses as well: 11 and 8 times of these.
    expect([counts[0]! >= 3, counts[1]! >= 20, counts[2]! >= 14]).toEqual([true, true, true]);
    const { state } = (await node.get(WorkflowPersistence).instances.load(id))!;
    expect([state.bookmarks.length, state.activityExecutionContexts.length]).toEqual([BRANCHES + 1, BRANCHES + 4]);
  });
});
