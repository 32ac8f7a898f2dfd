import { WorkflowPersistence } from '@waymark/runtime';
import { event, line, sequence, useServer } from '../module/api-harness.spec.js';

describe('an instance whose version of the definition is not here', () => {
  const { call, execute, settled, app } = useServer('fastify', (api) =>
    api.deploy('seen', sequence(line('A'), event('E', 'go')), {
      variables: [
        {
          id: 'v-count',
          name: 'Count',
          typeName: 'Int32',
          value: '1',
          storageDriverTypeName: 'WorkflowInstanceStorageDriver',
        },
      ],
    }),
  );

  const imported = async (id: string, more: object = {}) => {
    const { id: own } = await execute('seen');
    const file = (await call('GET', `/workflow-instances/${own}/export`)).json;
    const [bookmark] = file.WorkflowState.bookmarks;
    const state = {
      ...JSON.parse(JSON.stringify(file.WorkflowState).replaceAll(own, id)),
      definitionVersionId: 'none',
      ...more,
      bookmarks: [{ ...bookmark, id: `b-${id}`, activityInstanceId: bookmark.activityInstanceId.replace(own, id) }],
    };
    const form = new FormData();
    form.append('files', new Blob([JSON.stringify({ ...file, WorkflowState: state })]), 'a.json');
    return (await call('POST', '/bulk-actions/import/workflow-instances', form)).json;
  };

  it('is imported with a warning, and its variables are shown as its state has them', async () => {
    const { warnings } = await imported('looked-at');
    expect(warnings['looked-at']).toEqual([expect.stringContaining('Version 1 ("none") of workflow "seen" is not on')]);
    const variables = await call('GET', '/workflow-instances/looked-at/variables');
    expect([variables.status, variables.json.items]).toEqual([200, [{ id: 'v-count', name: 'v-count', value: 1 }]]);
  });

  it('is cancelled with its parent, and uses the message up that asks for it', async () => {
    const { id: parent } = await execute('seen');
    await imported('child', { parentWorkflowInstanceId: parent });
    await call('POST', `/cancel/workflow-instances/${parent}`, {});
    await settled();
    expect((await call('GET', '/workflow-instances/child')).json.subStatus).toBe('Cancelled');
    const { outbox } = app().get(WorkflowPersistence);
    expect((await outbox.findDeadLetters({})).totalCount).toBe(0);
  });

  it('is cancelled, alone and among others', async () => {
    await imported('one');
    await imported('two');
    expect((await call('POST', '/cancel/workflow-instances/one', {})).status).toBe(200);
    const { json } = await call('POST', '/bulk-actions/cancel/workflow-instances', { ids: ['one', 'two'] });
    expect(json).toEqual({ cancelled: 1 });
    for (const id of ['one', 'two']) {
      const { json: instance } = await call('GET', `/workflow-instances/${id}`);
      expect([instance.subStatus, instance.workflowState.bookmarks, !!instance.finishedAt]).toEqual([
        'Cancelled',
        [],
        true,
      ]);
      const journal = (await call('GET', `/workflow-instances/${id}/journal`)).json.items;
      expect(journal.at(-1).eventName).toBe('Workflow cancelled');
    }
  });
});
