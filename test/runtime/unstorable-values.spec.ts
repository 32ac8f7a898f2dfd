import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, Output } from '@waymark/core';
import { IEventPublisher, IWorkflowRuntime, MemoryPersistence, WorkflowPersistence } from '@waymark/runtime';
import { type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

/** Gives what no store can hold. */
@Activity({ type: 'Test.Live' })
class Live extends ActivityBase {
  static runs = 0;
  @Output() result: unknown;

  execute(): void {
    Live.runs++;
    this.result = { callback: () => undefined };
  }
}

const live = { type: 'Test.Live', id: 'L', result: { typeName: 'Object', memoryReference: { id: 'v' } } };
const MORE = { variables: [{ id: 'v', name: 'V', typeName: 'Object' }] };

let node: RuntimeNode;
beforeEach(async () => {
  Live.runs = 0;
  node = await startNode(new MemoryPersistence(), { providers: [Live] });
});
afterEach(() => node.close());

it('values that cannot be stored fault the instance that an activity of the first burst made them in', async () => {
  await node.deploy('now', sequence('S', live, waitFor('E', 'go')), MORE);
  const client = await node.get(IWorkflowRuntime).createClient();
  const result = await client.createAndRunInstance({ definition: 'now', input: { order: 7 } });
  expect([result.subStatus, result.incidents[0]!.message]).toEqual([
    'Faulted',
    expect.stringMatching(/cannot be stored/),
  ]);
  // With the input that a retry needs.
  expect(await client.exportState()).toMatchObject({ subStatus: 'Faulted', input: { order: 7 } });
});

it('values that cannot be stored fault the instance at the bookmark where it continued, and are not tried again', async () => {
  await node.deploy('later', sequence('S', waitFor('E', 'go'), live, waitFor('F', 'on')), MORE);
  const client = await node.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'later' });
  await node.get(IEventPublisher).dispatch('go');
  await node.settled();
  const { subStatus, incidents } = await client.exportState();
  expect([subStatus, incidents.map(({ activityId }) => activityId), Live.runs]).toEqual(['Faulted', ['E'], 1]);
  expect((await node.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
});
