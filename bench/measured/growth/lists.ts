import { WorkflowApiModule } from '@waymark/api';
import { IWorkflowRuntime } from '@waymark/runtime';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { SHORT, shortWorkflow } from '../../workflows/short.js';
import { publish } from '../application.js';
import { analyzeTables, copyRows } from './copies.js';
import { openNode, serveNode } from './node.js';

/** Of each kind one; the others are copies of them. */
const KINDS = 1_000;
const DEFINITIONS = 50;

/** A node with the management API, among many instances. */
const node = await openNode({}, { imports: [WorkflowApiModule.forRoot({ allowAnonymous: true })] });
const { app, persistence } = node;
const { url, prefix = '', more } = node.argument;

serveNode(node, {
  seed: async (): Promise<void> => {
    await publish(app, shortWorkflow);
    const client = await app.get(IWorkflowRuntime).createClient();
    const { workflowInstanceId } = await client.createAndRunInstance({ definition: SHORT });
    const loaded = await persistence.instances.load(workflowInstanceId);
    if (!loaded) throw new Error('The instance that is to be copied is not there.');
    const { revision: _revision, ...record } = loaded;
    const dataSource = await createWaymarkDataSource(url!, { tablePrefix: prefix }).initialize();
    try {
      for (let kind = 0; kind < KINDS; kind++) await persistence.commit(burstOf(kind, record));
      await persistence.instances.delete([workflowInstanceId]);
      const table = `${prefix}instances`;
      const copies = (more as { count: number }).count / KINDS - 1;
      await copyRows(dataSource, { table, copies, replaced: COPIED, order: 'o.created_at - n.number * 1000' });
      await analyzeTables(dataSource, [table]);
    } finally {
      await dataSource.destroy();
    }
  },
});

type Commit = Parameters<typeof persistence.commit>[0];

function burstOf(kind: number, finished: Commit['instance']): Commit {
  const id = `${kind}`.padStart(4, '0');
  const waits = kind === 3;
  const faulted = kind === 7;
  const state = { ...finished.state, id, definitionId: `definition-${kind % DEFINITIONS}` };
  const instance: Commit['instance'] = {
    ...finished,
    id,
    definitionId: state.definitionId,
    status: waits ? 'Running' : 'Finished',
    subStatus: waits ? 'Suspended' : faulted ? 'Faulted' : 'Finished',
    incidentCount: faulted ? 1 : 0,
    correlationId: `correlation-${kind}`,
    name: `Order ${kind}`,
    finishedAt: waits ? undefined : finished.finishedAt,
    state,
  };
  return {
    instance,
    expectedRevision: undefined,
    addedBookmarks: [],
    removedBookmarkIds: [],
    consumedBookmarkIds: [],
    journal: { log: [], records: [] },
    outbox: [],
    consumedMessageIds: [],
    queue: [],
    consumedQueueItemIds: [],
  };
}

/**
 * Each copy is older than the one before. Ids begin with the time and rows are written in their order, as those of the engine are:
 * what was begun at about the same time lies together.
 */
const COPIED = {
  id: "CONCAT(o.created_at - n.number * 1000, '.', o.id)",
  correlation_id: "CONCAT(o.correlation_id, '.', n.number)",
  name: "CONCAT(o.name, '.', n.number)",
  created_at: 'o.created_at - n.number * 1000',
  updated_at: 'o.updated_at - n.number * 1000',
  finished_at: 'o.finished_at - n.number * 1000',
};
