import { WorkflowApiModule } from '@waymark/api';
import { IWorkflowRuntime } from '@waymark/runtime';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { ALTERED } from '../../workflows/altered.js';
import { seedWaiting } from '../seed-waiting.js';
import { openNode, serveNode } from './node.js';

/** A node with the management API, and waiting instances. */
const node = await openNode({}, { imports: [WorkflowApiModule.forRoot({ allowAnonymous: true })] });
const { app, persistence } = node;
const { url, prefix = '' } = node.argument;

serveNode(node, {
  wait: async (count: number): Promise<void> => {
    const client = await app.get(IWorkflowRuntime).createClient();
    const { workflowInstanceId } = await client.createAndRunInstance({ definition: ALTERED });
    await seedWaiting(persistence, workflowInstanceId, count - 1);
  },
  /** How many instances were committed how often. */
  revisions: async (): Promise<Record<string, number>> => {
    const dataSource = await createWaymarkDataSource(url!, { tablePrefix: prefix }).initialize();
    try {
      const rows: { revision: number; stored: number | string }[] = await dataSource.query(
        `SELECT revision, COUNT(*) AS stored FROM ${prefix}instances GROUP BY revision`,
      );
      return Object.fromEntries(rows.map(({ revision, stored }) => [`${revision}`, Number(stored)]));
    } finally {
      await dataSource.destroy();
    }
  },
});
