import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  BulkPlans,
  IWorkflowDefinitionPublisher,
  RuntimeGate,
  WorkflowEvent,
  WorkflowPersistence,
} from '@waymark/runtime';
import { DefinitionPlans, OutboxProcessor, WorkflowEventEmitter } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, startNode } from '../support/runtime-node.js';

/** Of one step. */
const STEP = 20;
const DEFINITIONS = 2 * STEP + 1;

describeOn(await testBackends(), 'a plan whose node takes no more work, on $name', (backend) => {
  let first: RuntimeNode;
  let second: RuntimeNode;

  beforeEach(async () => {
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    [first, second] = [
      await startNode(await backend.create(), { clock }),
      await startNode(await backend.create(), { clock }),
    ];
  });
  afterEach(async () => {
    await first.close();
    await second.close();
  });
  afterAll(() => backend.drop());

  it.each([
    ['shuts down', (node: RuntimeNode) => node.close()],
    [
      'is paused',
      async (node: RuntimeNode) => {
        node.get(RuntimeGate).pause();
        await node.get(OutboxProcessor).settled();
      },
    ],
  ])('ends its step, and continues on another node at once, when the node %s', async (what, leave) => {
    const ids = Array.from({ length: DEFINITIONS }, (_, n) => `${what} ${n}`);
    for (const definitionId of ids)
      await first.get(IWorkflowDefinitionPublisher).saveDraft({ definitionId, root: line('L', definitionId) });
    let left: Promise<void> | undefined;
    first.get(WorkflowEventEmitter).listen(WorkflowEvent.DefinitionPublished, () => void (left ??= leave(first)));
    const planId = await first.get(DefinitionPlans).submit('PublishDefinitions', ids);
    const plan = async () => (await second.get(BulkPlans).find(planId))!;
    while (!left) await new Promise(setImmediate);
    await left;
    expect(await plan()).toMatchObject({ status: 'Running', visited: STEP, changed: STEP });
    await second.settled();
    expect(await plan()).toMatchObject({ status: 'Completed', visited: DEFINITIONS, changed: DEFINITIONS, failed: 0 });
    expect(
      await second.get(WorkflowPersistence).definitions.count({ definitionIds: ids, versionOptions: 'Published' }),
    ).toBe(DEFINITIONS);
  });
});
