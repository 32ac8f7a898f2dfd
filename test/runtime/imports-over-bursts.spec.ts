import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase } from '@waymark/core';
import { IWorkflowRuntime, MemoryPersistence } from '@waymark/runtime';
import { type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

let runs: number;
let begun: () => void;
let open: Promise<void>;
let end: () => void;

@Injectable()
@Activity({ namespace: 'Test' })
class HeldStep extends ActivityBase {
  async execute(): Promise<void> {
    runs++;
    begun();
    await open;
  }
}

let node: RuntimeNode;
beforeEach(async () => {
  runs = 0;
  open = new Promise((resolve) => (end = resolve));
  node = await startNode(new MemoryPersistence(), { providers: [HeldStep] });
});
afterEach(async () => {
  end();
  await node.close();
});

it('a state is not imported over a burst that is under way, even to replace: its activities would run twice', async () => {
  await node.deploy('held', sequence('S', waitFor('E', 'go'), { type: 'Test.HeldStep', id: 'H' }, waitFor('F', 'end')));
  const client = await node.get(IWorkflowRuntime).createClient();
  const { bookmarks } = await client.createAndRunInstance({ definition: 'held' });
  const state = await client.exportState();
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const resumed = client.runInstance({ bookmarkId: bookmarks[0]!.id });
  await hasBegun;
  for (const replace of [false, true])
    await expect(client.importState(state, { replace })).rejects.toMatchObject({ code: 'WM3012' });
  end();
  await resumed;
  expect(runs).toBe(1);
  await expect(client.importState(state)).rejects.toMatchObject({ code: 'WM3011' });
  await client.importState(state, { replace: true });
  expect((await client.exportState()).bookmarks.map(({ activityId }) => activityId)).toEqual(['E']);
});
