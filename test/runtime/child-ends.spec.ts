import { expect, it } from '@jest/globals';
import { IWorkflowRuntime, MemoryPersistence, WorkflowPersistence } from '@waymark/runtime';
import { line, literal, sequence, startNode, waitFor } from '../support/runtime-node.js';

it.each(['Elsa.ExecuteWorkflow', 'Elsa.DispatchWorkflow'])(
  'a parent that waits in %s for a child continues when the child is deleted',
  async (type) => {
    const node = await startNode(new MemoryPersistence());
    await node.deploy('child', sequence('S', waitFor('E', 'go')));
    const wait = { workflowDefinitionId: literal('child'), waitForCompletion: literal(true, 'Boolean') };
    await node.deploy('parent', sequence('S', { type, id: 'K', ...wait }, line('L', 'went on')));
    const parent = await node.get(IWorkflowRuntime).createClient();
    await parent.createAndRunInstance({ definition: 'parent' });
    await node.settled();
    const { instances } = node.get(WorkflowPersistence);
    const [childId] = await instances.findIds({ definitionIds: ['child'] });
    const child = await node.get(IWorkflowRuntime).createClient(childId);
    expect([(await parent.exportState()).subStatus, await child.delete()]).toEqual(['Suspended', true]);
    await node.settled();
    expect([(await parent.exportState()).subStatus, node.lines]).toEqual(['Finished', ['went on']]);
    await node.close();
  },
);

it('a workflow that executes itself faults before it fills the memory', async () => {
  const node = await startNode(new MemoryPersistence());
  const self = { workflowDefinitionId: literal('again'), waitForCompletion: literal(true, 'Boolean') };
  await node.deploy('again', sequence('S', { type: 'Elsa.ExecuteWorkflow', id: 'K', ...self }));
  const client = await node.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'again' });
  await node.settled();
  const { instances } = node.get(WorkflowPersistence);
  const faulted = await instances.findIds({ definitionIds: ['again'], subStatuses: ['Faulted'] });
  const { state } = (await instances.load(faulted[0]!))!;
  expect([faulted.length, state.incidents[0]!.message]).toEqual([
    1,
    expect.stringContaining('More than 100 workflows'),
  ]);
  expect(await instances.count({ definitionIds: ['again'] })).toBe(101);
  await node.close();
});
