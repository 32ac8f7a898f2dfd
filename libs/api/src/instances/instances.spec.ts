import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, deploySeen, event, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'express'))('instances on %s', (adapter) => {
  const { call, deploy, execute } = useServer(adapter, deploySeen);

  it('instances are listed, read and deleted', async () => {
    const { id } = await execute('seen', { correlationId: 'seen-1', name: 'Seen' });
    const list = await call('POST', '/workflow-instances', {
      definitionId: 'seen',
      status: 0,
      subStatus: 'suspended',
      page: '0',
      pageSize: '5',
      nonsense: 1,
    });
    expect(list.json).toMatchObject({
      totalCount: 1,
      items: [{ id, tenantId: '', correlationId: 'seen-1', name: 'Seen', incidentCount: 0 }],
    });
    expect((await call('GET', '/workflow-instances?definitionId=seen&PageSize=1')).json.items).toHaveLength(1);
    expect((await call('POST', '/workflow-instances')).status).toBe(200);
    expect((await call('GET', `/workflow-instances/${id}`)).json).toMatchObject({
      id,
      isExecuting: false,
      workflowState: { bookmarks: [{ name: 'Elsa.Event' }] },
    });
    expect((await call('GET', `/workflow-instances/${id}/execution-state`)).json).toMatchObject({
      status: 'Running',
      subStatus: 'Suspended',
    });
    const journal = await call('POST', `/workflow-instances/${id}/journal?Skip=0&Take=100`, {
      filter: { excludedActivityTypes: ['Elsa.Workflow', 'Elsa.Sequence'], eventNames: ['Started'] },
    });
    expect(journal.json.items.map((e: { activityId: string }) => e.activityId)).toEqual(['A', 'E']);
    expect((await call('GET', `/workflow-instances/${id}/journal/A`)).json).toMatchObject({
      activityNodeId: 'Workflow1:Seq:A',
      eventName: 'Completed',
      workflowInstanceId: id,
    });
    expect((await call('DELETE', `/workflow-instances/${id}`)).status).toBe(204);
    expect((await call('GET', `/activity-executions/list?workflowInstanceId=${id}`)).json).toEqual({
      items: [],
      count: 0,
    });
  });

  it('instances that are listed fit all that the request says', async () => {
    await execute('seen');
    const total = async (filter: object) =>
      (await call('POST', '/workflow-instances', { definitionId: 'seen', ...filter })).json.totalCount > 0;
    expect(await total({ status: 'Running', statuses: ['Running', 'Finished'] })).toBe(true);
    expect(await total({ status: 'Running', statuses: ['Finished'] })).toBe(false);
    expect(await total({ status: 'Running', statuses: [] })).toBe(true);
    expect(await total({ subStatus: 'Faulted', subStatuses: ['Suspended'] })).toBe(false);
    expect(await total({ definitionIds: ['other'] })).toBe(false);
    expect(await total({ definitionIds: ['other', 'seen'] })).toBe(true);
  });

  it('instances that are listed have the name in theirs, in any case', async () => {
    const { id } = await execute('seen', { name: 'Order No 17' });
    const named = async (name: string) => {
      const { items } = (await call('POST', '/workflow-instances', { definitionId: 'seen', name })).json;
      return items.some((item: { id: string }) => item.id === id);
    };
    expect([await named('Order No 17'), await named('order'), await named('NO 1')]).toEqual([true, true, true]);
    expect([await named('Order No 18'), await named('%'), await named(id)]).toEqual([false, false, false]);
  });

  it('the client of Elsa calls the order by the last update LastExecuted', async () => {
    const definitionId = 'seen';
    for (let started = 0; started < 3; started++) await execute(definitionId);
    const listed = async (orderBy: string | number) =>
      (
        await call('POST', '/workflow-instances', { definitionId, orderBy, orderDirection: 'Ascending' })
      ).json.items.map((item: { id: string }) => item.id);
    const expected = await listed('UpdatedAt');
    expect(expected.length).toBeGreaterThan(2);
    expect([await listed('LastExecuted'), await listed('lastExecuted'), await listed(1)]).toEqual([
      expected,
      expected,
      expected,
    ]);
  });

  it('midnight in a filter of times stands for the whole day, where it was written', async () => {
    const { id } = await execute('seen');
    const { createdAt } = (await call('GET', `/workflow-instances/${id}`)).json;
    const found = async (operator: string, timestamp: string) => {
      const timestampFilters = [{ column: 'CreatedAt', operator, timestamp }];
      const { items } = (await call('POST', '/workflow-instances', { definitionId: 'seen', timestampFilters })).json;
      return items.some((item: { id: string }) => item.id === id);
    };
    const fits = async (timestamp: string) => {
      const operators = ['Is', 'IsNot', 'LessThan', 'LessThanOrEqual', 'GreaterThan', 'GreaterThanOrEqual'];
      const fitting: string[] = [];
      for (const operator of operators) if (await found(operator, timestamp)) fitting.push(operator);
      return fitting;
    };
    const dayOf = (offsetHours: number, days = 0) =>
      new Date(Date.parse(createdAt) + offsetHours * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);
    const ofDay = ['Is', 'LessThanOrEqual', 'GreaterThanOrEqual'];
    for (const [offset, hours] of [
      ['Z', 0],
      ['+00:00', 0],
      ['', 0],
      ['+14:00', 14],
      ['-12:00', -12],
    ] as const) {
      for (const midnight of ['T00:00:00', 'T00:00', 'T00:00:00.0000000'])
        expect(await fits(`${dayOf(hours)}${midnight}${offset}`)).toEqual(ofDay);
      expect(await fits(`${dayOf(hours, -1)}T00:00:00${offset}`)).toEqual([
        'IsNot',
        'GreaterThan',
        'GreaterThanOrEqual',
      ]);
      expect(await fits(`${dayOf(hours, 1)}T00:00:00${offset}`)).toEqual(['IsNot', 'LessThan', 'LessThanOrEqual']);
    }
    expect(await fits(dayOf(0))).toEqual(ofDay);
    // Any other time is that moment.
    expect(await fits(`${dayOf(0, -1)}T00:00:01Z`)).toEqual(['IsNot', 'GreaterThan', 'GreaterThanOrEqual']);
    expect(await fits(createdAt)).toContain('Is');
  });

  it('the last entry of an activity says that it has started, completed or failed', async () => {
    const { id } = await execute('seen');
    const last = async (activityId: string) =>
      (await call('GET', `/workflow-instances/${id}/journal/${activityId}`)).json;
    const { items } = (await call('GET', `/workflow-instances/${id}/journal`)).json;
    const both = await call('GET', `/workflow-instances/${id}/journal?page=1&pageSize=2&skip=0&take=1`);
    expect(both.json.items.map(({ sequence }: { sequence: number }) => sequence)).toEqual([2, 3]);
    expect(items.at(-1)).toMatchObject({ activityId: 'E', eventName: 'Suspended' });
    expect(await last('E')).toMatchObject({ activityId: 'E', eventName: 'Started' });
    await call('POST', `/cancel/workflow-instances/${id}`);
    expect(await last('E')).toMatchObject({ eventName: 'Started' });
    expect(await last('A')).toMatchObject({ eventName: 'Completed' });
  });

  it('instances show inputs without an expression, which the definition states, among the others', async () => {
    const literal = (value: unknown) => ({ typeName: 'String', expression: { type: 'Literal', value } });
    const variable = { id: 'v-a', name: 'A', typeName: 'String' };
    await deploy(
      'stated',
      {
        id: 'Seq',
        type: 'Elsa.Sequence',
        activities: [
          { id: 'Set', type: 'Elsa.SetVariable', variable, value: literal('x') },
          {
            id: 'Hidden',
            type: 'Elsa.SetVariable',
            variable,
            customProperties: { logPersistenceMode: { inputs: { variable: 'Exclude' } } },
          },
          {
            id: 'Choose',
            type: 'Elsa.Switch',
            cases: [
              {
                label: 'One',
                condition: { type: 'Literal', value: 'true' },
                activity: { id: 'W', type: 'Elsa.WriteLine' },
              },
            ],
          },
        ],
      },
      { variables: [variable] },
    );
    const { id } = await execute('stated');
    const records = (await call('GET', `/activity-executions/list?workflowInstanceId=${id}`)).json.items;
    const of = (activityId: string) => records.find((record: any) => record.activityId === activityId);
    expect(of('Set').activityState).toEqual({ Variable: variable, Value: 'x' });
    expect(Object.keys(of('Set').activityState)).toEqual(['Variable', 'Value']);
    expect(of('Hidden').activityState).toEqual({ Value: null });
    expect(of('Choose').activityState).toEqual({
      Cases: [{ label: 'One', condition: { type: 'Literal', value: 'true' } }],
      Mode: 'MatchFirst',
    });
    expect((await call('GET', `/activity-executions/${of('Set').id}`)).json.activityState).toEqual(
      of('Set').activityState,
    );
  });

  it('instances have variables that can be set, converted to their type', async () => {
    const { id } = await execute('seen');
    expect((await call('GET', `/workflow-instances/${id}/variables`)).json).toEqual({
      items: [
        { id: 'v-count', name: 'Count', value: 1 },
        { id: 'v-texts', name: 'Texts' },
      ],
      count: 2,
    });
    const changed = await call('POST', `/workflow-instances/${id}/variables`, {
      variables: [
        { id: 'v-count', value: '7' },
        { id: 'none', value: 1 },
      ],
    });
    expect(changed.json.items[0]).toEqual({ id: 'v-count', name: 'Count', value: 7 });
    const refused = await call('POST', `/workflow-instances/${id}/variables`, {
      variables: [
        { id: 'v-count', value: 8 },
        { id: 'v-texts', value: '{ nope' },
      ],
    });
    expect(Object.keys(refused.json.errors)).toEqual(['variables[1].value']);
    expect((await call('GET', `/workflow-instances/${id}/variables`)).json.items[0].value).toBe(7);
    const { items } = (await call('GET', `/workflow-instances/${id}/journal`)).json;
    const altered = items.filter((item: { eventName: string }) => item.eventName === 'Altered');
    expect(altered).toEqual([
      expect.objectContaining({
        message: 'ModifyVariable v-count',
        payload: { Alteration: { type: 'ModifyVariable', variableId: 'v-count', value: '7' } },
      }),
    ]);
  });

  it('instances show what their activities did', async () => {
    const { id } = await execute('seen');
    const { json: records } = await call(
      'GET',
      `/activity-executions/list?WorkflowInstanceId=${id}&ActivityNodeId=Workflow1:Seq:A`,
    );
    expect(records.items).toEqual([
      expect.objectContaining({
        activityState: { Text: 'A' },
        metadata: { _type: 'ObjectMap' },
        tenantId: '',
      }),
    ]);
    const [record] = records.items;
    expect((await call('GET', `/activity-executions/by-id?id=${record.id}`)).json).toEqual(record);
    const stack = await call('GET', `/activity-executions/${record.id}/call-stack`);
    expect(stack.json.items.map((r: { activityType: string }) => r.activityType)).toEqual([
      'Elsa.Workflow',
      'Elsa.Sequence',
      'Elsa.WriteLine',
    ]);
    const all = (await call('GET', `/activity-executions/list?workflowInstanceId=${id}`)).json.items;
    expect(all.map((r: { activityId: string }) => r.activityId)).toEqual(['Workflow1', 'Seq', 'A', 'E']);
    const part = (await call('GET', `/activity-executions/list?workflowInstanceId=${id}&skip=1&take=2`)).json;
    expect([part.items.map((r: { activityId: string }) => r.activityId), part.count, part.totalCount]).toEqual([
      ['Seq', 'A'],
      2,
      4,
    ]);
    const summaries = `/activity-execution-summaries/list?workflowInstanceId=${id}&pageSize=10001`;
    expect((await call('GET', summaries)).status).toBe(400);
    const waiting = await call('GET', `/activity-executions/${all[3].id}/call-stack?skip=2`);
    expect(waiting.json).toMatchObject({ totalCount: 4, items: [{ activityId: 'A' }, { callStackDepth: 3 }] });
    const report = await call('POST', '/activity-executions/report', {
      workflowInstanceId: id,
      activityNodeIds: ['Workflow1:Seq:E', 'nope'],
    });
    expect(report.json.stats).toEqual([
      expect.objectContaining({
        activityId: 'E',
        startedCount: 1,
        completedCount: 0,
        uncompletedCount: 1,
        isBlocked: true,
        isFaulted: false,
      }),
    ]);
  });

  it('instances show no more of their state than clients know', async () => {
    const { id } = await execute('seen', { variables: { Count: 5 } });
    const { workflowState } = (await call('GET', `/workflow-instances/${id}`)).json;
    expect(workflowState).not.toHaveProperty('activityExecutionCount');
    expect(workflowState.completionCallbacks[0]).not.toHaveProperty('childInstanceId');
    expect(workflowState.activityExecutionContexts[0]).not.toHaveProperty('schedulingActivityId');
    expect(workflowState.activityExecutionContexts.at(-1).dynamicVariables).toMatchObject([
      { id: 'countVariable', name: 'Count', value: '5' },
    ]);
  });

  it('instances are listed by their ids, of which those that are gone are missing', async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push((await execute('seen', { correlationId: `by-id-${n}` })).id);
    await call('DELETE', `/workflow-instances/${ids[1]}`);
    const listed = async (more: object) =>
      (await call('POST', '/workflow-instances', { orderDirection: 'Ascending', ...more })).json.items.map(
        ({ id }: { id: string }) => id,
      );
    expect(await listed({ ids })).toEqual([ids[0], ids[2]]);
    expect(await listed({ ids, correlationId: 'by-id-3' })).toEqual([ids[2]]);
    const tooMany = await call('POST', '/workflow-instances', {
      ids: Array.from({ length: 10_001 }, (_, n) => `${n}`),
    });
    expect([tooMany.status, Object.keys(tooMany.json.errors)]).toEqual([400, ['ids']]);
  });

  it('instances are paged from the place where the previous page ended', async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push((await execute('seen', { correlationId: `page-${n}`, name: 'Paged' })).id);
    const page = (more: object) => call('POST', '/workflow-instances', { name: 'Paged', pageSize: 2, ...more });
    const first = (await page({})).json;
    // In place of the number of a page.
    const second = (await page({ after: first.next, page: 7000 })).json;
    expect([...first.items, ...second.items].map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted());
    expect([first.totalCount, second.totalCount, second.next, first.searchedSince]).toEqual([
      3,
      3,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [{ after: 'nowhere' }, 'generalErrors'],
    [{ page: 1001, pageSize: 100 }, 'generalErrors'],
    [{ page: -1, pageSize: 10 }, 'generalErrors'],
    [{ page: 0, pageSize: 0 }, 'generalErrors'],
    [{ page: 'x' }, 'page'],
    [{ status: 'Sleeping' }, 'status'],
    [{ statuses: ['Sleeping'] }, 'generalErrors'],
    [{ subStatuses: ['Sleeping'] }, 'generalErrors'],
    [{ timestampFilters: [{ column: 'Birthday', operator: 'Is', timestamp: '2026-01-01' }] }, 'generalErrors'],
    [
      { timestampFilters: [{ column: 'CreatedAt', operator: 'Near', timestamp: '2026-01-01' }] },
      'timestampFilters[0].operator',
    ],
  ])('%j is refused under %s', async (request, key) => {
    const refused = await call('POST', '/workflow-instances', request);
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([400, [key]]);
  });

  it('instances move to another server with all of their data', async () => {
    const { id } = await execute('seen', { input: { when: 'now' } });
    const before = await call('GET', `/workflow-instances/${id}`);
    const file = await call(
      'GET',
      `/workflow-instances/${id}/export?includeBookmarks=true&includeActivityExecutionLog=true&includeWorkflowExecutionLog=true`,
    );
    expect(Object.keys(file.json).slice(0, 4)).toEqual([
      'WorkflowState',
      'Bookmarks',
      'ActivityExecutionRecords',
      'WorkflowExecutionLogRecords',
    ]);
    const records = await call('GET', `/activity-executions/list?workflowInstanceId=${id}`);
    expect(file.json.ActivityExecutionRecords).toEqual(records.json.items);
    const { createdAt, updatedAt, activityExecutionContexts } = before.json.workflowState;
    expect(file.json.WorkflowState).toMatchObject({
      createdAt,
      updatedAt,
      activityExecutionContexts: activityExecutionContexts.map(({ startedAt }: { startedAt: string }) => ({
        startedAt,
      })),
    });
    await call('DELETE', `/workflow-instances/${id}`);
    const form = new FormData();
    form.append('files', new Blob([file.bytes as BlobPart]), 'instance.json');
    expect((await call('POST', '/bulk-actions/import/workflow-instances', form)).json).toEqual({
      imported: 1,
      count: 1,
    });
    // It may have taken the place of another one.
    expect((await call('GET', `/audit?targetId=${id}`)).json.items[0].action).toBe('instances.import');
    expect((await call('GET', `/workflow-instances/${id}`)).json).toEqual(before.json);
    expect((await call('GET', `/activity-executions/list?workflowInstanceId=${id}`)).json).toEqual(records.json);
    await call('POST', '/events/seen-go/trigger', { workflowInstanceId: id, workflowExecutionMode: 'synchronous' });
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Finished');
  });

  it('instances are cancelled, one or many', async () => {
    const ids = [(await execute('seen')).id, (await execute('seen')).id, (await execute('seen')).id];
    expect((await call('POST', `/cancel/workflow-instances/${ids[0]}`)).status).toBe(200);
    expect((await call('POST', `/cancel/workflow-instances/${ids[0]}`)).status).toBe(200);
    expect((await call('POST', '/bulk-actions/cancel/workflow-instances', { ids: [...ids, 'none'] })).json).toEqual({
      cancelled: 2,
    });
    expect((await call('POST', '/bulk-actions/cancel/workflow-instances', {})).json).toEqual({ cancelled: 0 });
    expect(
      Object.keys(
        (await call('POST', '/bulk-actions/cancel/workflow-instances', { definitionId: 'seen' })).json.errors,
      ),
    ).toEqual(['versionOptions']);
    const versions: string[] = [];
    for (const name of ['first', 'second']) {
      await deploy('versions', event(name, name));
      versions.push((await execute('versions')).id);
    }
    const all = { definitionId: 'versions', versionOptions: 'AllVersions' };
    expect((await call('POST', '/bulk-actions/cancel/workflow-instances', all)).json).toEqual({ cancelled: 2 });
    for (const id of versions)
      expect((await call('GET', `/workflow-instances/${id}`)).json).toMatchObject({ subStatus: 'Cancelled' });
    expect(
      (await call('POST', '/bulk-actions/delete/workflow-instances/by-id', { ids: [...ids, 'none'] })).json,
    ).toEqual({ deleted: 3 });
  });
});
