import { expect, it } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { IWorkflowRuntime, MemoryPersistence } from '@waymark/runtime';
import { line, sequence, startNode } from '../support/runtime-node.js';

let onDeferred: () => void = () => undefined;

@Activity({ type: 'Test.Deferring' })
class Deferring extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    const { signal } = ctx.workflow;
    ctx.workflow.defer(async () => {
      onDeferred();
      await new Promise((resolve) => {
        if (signal.aborted) resolve(undefined);
        else signal.addEventListener('abort', resolve);
      });
    });
    return ctx.complete();
  }
}

it('a cancellation reaches a deferred task of a burst that is stored half-way', async () => {
  const node = await startNode(new MemoryPersistence(), { providers: [Deferring] });
  await node.deploy(
    'deferring',
    sequence(
      'S',
      { type: 'Test.Deferring', id: 'D', customProperties: { commitStrategyName: 'Executed' } },
      line('A', 'after'),
    ),
  );
  const client = await node.get(IWorkflowRuntime).createClient();
  const deferred = new Promise<void>((resolve) => (onDeferred = resolve));
  const running = client.createAndRunInstance({ definition: 'deferring' });
  await deferred;
  const cancelling = client.cancel();
  expect((await running).subStatus).toBe('Cancelled');
  await cancelling;
  expect(node.lines).not.toContain('after');
  await node.close();
});
