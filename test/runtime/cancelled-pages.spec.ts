import { expect, it } from '@jest/globals';
import { IWorkflowCancellationService, IWorkflowRuntime, MemoryPersistence, PersistenceError } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { startNode, waitFor } from '../support/runtime-node.js';

/** More than are looked for at a time. */
const CHILDREN = 205;

it('one instance that cannot be cancelled keeps none of those behind it running, however many there are', async () => {
  const memory = new MemoryPersistence();
  const node = await startNode(memory, { clock: new VirtualClock() });
  await node.deploy('child', waitFor('E', 'go'));
  for (let n = 0; n < CHILDREN; n++) {
    const client = await node.get(IWorkflowRuntime).createClient(`child-${String(n).padStart(3, '0')}`);
    await client.createAndRunInstance({ definition: 'child' });
  }
  const load = memory.instances.load.bind(memory.instances);
  memory.instances.load = (id) =>
    id === 'child-007' ? Promise.reject(new PersistenceError('It is damaged.')) : load(id);
  const cancelling = node.get(IWorkflowCancellationService).cancelByFilter({ definitionIds: ['child'] });
  await expect(cancelling).rejects.toThrow('It is damaged.');
  expect(await memory.instances.findIds({ statuses: ['Running'] })).toEqual(['child-007']);
  await node.close();
});
