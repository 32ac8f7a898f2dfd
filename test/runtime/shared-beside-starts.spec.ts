import { expect, it } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { IWorkflowRuntime, MemoryPersistence } from '@waymark/runtime';
import type { BurstCommit } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

const BRANCHES = 40;
let isDown: boolean;
let seen: unknown[];

@Activity({ type: 'Test.Call' })
class Call extends ActivityBase {
  execute({ input }: ActivityExecutionContext): void {
    seen.push(input.from);
    if (isDown) throw new Error('down');
  }
}

it('resumes share bursts while a start is kept for a retry, which has its turn apart from them', async () => {
  const store = new MemoryPersistence();
  const commits: BurstCommit[] = [];
  const commit = store.commit.bind(store);
  store.commit = (burst) => {
    commits.push(burst);
    return commit(burst);
  };
  const node = await startNode(store, { providers: [Call], clock: new VirtualClock() });
  [isDown, seen] = [true, []];
  const items = { typeName: null, expression: { type: 'Object', value: JSON.stringify(Array(BRANCHES).fill(0)) } };
  const trying = {
    type: 'Waymark.Try',
    id: 'T',
    body: sequence('B', waitFor('E', 'start', startedBy), { type: 'Test.Call', id: 'C' }),
    finally: { type: 'Elsa.WriteLine', id: 'W' },
    customProperties: { retryPolicy: { maxAttempts: 3, delay: '01:00:00' } },
  };
  const each = { type: 'Elsa.ParallelForEach', id: 'P', items, body: waitFor('F', 'go') };
  await node.deploy('kept', { type: 'Elsa.Fork', id: 'K', branches: [trying, each] });
  const client = await node.get(IWorkflowRuntime).createClient();
  const input = { from: 'start' };
  const { bookmarks } = await client.createAndRunInstance({ definition: 'kept', triggerActivityId: 'E', input });
  expect(bookmarks).toHaveLength(BRANCHES + 1);
  isDown = false;
  commits.length = 0;
  // The retry comes in the middle of them.
  const inOrder = bookmarks.toSorted((a, b) => Number(a.name === 'Waymark.Retry') - Number(b.name === 'Waymark.Retry'));
  inOrder.splice(BRANCHES / 2, 0, inOrder.pop()!);
  const resume = (bookmarkId: string, name: string) =>
    client.runInstance({ bookmarkId, input: name === 'Waymark.Retry' ? {} : { from: 'other' } });
  await Promise.all(inOrder.map(({ id, name }) => resume(id, name)));
  expect((await client.exportState()).subStatus).toBe('Finished');
  expect(commits.length).toBeLessThan(6);
  await node.close();
  expect(seen).toEqual(['start', 'start']);
});
