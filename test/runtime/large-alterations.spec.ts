import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Activity, ActivityBase } from '@waymark/core';
import {
  type Alteration,
  AlterationRunner,
  IInstanceMigrator,
  IWorkflowRuntime,
  MemoryPersistence,
  WorkflowPersistence,
} from '@waymark/runtime';
import { InstanceEditor, InstanceRetries, loopTurns } from '@waymark/runtime/adapter';
import { startNode, waitFor } from '../support/runtime-node.js';

const BRANCHES = 1200;
let isDown = true;

@Activity({ type: 'Test.Call' })
class Call extends ActivityBase {
  execute(): void {
    if (isDown) throw new Error('down');
  }
}

const itemsOf = (length: number) => ({
  typeName: null,
  expression: { type: 'Object', value: JSON.stringify(Array.from({ length }, (_, i) => i)) },
});

type Node = Awaited<ReturnType<typeof startNode>>;

describe('alterations of an activity that has a thousand executions', () => {
  let node: Node;
  let id: string;

  beforeAll(async () => {
    node = await startNode(new MemoryPersistence(), { providers: [Call] });
    const items = itemsOf(BRANCHES);
    await node.deploy('many', {
      type: 'Elsa.Fork',
      id: 'F',
      branches: [waitFor('W', 'other'), { type: 'Elsa.ParallelForEach', id: 'P', items, body: waitFor('E', 'go') }],
    });
  });
  afterAll(() => node.close());

  let failed: string;
  async function failAll(): Promise<void> {
    isDown = true;
    const root = {
      type: 'Elsa.ParallelForEach',
      id: 'P',
      items: itemsOf(BRANCHES),
      body: { type: 'Test.Call', id: 'C' },
    };
    await node.deploy('failing', root, { options: { incidentStrategyType: 'ContinueWithIncidents' } });
    const client = await node.get(IWorkflowRuntime).createClient();
    failed = (await client.createAndRunInstance({ definition: 'failing' })).workflowInstanceId;
  }

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

  it('a retry of a thousand failed executions looks at all of them, their incidents and the queue a few times, and pauses', async () => {
    await failAll();
    const { contexts, queue, incidents } = await node.get(InstanceEditor).open(failed);
    expect(incidents.length).toBe(BRANCHES);
    isDown = false;
    const looks = jest.spyOn(Object.getPrototypeOf(contexts) as typeof contexts, 'awake');
    const lists = jest.spyOn(Object.getPrototypeOf(queue) as typeof queue, 'list');
    const pops = jest.spyOn(Array.prototype, 'pop');
    const pauses = jest.spyOn(loopTurns, 'next');
    let counts: number[];
    try {
      await node.get(InstanceRetries).retry(failed);
      counts = [looks, lists, pauses].map(({ mock }) => mock.calls.length);
      counts.push(pops.mock.calls.length);
    } finally {
      for (const spy of [looks, lists, pops, pauses]) spy.mockRestore();
    }
    const [looked, listed, paused, popped] = counts as [number, number, number, number];
    expect([looked < 20, listed < 20, paused > 4]).toEqual([true, true, true]);
    expect(popped).toBeLessThan(20 * BRANCHES);
    const { state } = (await node.get(WorkflowPersistence).instances.load(failed))!;
    expect([state.subStatus, state.incidents]).toEqual(['Finished', []]);
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
