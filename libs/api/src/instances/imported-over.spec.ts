import { event, line, sequence, useServer } from '../module/api-harness.spec.js';

describe('a file of an instance that is here', () => {
  const { call, execute } = useServer('fastify', (api) =>
    api.deploy('steps', sequence(line('A'), event('E', 'first'), line('B'), event('F', 'second'), line('C'))),
  );

  type File = { WorkflowState: Record<string, unknown> & { id: string } };
  const exported = async (id: string): Promise<File> => {
    const flags = 'includeBookmarks=true&includeActivityExecutionLog=true&includeWorkflowExecutionLog=true';
    return (await call('GET', `/workflow-instances/${id}/export?${flags}`)).json as File;
  };
  const imported = (files: readonly File[], query = '') => {
    const form = new FormData();
    for (const [n, file] of files.entries()) form.append('files', new Blob([JSON.stringify(file)]), `${n}.json`);
    return call('POST', `/bulk-actions/import/workflow-instances${query}`, form);
  };
  const trigger = (name: string, workflowInstanceId: string) =>
    call('POST', `/events/${name}/trigger`, { workflowInstanceId, workflowExecutionMode: 'synchronous' });
  const stateOf = async (id: string) => (await call('GET', `/workflow-instances/${id}`)).json.workflowState;
  const waitsAt = async (id: string) =>
    (await stateOf(id)).bookmarks.map(({ activityId }: { activityId: string }) => activityId);
  const journalOf = async (id: string): Promise<Record<string, unknown>[]> =>
    (await call('GET', `/workflow-instances/${id}/journal`)).json.items;

  it('is refused where the instance has gone on since', async () => {
    const { id } = await execute('steps');
    const old = await exported(id);
    await trigger('first', id);
    const answer = await imported([old]);
    expect([answer.status, answer.json.code]).toEqual([409, 'WM3011']);
    expect(await waitsAt(id)).toEqual(['F']);
    const other = await exported((await execute('steps')).id);
    expect((await imported([other, old])).json).toMatchObject({ imported: 1, failures: [{ id, code: 'WM3011' }] });
    expect(await waitsAt(id)).toEqual(['F']);
  });

  it('is imported where the instance stands as it says, edited or not, or has ended', async () => {
    const { id } = await execute('steps');
    const file = await exported(id);
    expect((await imported([file])).status).toBe(200);
    const edited = { ...file, WorkflowState: { ...file.WorkflowState, name: 'edited' } };
    expect((await imported([edited])).status).toBe(200);
    expect((await stateOf(id)).name).toBe('edited');
    await trigger('first', id);
    await trigger('second', id);
    expect((await stateOf(id)).status).toBe('Finished');
    expect((await imported([file])).status).toBe(200);
    expect(await waitsAt(id)).toEqual(['E']);
  });

  it('sets it back with replace, and what it does again is a history of its own', async () => {
    const { id } = await execute('steps');
    const old = await exported(id);
    await trigger('first', id);
    const before = await journalOf(id);
    expect((await imported([old], '?replace=true')).json).toEqual({ imported: 1, count: 1 });
    expect(await waitsAt(id)).toEqual(['E']);
    expect(await journalOf(id)).toEqual(before);
    await trigger('first', id);
    const after = await journalOf(id);
    expect(after.slice(0, before.length)).toEqual(before);
    const ran = after.filter(({ activityId, eventName }) => activityId === 'B' && eventName === 'Completed');
    expect(new Set(ran.map(({ activityInstanceId }) => activityInstanceId)).size).toBe(2);
    const { items } = (await call('GET', `/activity-executions/list?workflowInstanceId=${id}&activityId=B`)).json;
    expect(items).toHaveLength(2);
  });
});
