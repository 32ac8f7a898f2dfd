import { afterAll, expect, it, jest } from '@jest/globals';
import { IBookmarkQueue, IBookmarkResumer, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { sequence, startNode, waitFor } from '../support/runtime-node.js';

const BRANCHES = 100;

describeOn(await testBackends(), 'An instance that waits at many bookmarks, on $name', (backend) => {
  afterAll(() => backend.drop());

  it('is resumed by a stimulus that came before them (W5)', async () => {
    const node = await startNode(await backend.create());
    try {
      const activities = Array.from({ length: BRANCHES }, (_, i) => waitFor(`E${i}`, `go-${i}`));
      await node.deploy('many', sequence('S', { type: 'Elsa.Parallel', id: 'P', activities }));
      const client = await node.get(IWorkflowRuntime).createClient();
      const { workflowInstanceId } = client;
      const stimulusHash = await hashOf(node);
      await node.get(IBookmarkQueue).enqueue({ workflowInstanceId, stimulusHash });
      const looks = jest.spyOn(node.get(WorkflowPersistence).queue, 'findDeliverable');
      await client.createAndRunInstance({ definition: 'many' });
      await node.settled();
      // Not among the stimuli that others wait for, of which there may be many thousands.
      const asked = looks.mock.calls.map(([{ addedTo }]) => [addedTo?.workflowInstanceId, addedTo?.hashes?.length]);
      expect(asked).toContainEqual([workflowInstanceId, BRANCHES]);
      const left = await node.get(WorkflowPersistence).bookmarks.findMany({ workflowInstanceId });
      expect(left).toHaveLength(BRANCHES - 1);
      expect(left.map(({ hash }) => hash)).not.toContain(stimulusHash);
      // The others go on together.
      const resumer = node.get(IBookmarkResumer);
      await Promise.all(left.map((row) => resumer.resumeWaiting(row)));
      expect((await client.exportState()).subStatus).toBe('Finished');
    } finally {
      await node.close();
    }
  });

  /** That of the bookmark at which `E70` waits. */
  async function hashOf(node: Awaited<ReturnType<typeof startNode>>): Promise<string> {
    await node.deploy('one', sequence('S', waitFor('E70', 'go-70')));
    const client = await node.get(IWorkflowRuntime).createClient();
    const { bookmarks } = await client.createAndRunInstance({ definition: 'one' });
    await client.cancel();
    return bookmarks[0]!.hash;
  }
});
