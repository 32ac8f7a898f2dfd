import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { IWorkflowDefinitionPublisher, type WorkflowPersistence } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const MANY_MS = 120_000;

describeOn(await testBackends(), 'a workflow with many triggers on $name', (backend) => {
  let store: WorkflowPersistence;
  let node: RuntimeNode;

  beforeEach(async () => {
    store = await backend.create();
    node = await startNode(store);
  });
  afterEach(async () => {
    await node.close();
    if (backend.name === 'memory') await backend.drop();
  });
  afterAll(() => backend.drop());

  const publish = (count: number, event: string) => {
    const starts = Array.from({ length: count }, (_, i) => ({
      ...waitFor(`E${i}`, `${event} ${i}`),
      customProperties: { canStartWorkflow: true },
    }));
    return node
      .get(IWorkflowDefinitionPublisher)
      .saveAndPublish({ definitionId: 'many', root: sequence('S', ...starts) });
  };
  const names = async () => (await store.triggers.findMany({ workflowDefinitionIds: ['many'] })).length;

  it(
    'is published up to a thousand, again with other ones, and not beyond',
    async () => {
      expect((await publish(1000, 'first')).problems).toEqual([]);
      expect((await publish(1000, 'second')).problems).toEqual([]);
      expect(await names()).toBe(1000);
      const { problems } = await publish(1001, 'third');
      expect(problems).toEqual([
        { code: 'WM5018', message: expect.stringContaining('has 1001 triggers'), activityId: undefined },
      ]);
      expect(await names()).toBe(1000);
    },
    MANY_MS,
  );

  it(
    'lets other work continue while it is published',
    async () => {
      let turns = 0;
      const count = () => void (turns++, (next = setImmediate(count)));
      let next = setImmediate(count);
      await publish(1000, 'first');
      clearImmediate(next);
      // One for five triggers at least, which may have as many expressions.
      expect(turns).toBeGreaterThan(200);
    },
    MANY_MS,
  );
});
