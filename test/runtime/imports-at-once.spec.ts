import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { isWaymarkError } from '@waymark/core';
import { IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { InstanceImport } from '@waymark/runtime/adapter';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'imports at the same time on $name', (backend) => {
  let node: RuntimeNode;
  beforeEach(async () => {
    node = await startNode(await backend.create());
  });
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  it('imports of two instances with one bookmark store the first one, and refuse the second one with the reason', async () => {
    await node.deploy('waits', sequence('S', waitFor('E', 'go')));
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'waits' });
    const { instances, bookmarks } = node.get(WorkflowPersistence);
    const { state } = (await instances.load(client.workflowInstanceId))!;
    await instances.delete([state.id]);
    const copies = ['one', 'two'].map((id) => ({ ...state, id }));
    // Both have looked before either of them is stored.
    const { findMany } = bookmarks;
    let looks = 0;
    bookmarks.findMany = async (filter) => (++looks <= copies.length ? [] : findMany.call(bookmarks, filter));
    const imports = node.get(InstanceImport);
    const results = await Promise.allSettled(copies.map((copy) => imports.importState(copy)));
    bookmarks.findMany = findMany;
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refused).toHaveLength(1);
    expect([isWaymarkError(refused[0], 'WM3010'), (refused[0] as Error).message]).toEqual([
      true,
      expect.stringContaining(state.bookmarks[0]!.id),
    ]);
    expect(await instances.count({ ids: ['one', 'two'] })).toBe(1);
  });
});
