import { afterEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityMiddleware } from '@waymark/core';
import { IEventPublisher, IWorkflowRuntime, MemoryPersistence } from '@waymark/runtime';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

@Injectable()
@Activity({ namespace: 'Test', kind: 'Job' })
class Resize extends ActivityBase {
  execute(): void {}
}

let node: RuntimeNode;
afterEach(() => node.close());

/** Runs a workflow to its end. @returns the texts that it wrote */
async function passes(middleware: ActivityMiddleware): Promise<string[]> {
  node = await startNode(new MemoryPersistence(), { activityMiddleware: [middleware], providers: [Resize] });
  const root = sequence(
    'S',
    line('plain', 'begin'),
    waitFor('waits', 'go'),
    { type: 'Test.Resize', id: 'job', customProperties: { runAsynchronously: true } },
    line('last', 'end'),
  );
  await node.deploy('w', root);
  const client = await node.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'w' });
  await node.get(IEventPublisher).publish('go');
  await node.settled();
  return node.lines;
}

it('an activity passes the middleware once, one that waits with each resume, and one in the background three times', async () => {
  const ids: string[] = [];
  const lines = await passes(async (ctx, next) => {
    ids.push(ctx.node.id);
    await next();
  });
  expect(ids).toEqual(['Workflow1', 'S', 'plain', 'waits', 'waits', 'job', 'job', 'job', 'last']);
  expect(lines).toEqual(['begin', 'end']);
});

it('an execution for which the middleware does not call the activity completes with Done', async () => {
  const lines = await passes((ctx, next) => (ctx.node.id === 'plain' ? undefined : next()));
  expect(lines).toEqual(['end']);
});
