import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { IWorkflowRuntime, type WorkflowPersistence } from '@waymark/runtime';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const BRANCHES = 1500;
const MANY_MS = 120_000;

@Activity({ type: 'Test.Before' })
class Before extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }
}

/** Each of many branches waits; then an activity before and behind which the burst is stored. */
const branches = {
  type: 'Elsa.ParallelForEach',
  id: 'P',
  items: {
    typeName: 'Object',
    expression: { type: 'Object', value: JSON.stringify(Array.from({ length: BRANCHES }, (_, i) => i)) },
  },
  body: waitFor('E', 'on'),
};
const committed = { type: 'Test.Before', id: 'B', customProperties: { commitStrategyName: 'Executing' } };
const root = {
  type: 'Elsa.Parallel',
  id: 'S',
  activities: [
    branches,
    sequence(
      'T',
      ...Array.from({ length: 4 }, (_, i) => line(`L${i}`, 'x')),
      committed,
      line('After', 'after'),
      waitFor('F', 'end'),
    ),
  ],
};

describeOn(await testBackends(...EVERY_STORE), 'a large burst that is stored half-way, on $name', (backend) => {
  let store: WorkflowPersistence;
  let node: RuntimeNode;
  let onCommit: ((isExecuting: boolean, executions: number) => void) | undefined;

  beforeEach(async () => {
    store = await backend.create();
    const commit = store.commit.bind(store);
    store.commit = (burst) => {
      const { isExecuting, state } = burst.instance;
      const storing = commit(burst);
      onCommit?.(isExecuting, state.activityExecutionContexts.length);
      return storing;
    };
    node = await startNode(store, { providers: [Before] });
    await node.deploy('large', root);
  });
  afterEach(async () => {
    onCommit = undefined;
    await node.close();
    if (backend.name === 'memory') await backend.drop();
  });
  afterAll(() => backend.drop());

  it(
    'is cancelled when that is asked for while it is stored, and runs nothing more',
    async () => {
      const client = await node.get(IWorkflowRuntime).createClient();
      let cancelling: Promise<unknown> | undefined;
      onCommit = (isExecuting, executions) => {
        if (isExecuting && executions > 1000) cancelling ??= client.cancel();
      };
      const running = client.createAndRunInstance({ definition: 'large' });
      const { subStatus } = await running;
      expect(cancelling).toBeDefined();
      await cancelling;
      expect([subStatus, (await client.exportState()).subStatus]).toEqual(['Cancelled', 'Cancelled']);
      expect(node.lines).not.toContain('after');
    },
    MANY_MS,
  );
});
