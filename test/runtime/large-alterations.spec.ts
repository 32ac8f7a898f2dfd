import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type Alteration,
  AlterationRunner,
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
});
