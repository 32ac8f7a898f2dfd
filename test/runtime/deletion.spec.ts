import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { type IWorkflowClient, IWorkflowDefinitionPublisher, IWorkflowRuntime } from '@waymark/runtime';
import { IWorkflowDefinitionService, WorkflowPersistence } from '@waymark/runtime';
import { InstanceDeletion } from '@waymark/runtime/adapter';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const child = (type: string, definition: string, waitForCompletion: boolean) => ({
  type,
  id: 'K',
  workflowDefinitionId: literal(definition),
  waitForCompletion: literal(waitForCompletion, 'Boolean'),
});

describeOn(await testBackends(), 'deletion on $name', (backend) => {
  let node: RuntimeNode;
  let store: WorkflowPersistence;
  let tests = 0;
  let [grandchild, kid, parent] = ['', '', ''];

  beforeEach(async () => {
    [grandchild, kid, parent] = [`grandchild${++tests}`, `kid${tests}`, `parent${tests}`];
    node = await startNode(await backend.create());
    store = node.get(WorkflowPersistence);
  });
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  const subStatusOf = async (client: IWorkflowClient) => (await client.exportState()).subStatus;
  const running = (definitionId: string) =>
    store.instances.findIds({ definitionIds: [definitionId], statuses: ['Running'] });
  /** A parent whose child waits; what comes after it writes a line. */
  const startFamily = async (type: string, waits: boolean, kidActivity = waitFor('E', 'go')) => {
    await node.deploy(kid, sequence('S', kidActivity));
    const last = waits ? line('L', 'went on') : waitFor('W', 'never');
    await node.deploy(parent, sequence('S', child(type, kid, waits), last));
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: parent });
    await node.settled();
    expect([await subStatusOf(client), (await running(kid)).length]).toEqual(['Suspended', 1]);
    return client;
  };

  const publisher = () => node.get(IWorkflowDefinitionPublisher);
  it.each([
    ['a definition', 'Elsa.ExecuteWorkflow', () => publisher().delete([kid])],
    ['a definition', 'Elsa.DispatchWorkflow', () => publisher().delete([kid])],
    [
      'a version',
      'Elsa.DispatchWorkflow',
      async () => {
        const { items } = await store.definitions.findMany({ definitionId: kid });
        await publisher().deleteVersions(items.map(({ id }) => id));
      },
    ],
    ['instances', 'Elsa.DispatchWorkflow', async () => node.get(InstanceDeletion).delete(await running(kid))],
  ])('deletion of %s lets a parent that waits in %s for one of its instances continue', async (_what, type, remove) => {
    const client = await startFamily(type, true);
    await remove();
    await node.settled();
    expect([await subStatusOf(client), node.lines]).toEqual(['Finished', ['went on']]);
    expect(await store.instances.count({ definitionIds: [kid] })).toBe(0);
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('deleting a running instance deletes its children and theirs', async () => {
    await node.deploy(grandchild, sequence('S', waitFor('E', 'go')));
    const client = await startFamily('Elsa.DispatchWorkflow', false, child('Elsa.ExecuteWorkflow', grandchild, true));
    expect(await running(grandchild)).toHaveLength(1);
    expect(await client.delete()).toBe(true);
    await node.settled();
    expect([await client.instanceExists(), await running(kid), await running(grandchild)]).toEqual([false, [], []]);
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('deleting a faulted instance deletes the children that it kept for a repair', async () => {
    await node.deploy(kid, sequence('S', waitFor('E', 'go')));
    const fault = { type: 'Elsa.Fault', id: 'X' };
    await node.deploy(parent, sequence('S', child('Elsa.DispatchWorkflow', kid, false), fault));
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: parent });
    await node.settled();
    expect([await subStatusOf(client), (await running(kid)).length]).toEqual(['Faulted', 1]);
    await client.delete();
    await node.settled();
    expect(await running(kid)).toEqual([]);
  });

  it('deleting a definition deletes the children of its instances', async () => {
    await startFamily('Elsa.DispatchWorkflow', false);
    await publisher().delete([parent]);
    await node.settled();
    expect(await running(kid)).toEqual([]);
    expect(await store.instances.count({ definitionIds: [kid], subStatuses: ['Cancelled'] })).toBe(1);
  });

  it('deleting a definition ends although as many instances are started meanwhile', async () => {
    const definitionId = `busy${tests}`;
    await node.deploy(definitionId, sequence('S', line('L', 'x')));
    const ids = { now: 0 };
    const start = async () => {
      const client = await node
        .get(IWorkflowRuntime)
        .createClient(`${definitionId}-${String(ids.now++).padStart(6, '0')}`);
      await client.createAndRunInstance({ definition: definitionId });
    };
    await start();
    const { findIds } = store.instances;
    let pages = 0;
    // A page with as many as are asked for at once is followed by another one.
    jest.spyOn(store.instances, 'findIds').mockImplementation(async (filter, page) => {
      const found = await findIds.call(store.instances, filter, page && { ...page, limit: 1 });
      if (!page) return found;
      if (++pages > 50) throw new Error('still deleting');
      if (await node.get(IWorkflowDefinitionService).find(definitionId)) await start();
      return found.length === 0 ? found : Array.from({ length: page.limit }, () => found[0]!);
    });
    expect(await publisher().delete([definitionId])).toBe(1);
    jest.restoreAllMocks();
    expect(await store.instances.count({ definitionIds: [definitionId] })).toBe(0);
  });

  it('deleting an instance without its definition notifies parent and children', async () => {
    await node.deploy(grandchild, sequence('S', waitFor('E', 'go')));
    const client = await startFamily('Elsa.DispatchWorkflow', true, child('Elsa.ExecuteWorkflow', grandchild, true));
    const { items } = await store.definitions.findMany({ definitionId: kid });
    const deletedIds = items.map(({ id }) => id);
    await store.definitions.apply({ saved: [], deletedIds, addedTriggers: [], removedTriggerIds: [] });
    node.get(IWorkflowDefinitionService).evict();
    expect(await node.get(InstanceDeletion).delete(await running(kid))).toBe(1);
    await node.settled();
    expect([await subStatusOf(client), node.lines]).toEqual(['Finished', ['went on']]);
    expect(await running(grandchild)).toEqual([]);
  });
});
