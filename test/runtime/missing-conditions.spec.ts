import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  BulkPlans,
  type InstanceFilter,
  IWorkflowCancellationService,
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  OutboxDeadLetters,
  WorkflowPersistence,
} from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, startNode, waitFor } from '../support/runtime-node.js';

/** What arrives where a request lacks a member, or JSON has null: the compiler does not see it. */
const missing = undefined as unknown as string;
const none = null as unknown as undefined;

describeOn(await testBackends(), 'ids and conditions that are missing, on $name', (backend) => {
  let node: RuntimeNode;
  let running: string;
  beforeAll(async () => {
    node = await startNode(await backend.create());
    await node.deploy('waits', waitFor('E', 'go'));
    await node.deploy('other', line('L', 'run by mistake'));
  });
  afterAll(() => node.close());
  beforeEach(async () => {
    const client = await node.get(IWorkflowRuntime).createClient();
    running = (await client.createAndRunInstance({ definition: 'waits' })).workflowInstanceId;
  });

  const subStatus = async (): Promise<string | undefined> =>
    (await node.get(WorkflowPersistence).instances.load(running))?.subStatus;

  it.each<[string, InstanceFilter]>([
    ['without conditions', {}],
    ['whose only condition is undefined', { correlationIds: undefined }],
    ['whose only condition is null', { correlationIds: none }],
    ['that excepts nothing', { exceptDefinitionIds: [] }],
    ['without times in its list', { timestamps: [] }],
    ['that searches for no text', { searchTerm: '' }],
    ['that searches names for no text', { nameContains: '' }],
  ])('a filter %s cancels and deletes nothing (WM7008)', async (_, filter) => {
    const cancelling = node.get(IWorkflowCancellationService).cancelByFilter(filter);
    await expect(cancelling).rejects.toMatchObject({ code: 'WM7008' });
    for (const action of ['CancelInstances', 'DeleteInstances'] as const) {
      const request = { action, filters: [{ ids: [running] }, filter] };
      await expect(node.get(BulkPlans).run(request, 10)).rejects.toMatchObject({ code: 'WM7008' });
      await expect(node.get(BulkPlans).submit(request)).rejects.toMatchObject({ code: 'WM7008' });
    }
    expect(await subStatus()).toBe('Suspended');
  });

  it('a filter by status cancels none of those that run when it names ended ones', async () => {
    const cancellation = node.get(IWorkflowCancellationService);
    expect(await cancellation.cancelByFilter({ statuses: ['Finished'], definitionIds: ['waits'] })).toBe(0);
    expect(await subStatus()).toBe('Suspended');
    expect(await cancellation.cancelByFilter({ statuses: ['Running', 'Finished'], ids: [running] })).toBe(1);
    expect(await subStatus()).toBe('Cancelled');
  });

  it.each<[string, object]>([
    ['an undefined id', { definition: missing }],
    ['null', { definition: none }],
    ['a number', { definition: 7 }],
    ['a handle without id', { definition: {} }],
    ['a handle whose id is undefined', { definition: { definitionId: undefined } }],
    ['a handle whose version id is undefined', { definition: { definitionVersionId: undefined } }],
    ['no member', {}],
  ])('a start of %s finds no definition, and starts none (WM1020)', async (_, request) => {
    const start = request as { definition: string };
    const client = await node.get(IWorkflowRuntime).createClient();
    await expect(client.createAndRunInstance(start)).rejects.toMatchObject({ code: 'WM1020' });
    await expect(node.get(IWorkflowDispatcher).dispatch(start)).rejects.toMatchObject({ code: 'WM1020' });
    expect(await node.get(IWorkflowDefinitionService).find(start.definition)).toBeUndefined();
    expect(node.lines).toEqual([]);
  });

  it('an undefined version id beside an id of the definition is left out', async () => {
    const definition = { definitionId: 'waits', definitionVersionId: missing };
    const client = await node.get(IWorkflowRuntime).createClient();
    const { state } = await client.createAndRunInstance({ definition });
    expect(state.definitionId).toBe('waits');
  });

  it('a definition without id is neither published, retracted, reverted nor refreshed', async () => {
    const publisher = node.get(IWorkflowDefinitionPublisher);
    for (const change of [
      publisher.publish(missing),
      publisher.retract(missing),
      publisher.revert(missing, 1),
      publisher.updateReferences(missing),
    ])
      await expect(change).rejects.toMatchObject({ code: 'WM1020' });
    expect(await publisher.refresh([missing])).toMatchObject({ refreshed: [], notFound: [missing] });
    expect((await node.get(IWorkflowDefinitionService).require('other')).isPublished).toBe(true);
  });

  it('a dead letter without id is not found', async () => {
    expect(await node.get(OutboxDeadLetters).find(missing)).toBeUndefined();
  });
});
