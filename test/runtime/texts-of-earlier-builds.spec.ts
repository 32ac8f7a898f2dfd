import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { IBookmarkResumer, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { createWaymarkDataSource } from '@waymark/typeorm';
import type { DataSource } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

/** Earlier builds took 700 characters of any size. */
const LONG = '🚀'.repeat(600);

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'texts of earlier builds on $name', (backend) => {
  let node: RuntimeNode;
  let dataSource: DataSource;
  beforeEach(async () => {
    node = await startNode(await backend.create());
    dataSource = await createWaymarkDataSource(backend.url!, { tablePrefix: backend.tablePrefix }).initialize();
  });
  afterEach(async () => {
    await dataSource.destroy();
    await node.close();
  });
  afterAll(() => backend.drop());

  it('texts that an earlier build has stored do not stop their instance where new ones must be shorter', async () => {
    await node.deploy('w', sequence('S', waitFor('E', 'first'), waitFor('F', 'second')));
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'w', correlationId: 'short-id', name: 'short-id' });
    const { workflowInstanceId: id } = client;
    const set = (table: string, column: string, where: string) =>
      dataSource.query(
        `UPDATE ${backend.tablePrefix}${table} SET ${column} = REPLACE(${column}, 'short-id', '${LONG}') WHERE ${where} = '${id}'`,
      );
    for (const column of ['correlation_id', 'name', 'state']) await set('instances', column, 'id');
    await set('bookmarks', 'correlation_id', 'workflow_instance_id');
    // Not what the node may remember of what it has written.
    await node.close();
    node = await startNode(await backend.create());
    // The second wait is stored by a burst of this build.
    for (let wait = 0; wait < 2; wait++) {
      const [bookmark] = await node.get(WorkflowPersistence).bookmarks.findMany({ workflowInstanceId: id });
      expect(bookmark).toMatchObject({ correlationId: LONG });
      await node.get(IBookmarkResumer).resumeById(bookmark!.id);
    }
    const { state } = (await node.get(WorkflowPersistence).instances.load(id))!;
    expect([state.subStatus, state.correlationId, state.name]).toEqual(['Finished', LONG, LONG]);
  });
});
