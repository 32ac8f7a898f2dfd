import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, Output } from '@waymark/core';
import { IEventPublisher, IWorkflowRuntime, MemoryPersistence, WorkflowPersistence } from '@waymark/runtime';
import { InstanceRetries } from '@waymark/runtime/adapter';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

/** Gives what no store can hold. */
@Activity({ type: 'Test.Live' })
class Live extends ActivityBase {
  static runs = 0;
  static isStorable = false;
  @Output() result: unknown;

  execute(): void {
    Live.runs++;
    this.result = Live.isStorable ? 1 : { callback: () => undefined };
  }
}

const live = { type: 'Test.Live', id: 'L', result: { typeName: 'Object', memoryReference: { id: 'v' } } };
const MORE = { variables: [{ id: 'v', name: 'V', typeName: 'Object' }] };

let node: RuntimeNode;
beforeEach(async () => {
  Live.runs = 0;
  Live.isStorable = false;
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

// With a commit between the steps, and with the state that was loaded.
it.each([{}, { commitStrategyName: 'CommitAlways' }])(
  'values that cannot be stored leave nothing to be undone of steps that are run again (%j)',
  async (customProperties) => {
    const step = (id: string) => ({
      ...{ type: 'Waymark.Compensable', id },
      body: line(`${id}b`, id),
      undo: line(`${id}u`, `undo ${id}`),
    });
    const mark = { ...line('M', 'stored'), customProperties };
    const failing = { type: 'Elsa.Fault', id: 'F' };
    const body = sequence('S', step('One'), waitFor('E', 'go'), mark, step('Two'), live, waitFor('G', 'on'), failing);
    await node.deploy('undone', { type: 'Waymark.Try', id: 'T', body, catch: line('C', 'caught') }, MORE);
    const client = await node.get(IWorkflowRuntime).createClient();
    const { workflowInstanceId } = await client.createAndRunInstance({ definition: 'undone' });
    await node.get(IEventPublisher).dispatch('go');
    await node.settled();
    expect((await client.exportState()).subStatus).toBe('Faulted');
    Live.isStorable = true;
    await node.get(InstanceRetries).retry(workflowInstanceId);
    for (const event of ['go', 'on']) {
      await node.get(IEventPublisher).dispatch(event);
      await node.settled();
    }
    expect((await client.exportState()).subStatus).toBe('Finished');
    expect(node.lines.filter((text) => /undo|caught/.test(text))).toEqual(['undo Two', 'undo One', 'caught']);
  },
);

it('values that cannot be stored fault a container whose time was over, and a retry runs what it was at', async () => {
  const steps = [line('B', 'before'), waitFor('E', 'go'), line('A', 'approved')];
  const body = { ...sequence('X', ...steps), customProperties: { timeout: '01:00:00' } };
  await node.deploy(
    'timed',
    { type: 'Waymark.Try', id: 'T', body, catch: sequence('C', live, waitFor('F', 'on')) },
    MORE,
  );
  const client = await node.get(IWorkflowRuntime).createClient();
  const { workflowInstanceId, bookmarks } = await client.createAndRunInstance({ definition: 'timed' });
  await client.runInstance({ bookmarkId: bookmarks.find(({ name }) => name === 'Waymark.Timeout')!.id });
  expect((await client.exportState()).incidents.map(({ activityId }) => activityId)).toEqual(['X']);
  await node.get(InstanceRetries).retry(workflowInstanceId);
  const waiting = (await client.exportState()).bookmarks.map(({ name }) => name).sort();
  expect([waiting, node.lines]).toEqual([['Elsa.Event', 'Waymark.Timeout'], ['before']]);
});
