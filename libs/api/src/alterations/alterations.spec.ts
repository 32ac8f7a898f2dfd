import { count, deployFaulting, deploySeen, event, line, sequence, useServer } from '../module/api-harness.spec.js';

describe('alterations', () => {
  const { call, deploy, execute, settled } = useServer('fastify', (api) =>
    Promise.all([deploySeen(api), deployFaulting(api)]),
  );

  const alter = async (id: string, ...alterations: object[]) =>
    (await call('POST', '/alterations/run', { alterations, workflowInstanceIds: [id] })).json.results[0];

  it('alterations are applied all or none', async () => {
    const { id } = await execute('seen');
    const failed = await alter(
      id,
      { type: 'ModifyVariable', variableId: 'v-count', value: 5 },
      { type: 'ModifyVariable', variableId: 'nope', value: 5 },
    );
    expect(failed).toMatchObject({
      isSuccessful: false,
      log: { logEntries: [{ message: 'Variable with ID nope not found', logLevel: 'Error' }] },
    });
    expect((await call('GET', `/workflow-instances/${id}/variables`)).json.items[0].value).toBe(1);
    expect(await alter(id, { type: 'ModifyVariable', variableId: 'v-count', value: 5 })).toMatchObject({
      isSuccessful: true,
      workflowHasScheduledWork: false,
    });
    expect((await call('GET', `/workflow-instances/${id}/variables`)).json.items[0].value).toBe(5);
  });

  it('alterations refuse to change a variable that is not stored, unless a running activity can see it', async () => {
    const kept = { ...count, id: 'v-kept', name: 'Kept' };
    const variables = [{ ...count, storageDriverTypeName: undefined }, kept];
    await deploy('unstored', sequence(event('E', 'unstored-go'), line('A')), { variables });
    const { id } = await execute('unstored');
    const set = { type: 'ModifyVariable', variableId: 'v-count', value: 5 };
    const message = expect.stringContaining('"Count" is not stored between bursts');
    expect(await alter(id, set)).toMatchObject({ isSuccessful: false, log: { logEntries: [{ message }] } });
    const changes = [
      { id: 'v-kept', value: 5 },
      { id: 'v-count', value: 5 },
    ];
    const answer = await call('POST', `/workflow-instances/${id}/variables`, { variables: changes });
    expect([answer.status, answer.json]).toEqual([409, { code: 'WM3009', message }]);
    const { items } = (await call('GET', `/workflow-instances/${id}/variables`)).json;
    expect(items.map(({ value }: { value: unknown }) => value)).toEqual([1, 1]);
    const scheduled = await alter(id, set, { type: 'ScheduleActivity', activityId: 'A' });
    expect(scheduled).toMatchObject({ isSuccessful: true, workflowHasScheduledWork: true });
  });

  it('alterations convert values as strictly as the definition does', async () => {
    const span = { ...count, id: 'v-span', name: 'Span', typeName: 'TimeSpan', value: null };
    const members = { variables: [count, span], options: { strictConversions: true } };
    await deploy('strict', sequence(event('E', 'strict-go')), members);
    const { id } = await execute('strict');
    const set = (variableId: string, value: unknown) => alter(id, { type: 'ModifyVariable', variableId, value });
    const message = expect.stringContaining("does not fit variable 'Count' of type Int32");
    expect(await set('v-count', 'abc')).toMatchObject({ isSuccessful: false, log: { logEntries: [{ message }] } });
    expect(await set('v-span', '72:00:00')).toMatchObject({ isSuccessful: true });
    const { items } = (await call('GET', `/workflow-instances/${id}/variables`)).json;
    expect(items.map(({ value }: { value: unknown }) => value)).toEqual([1, '3.00:00:00']);
  });

  it('alterations refuse the mark that is shown in place of a secret', async () => {
    const customer = { ...count, id: 'v-customer', name: 'Customer', typeName: 'Object', value: null };
    await deploy('marked', sequence(event('E', 'marked-go')), { variables: [customer] });
    const { id } = await execute('marked');
    const set = (value: object) => [{ type: 'Cancel' }, { type: 'ModifyVariable', variableId: 'v-customer', value }];
    const shown = set({ name: 'Ada', deep: [{ password: '(redacted)' }] });
    const errors = { 'alterations[1].value': [expect.stringContaining('Send the secret itself')] };
    const run = await call('POST', '/alterations/run', { alterations: shown, workflowInstanceIds: [id] });
    expect([run.status, run.json.errors]).toEqual([400, errors]);
    const filter = { workflowInstanceIds: [id] };
    const submitted = await call('POST', '/alterations/submit', { alterations: shown, filter });
    expect([submitted.status, submitted.json.errors]).toEqual([400, errors]);
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Suspended');
  });

  it('retry what failed, and cancel', async () => {
    const { id } = (await call('POST', '/workflow-definitions/faulting/execute', {})).json.workflowState;
    const { json } = await call('POST', '/alterations/workflows/retry', { workflowInstanceIds: [id] });
    expect(json.results).toEqual([expect.objectContaining({ isSuccessful: true, workflowHasScheduledWork: true })]);
    const waiting = await execute('seen');
    expect(await alter(waiting.id, { type: 'Cancel' })).toMatchObject({ isSuccessful: true });
    expect((await call('GET', `/workflow-instances/${waiting.id}`)).json.subStatus).toBe('Cancelled');
  });

  it('alterations that are for what failed do nothing where it does not stand failed', async () => {
    const { id } = await execute('seen');
    const before = (await call('GET', `/workflow-instances/${id}`)).json;
    const { activityId, activityInstanceId } = before.workflowState.bookmarks[0];
    for (const type of ['ScheduleActivity', 'SkipActivity'])
      for (const target of [{ activityId }, { activityInstanceId }])
        expect(await alter(id, { type, ...target, onlyFaulted: true })).toMatchObject({ log: { logEntries: [] } });
    expect((await call('GET', `/workflow-instances/${id}`)).json).toEqual(before);
  });

  it('skip what failed, once', async () => {
    const { id, incidents } = (await call('POST', '/workflow-definitions/faulting/execute', {})).json.workflowState;
    const { activityInstanceId } = incidents[0];
    const skip = { type: 'SkipActivity', activityInstanceId, onlyFaulted: true };
    expect((await alter(id, skip)).log.logEntries).toEqual([
      expect.objectContaining({ message: 'SkipActivity succeeded' }),
    ]);
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Finished');
    expect(await alter(id, skip)).toMatchObject({ isSuccessful: true, log: { logEntries: [] } });
  });

  it('retry a failed undo, although the activity that failed before it was removed', async () => {
    const fault = (id: string) => ({ id, type: 'Elsa.Fault' });
    const step = { id: 'Step', type: 'Waymark.Compensable', body: line('Done'), undo: fault('Undo') };
    await deploy('undone', sequence(step, fault('Failed')));
    const { id } = (await call('POST', '/workflow-definitions/undone/execute', {})).json.workflowState;
    const { json } = await call('POST', '/alterations/workflows/retry', { workflowInstanceIds: [id] });
    expect(json.results).toEqual([expect.objectContaining({ isSuccessful: true, workflowHasScheduledWork: true })]);
    const { items } = (await call('GET', `/workflow-instances/${id}/journal`)).json;
    const undos = items.filter((entry: { activityId: string }) => entry.activityId === 'Undo');
    expect(undos.map((entry: { eventName: string }) => entry.eventName)).toEqual([
      'Started',
      'Faulted',
      'Started',
      'Faulted',
    ]);
  });

  it('alterations move an instance to another version', async () => {
    await deploy('moving', sequence(event('E', 'moving-go'), line('V1')));
    const { id } = await execute('moving');
    await deploy('moving', sequence(event('E', 'moving-go'), line('V2')));
    expect(await alter(id, { type: 'Migrate', targetVersion: 2 })).toMatchObject({ isSuccessful: true });
    await call('POST', '/events/moving-go/trigger', { workflowExecutionMode: 'Synchronous' });
    expect((await call('GET', `/workflow-instances/${id}/journal/V2`)).status).toBe(200);
  });

  it('alterations show in a dry run what a migration would do, accept a mapping, and refuse a migration after which an instance could not continue', async () => {
    await deploy('mapped', sequence(event('E', 'mapped-go'), line('V1')));
    const { id } = await execute('mapped');
    await deploy('mapped', sequence(event('E2', 'mapped-go'), line('V2')));
    const dryRun = async (mapping?: object) => {
      const body = { targetVersion: 2, mapping, filter: { workflowInstanceIds: [id] } };
      return (await call('POST', '/alterations/migrations/dry-run', body)).json.reports[0];
    };
    expect(await dryRun()).toMatchObject({
      workflowInstanceId: id,
      isPossible: false,
      problems: [{ code: 'NoCounterpart', activityId: 'E' }],
    });
    expect(await alter(id, { type: 'Migrate', targetVersion: 2 })).toMatchObject({
      isSuccessful: false,
      log: { logEntries: [{ logLevel: 'Error', message: expect.stringContaining("'E' (Elsa.Event)") }] },
    });
    const mapping = { activities: { E: 'E2' } };
    expect(await dryRun(mapping)).toMatchObject({
      isPossible: true,
      waits: [{ activityId: 'E', to: { activityId: 'E2' } }],
    });
    expect(await alter(id, { type: 'Migrate', targetVersion: 2, mapping })).toMatchObject({ isSuccessful: true });
    expect(await alter(id, { type: 'UndoMigration' })).toMatchObject({ isSuccessful: true });
    expect(await alter(id, { type: 'Migrate', targetVersion: 2, mapping })).toMatchObject({ isSuccessful: true });
    const { json: instance } = await call('GET', `/workflow-instances/${id}`);
    expect([instance.version, instance.workflowState.migration]).toEqual([2, undefined]);
    await call('POST', '/events/mapped-go/trigger', { workflowExecutionMode: 'Synchronous' });
    expect((await call('GET', `/workflow-instances/${id}/journal/V2`)).status).toBe(200);
    const wrong = await call('POST', '/alterations/run', {
      alterations: [{ type: 'Migrate', targetVersion: 2, mapping: { activities: { E: 5 } } }],
      workflowInstanceIds: [id],
    });
    expect(Object.keys(wrong.json.errors)).toEqual(['alterations[0].mapping.activities.E']);
    const misspelt = await call('POST', '/alterations/run', {
      alterations: [{ type: 'Migrate', targetVersion: 2, mapping: { activites: { E: 'E2' } } }],
      workflowInstanceIds: [id],
    });
    expect(misspelt.json.errors).toEqual({
      'alterations[0].mapping.activites': [expect.stringContaining('activities and variables')],
    });
    const beyond = { targetVersion: 2 ** 31, filter: { workflowInstanceIds: [id] } };
    const reply = await call('POST', '/alterations/migrations/dry-run', beyond);
    expect([reply.status, Object.keys(reply.json.errors)]).toEqual([400, ['targetVersion']]);
  });

  it('alterations that migrate are tried on instances by id, and require at least one', async () => {
    await deploy('tried', sequence(event('E', 'tried-go')));
    const { id } = await execute('tried');
    await deploy('tried', sequence(event('E', 'tried-go'), line('V2')));
    const dryRun = (body: object) => call('POST', '/alterations/migrations/dry-run', { targetVersion: 2, ...body });
    expect((await dryRun({ workflowInstanceIds: [id] })).json.reports).toMatchObject([
      { workflowInstanceId: id, isPossible: true },
    ]);
    for (const body of [{}, { filter: {}, workflowInstanceIds: [id] }, { filter: null }]) {
      const reply = await dryRun(body);
      expect([reply.status, reply.json.errors]).toEqual([400, { filter: [expect.any(String)] }]);
    }
    const misspelt = await dryRun({ workflowInstanceIds: [id], mapping: { variable: {} } });
    expect([misspelt.status, Object.keys(misspelt.json.errors)]).toEqual([400, ['mapping.variable']]);
  });

  it('alterations are refused when they are invalid', async () => {
    const { id } = await execute('seen');
    const reply = await call('POST', '/alterations/run', {
      alterations: [{ type: 'Explode' }],
      workflowInstanceIds: [id],
    });
    expect(Object.keys(reply.json.errors)).toEqual(['alterations[0]']);
    const alterations = Array.from({ length: 1001 }, () => ({ type: 'Cancel' }));
    const many = await call('POST', '/alterations/run', { alterations, workflowInstanceIds: [id] });
    expect(many.json.errors).toEqual({ alterations: [expect.stringContaining('1000 members or fewer')] });
    const ids = Array.from({ length: 10_001 }, (_, n) => `i${n}`);
    const named = await call('POST', '/alterations/dry-run', { workflowInstanceIds: ids });
    expect(named.json.errors).toEqual({ workflowInstanceIds: [expect.stringContaining('10000 members or fewer')] });
    const most = await call('POST', '/alterations/dry-run', { workflowInstanceIds: [...ids.slice(3), id, id] });
    expect(most.json).toEqual({ workflowInstanceIds: [id] });
    expect(
      (await call('POST', '/alterations/run', { alterations: [{ type: 'Cancel' }], workflowInstanceIds: ['none'] }))
        .status,
    ).toBe(400);
  });

  it('a day that a filter excludes is excluded as a whole, from what is tried and from what is altered', async () => {
    await deploy('dated', sequence(event('E', 'dated-go')));
    const { id } = await execute('dated');
    const { createdAt } = (await call('GET', `/workflow-instances/${id}`)).json;
    const except = (days: number) => {
      const timestamp = `${new Date(Date.parse(createdAt) + days * 86_400_000).toISOString().slice(0, 10)}T00:00:00+00:00`;
      return { definitionIds: ['dated'], timestampFilters: [{ column: 'CreatedAt', operator: 'IsNot', timestamp }] };
    };
    const tried = async (days: number) => (await call('POST', '/alterations/dry-run', except(days))).json;
    expect([await tried(0), await tried(-1)]).toEqual([{ workflowInstanceIds: [] }, { workflowInstanceIds: [id] }]);
    const statusAfter = async (days: number) => {
      await call('POST', '/alterations/submit', { alterations: [{ type: 'Cancel' }], filter: except(days) });
      await settled();
      return (await call('GET', `/workflow-instances/${id}`)).json.subStatus;
    };
    expect([await statusAfter(0), await statusAfter(-1)]).toEqual(['Suspended', 'Cancelled']);
  });

  it('alterations run as plans', async () => {
    const { id } = await execute('seen');
    expect((await call('POST', '/alterations/dry-run', {})).json).toEqual({ workflowInstanceIds: [] });
    expect((await call('POST', '/alterations/dry-run', { workflowInstanceIds: [id, 'none'] })).json).toEqual({
      workflowInstanceIds: [id],
    });
    const { planId } = (
      await call('POST', '/alterations/submit', {
        alterations: [{ type: 'Cancel' }],
        filter: { workflowInstanceIds: [id] },
      })
    ).json;
    await settled();
    const { plan, jobs } = (await call('GET', `/alterations/${planId}`)).json;
    expect(plan.status).toBe('Completed');
    expect(jobs).toEqual([expect.objectContaining({ workflowInstanceId: id, status: 'Completed' })]);
    expect((await call('GET', '/alterations/none')).status).toBe(404);
    const again = await call('POST', '/alterations/submit', { id: planId, alterations: [], filter: {} });
    expect(again.status).toBe(409);
    const { items } = (await call('GET', `/workflow-instances/${id}/journal`)).json;
    const [entry] = items.filter((item: { eventName: string }) => item.eventName === 'Altered');
    expect(entry).toMatchObject({ message: 'Cancel', payload: { Alteration: { type: 'Cancel' }, PlanId: planId } });
  });
});
