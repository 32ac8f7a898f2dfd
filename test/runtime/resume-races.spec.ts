import { afterAll, expect, it } from '@jest/globals';
import { isWaymarkError } from '@waymark/core';
import { IBookmarkResumer, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, sequence, startNode, waitFor } from '../support/runtime-node.js';

const RESUMES = 40;

describeOn(await testBackends(...EVERY_STORE), 'W2: a bookmark is consumed at most once, on $name', (backend) => {
  afterAll(() => backend.drop());

  it('lets one of many concurrent resumes on two nodes win and tells the others', async () => {
    const nodes = [await startNode(await backend.create()), await startNode(await backend.create())];
    try {
      await nodes[0]!.deploy('race', sequence('S', waitFor('Wait', 'go'), line('After', 'after')));
      const client = await nodes[0]!.get(IWorkflowRuntime).createClient();
      const { bookmarks } = await client.createAndRunInstance({ definition: 'race' });
      const attempts = Array.from({ length: RESUMES }, (_, i) =>
        nodes[i % 2]!.get(IBookmarkResumer).resumeById(bookmarks[0]!.id),
      );
      const results = await Promise.allSettled(attempts);

      const won = results.filter((r) => r.status === 'fulfilled');
      const lost = results.flatMap((r) => (r.status === 'rejected' ? [r.reason as unknown] : []));
      expect(won).toHaveLength(1);
      expect(lost).toHaveLength(RESUMES - 1);
      const typed = ['WM3003', 'WM3004', 'WM7002'];
      expect(lost.filter((error) => !typed.some((code) => isWaymarkError(error, code)))).toEqual([]);
      const stored = await nodes[0]!.get(WorkflowPersistence).instances.load(client.workflowInstanceId);
      expect(stored?.subStatus).toBe('Finished');
      const log = await nodes[0]!.get(WorkflowPersistence).journal.readLog(client.workflowInstanceId);
      expect(log.filter((e) => e.activityId === 'After' && e.eventName === 'Completed')).toHaveLength(1);
    } finally {
      for (const node of nodes) await node.close();
    }
  });

  it('lets one of a cancel and a resume win, never both', async () => {
    const nodes = [await startNode(await backend.create()), await startNode(await backend.create())];
    try {
      await nodes[0]!.deploy('cancel-race', sequence('S', waitFor('Wait', 'go'), line('After', 'after')));
      for (let round = 0; round < 10; round++) {
        const client = await nodes[0]!.get(IWorkflowRuntime).createClient();
        const { bookmarks } = await client.createAndRunInstance({ definition: 'cancel-race' });
        const other = await nodes[1]!.get(IWorkflowRuntime).createClient(client.workflowInstanceId);
        const [resumed, cancelled] = await Promise.allSettled([
          nodes[0]!.get(IBookmarkResumer).resumeById(bookmarks[0]!.id),
          other.cancel(),
        ]);
        const { subStatus } = await client.exportState();
        if (subStatus === 'Cancelled') expect(resumed.status).toBe('rejected');
        else expect([subStatus, cancelled]).toEqual(['Finished', { status: 'fulfilled', value: false }]);
      }
    } finally {
      for (const node of nodes) await node.close();
    }
  });
});
