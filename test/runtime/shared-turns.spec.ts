import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { IEventPublisher, type IWorkflowClient, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { BurstExecutor, OutboxProcessor } from '@waymark/runtime/adapter';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, startNode, waitFor } from '../support/runtime-node.js';

const BRANCHES = 24;

describeOn(await testBackends(...EVERY_STORE), 'What comes for one instance at the same time, on $name', (backend) => {
  let node: RuntimeNode;
  beforeEach(async () => {
    node = await startNode(await backend.create(), { deliveryConcurrency: 2 });
  });
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  const started = async (definition: string, eventOf: (branch: number) => string): Promise<IWorkflowClient> => {
    const activities = Array.from({ length: BRANCHES }, (_, n) => waitFor(`E${n}`, eventOf(n)));
    await node.deploy(definition, { type: 'Elsa.Parallel', id: 'P', activities });
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition });
    return client;
  };
  const revisionOf = async ({ workflowInstanceId }: IWorkflowClient) =>
    (await node.get(WorkflowPersistence).instances.readRevision(workflowInstanceId))!;

  it('messages for one instance wait for their turn without a place, and share bursts', async () => {
    const client = await started('dispatched', (branch) => `go-${branch}`);
    const executor = node.get(BurstExecutor);
    // Somebody else has the turn until all of them have asked for it.
    let asked = 0;
    let allAsked = (): void => {};
    const all = new Promise<void>((resolve) => (allAsked = resolve));
    const { resume } = executor;
    executor.resume = (...args) => {
      const resumed = resume.apply(executor, args);
      if (++asked === BRANCHES) allAsked();
      return resumed;
    };
    const changing = executor.change(client.workflowInstanceId, () => all);
    const { workflowInstanceId } = client;
    const before = await revisionOf(client);
    for (let branch = 0; branch < BRANCHES; branch++)
      await node.get(IEventPublisher).dispatch(`go-${branch}`, { workflowInstanceId });
    await all;
    await changing;
    await node.get(OutboxProcessor).settled();
    expect((await client.exportState()).subStatus).toBe('Finished');
    // One is that of the change.
    expect((await revisionOf(client)) - before).toBe(2);
    expect((await node.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
  });

  it.each([
    ['', undefined],
    [' with objects of the caller', [['token', {}]] as const],
  ])('what comes for one instance at the same time as one stimulus%s shares a burst', async (name, transient) => {
    const client = await started(`one-event${name.length}`, () => 'go');
    const before = await revisionOf(client);
    const { workflowInstanceId } = client;
    const { resumed } = await node.get(IEventPublisher).publish('go', { workflowInstanceId, transient });
    expect(resumed).toHaveLength(BRANCHES);
    expect((await client.exportState()).subStatus).toBe('Finished');
    expect((await revisionOf(client)) - before).toBe(1);
  });
});
