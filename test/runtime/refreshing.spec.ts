import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Trigger, TriggerBase } from '@waymark/core';
import { IWorkflowDefinitionPublisher, MemoryPersistence, StoreUnavailableError } from '@waymark/runtime';
import { line, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

let refuses = false;

/** Stands for a trigger that a newer version of its library refuses. */
@Trigger({ type: 'Test.Moody' })
class Moody extends TriggerBase {
  getTriggerPayloads(): object[] {
    if (refuses) throw new TypeError('not in the mood');
    return [{ mood: 'good' }];
  }

  execute(): void {}
}

let node: RuntimeNode;
let store: MemoryPersistence;
beforeEach(async () => {
  refuses = false;
  store = new MemoryPersistence();
  node = await startNode(store, { providers: [Moody] });
});
afterEach(() => node.close());
afterAll(() => void (refuses = false));

const start = { customProperties: { canStartWorkflow: true } };
const moody = (id: string) => sequence('S', { type: 'Test.Moody', id, ...start }, line('L', id));

it('a definition that would be refused today does not keep others from being refreshed', async () => {
  await node.deploy('a', moody('first'));
  await node.deploy('b', sequence('S', line('L', 'b')));
  await node.deploy('c', moody('third'));
  await node.deploy('d', sequence('S', line('L', 'd')));
  refuses = true;
  const publisher = node.get(IWorkflowDefinitionPublisher);
  const failed = ['a', 'c'].map((definitionId) => ({
    definitionId,
    message: expect.stringContaining('not in the mood'),
  }));
  const { refreshed, notFound, failed: found } = await publisher.refresh();
  expect([refreshed.toSorted(), notFound]).toEqual([['b', 'd'], []]);
  expect(found).toMatchObject(failed);
  expect(await publisher.refresh(['c', 'd', 'e'])).toMatchObject({
    refreshed: ['d'],
    notFound: ['e'],
    failed: [{ definitionId: 'c' }],
  });
  // It keeps the triggers that it had.
  const kept = await store.triggers.findMany({ workflowDefinitionIds: ['a', 'c'] });
  expect(new Map(kept.map(({ activityId, payload }) => [activityId, payload]))).toEqual(
    new Map([
      ['first', { mood: 'good' }],
      ['third', { mood: 'good' }],
    ]),
  );
});

it('an error of the store ends a refresh', async () => {
  await node.deploy('a', sequence('S', line('L', 'a')));
  await node.deploy('b', sequence('S', line('L', 'b')));
  const { findMany } = store.triggers;
  store.triggers.findMany = () => Promise.reject(new StoreUnavailableError('The store is away.'));
  await expect(node.get(IWorkflowDefinitionPublisher).refresh()).rejects.toMatchObject({ code: 'WM7014' });
  store.triggers.findMany = findMany;
});
