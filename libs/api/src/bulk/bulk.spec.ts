import { WorkflowPersistence } from '@waymark/runtime';
import { BulkPlanWorker } from '@waymark/runtime/adapter';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, deploySeen, event, line, sequence, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'fastify'))('bulk work on %s', (adapter) => {
  const { call, deploy, execute, settled, app } = useServer(adapter, deploySeen, { synchronousBulkLimit: 2 });
  const start = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await execute('seen')).id as string));
  const versionOf = async (id: string) => (await call('GET', `/workflow-definitions/${id}`)).json.id as string;
  const instances = (more: object) => call('POST', '/workflow-instances', { definitionId: 'seen', ...more });
  const done = async () => {
    await app().get(BulkPlanWorker).settled();
    await settled();
  };

  beforeEach(async () => {
    await app()
      .get(WorkflowPersistence)
      .instances.findIds({})
      .then((ids) => app().get(WorkflowPersistence).instances.delete(ids));
  });

  it('bulk work on a few instances is done before it is answered', async () => {
    const [first, second] = await start(2);
    const cancelled = await call('POST', '/bulk-actions/cancel/workflow-instances', { ids: [first, second, first] });
    expect([cancelled.status, cancelled.json]).toEqual([200, { cancelled: 2 }]);
    const again = await call('POST', '/bulk-actions/cancel/workflow-instances', { ids: [first] });
    expect([again.status, again.json]).toEqual([200, { cancelled: 0 }]);
    const deleted = await call('POST', '/bulk-actions/delete/workflow-instances', { workflowDefinitionId: 'seen' });
    expect([deleted.status, deleted.json]).toEqual([200, { deleted: 2 }]);
    for (const path of ['cancel/workflow-instances', 'delete/workflow-instances', 'delete/workflow-instances/by-id'])
      expect(Object.values((await call('POST', `/bulk-actions/${path}`, {})).json)).toEqual([0]);
  });

  it.each([
    ['a definition', async () => ({ definitionId: 'seen', versionOptions: 'AllVersions' })],
    ['a version', async () => ({ definitionVersionId: (await instances({})).json.items[0].definitionVersionId })],
    ['a list of ids', async () => ({ ids: (await instances({})).json.items.map(({ id }: { id: string }) => id) })],
  ])('bulk work on many instances of %s is answered with a plan', async (_, request) => {
    await start(3);
    const answer = await call('POST', '/bulk-actions/cancel/workflow-instances', await request());
    expect([answer.status, answer.json]).toEqual([202, { cancelled: 0, planId: expect.any(String) }]);
    const path = `/bulk-actions/plans/${answer.json.planId}`;
    expect(answer.headers.get('location')).toBe(`/elsa/api${path}`);
    await done();
    const plan = (await call('GET', path)).json;
    expect(plan).toMatchObject({
      id: answer.json.planId,
      action: 'CancelInstances',
      status: 'Completed',
      selected: 3,
      visited: 3,
      changed: 3,
      failed: 0,
    });
    expect((await instances({ subStatus: 'Cancelled' })).json.totalCount).toBe(3);
    const filters = [expect.not.objectContaining({ definitionIds: expect.anything() })];
    expect((await call('GET', '/bulk-actions/plans?pageSize=1')).json.items).toEqual([{ ...plan, filters }]);
    const cancelled = await call('POST', `${path}/cancel`);
    expect([cancelled.status, cancelled.json.message]).toEqual([409, expect.stringContaining('Completed')]);
  });

  it('deletes instances that fit all that a request says, and no others', async () => {
    const [first, second, third] = await start(3);
    const left = async () => (await instances({})).json.items.map(({ id }: { id: string }) => id).sort();
    const remove = async (request: object) =>
      (await call('POST', '/bulk-actions/delete/workflow-instances', request)).json;
    for (const request of [
      { ids: [first], workflowDefinitionId: 'other' },
      { ids: [first], workflowDefinitionIds: ['other'] },
      { ids: [], workflowDefinitionId: 'seen' },
      { workflowDefinitionId: 'seen', workflowDefinitionIds: ['other'] },
      { workflowDefinitionId: 'seen', workflowDefinitionIds: [] },
      { ids: [first], workflowDefinitionIds: [''] },
    ])
      expect(await remove(request)).toEqual({ deleted: 0 });
    expect(await remove({ ids: [first, 'none'], workflowDefinitionId: 'seen' })).toEqual({ deleted: 1 });
    expect(await left()).toEqual([second, third].sort());
    const both = { workflowDefinitionId: 'seen', workflowDefinitionIds: ['other', 'seen'] };
    expect(await remove({ ...both, ids: [second] })).toEqual({ deleted: 1 });
    expect(await left()).toEqual([third]);
    expect(await remove({ ids: [third], workflowDefinitionId: 'seen' })).toEqual({ deleted: 1 });
  });

  it('deletes many, running or not', async () => {
    const [first] = await start(4);
    await call('POST', `/cancel/workflow-instances/${first}`);
    const request = { workflowDefinitionIds: ['seen'] };
    const answer = await call('POST', '/bulk-actions/delete/workflow-instances/by-id', request);
    expect([answer.status, answer.json.deleted]).toEqual([202, 0]);
    await done();
    expect((await call('GET', `/bulk-actions/plans/${answer.json.planId}`)).json).toMatchObject({
      status: 'Completed',
      changed: 4,
      filters: [{ definitionIds: ['seen'] }],
    });
    expect((await instances({})).json.totalCount).toBe(0);
  });

  it.each([
    ['a definition', async (id: string) => call('DELETE', `/workflow-definitions/${id}`)],
    ['a version', async (id: string) => call('DELETE', `/workflow-definition-versions/${await versionOf(id)}`)],
    ['a version by its number', async (id: string) => call('DELETE', `/workflow-definitions/${id}/version/1`)],
    [
      'definitions',
      async (id: string) =>
        call('POST', '/bulk-actions/delete/workflow-definitions/by-definition-id', { definitionIds: [id, 'none'] }),
    ],
    [
      'versions',
      async (id: string) =>
        call('POST', '/bulk-actions/delete/workflow-definitions/by-id', { ids: [await versionOf(id)] }),
    ],
  ])('deletes %s with many instances by a plan, and nothing is started by it meanwhile', async (what, remove) => {
    const id = `${adapter} ${what}`.replaceAll(' ', '-');
    await deploy(id, sequence(event('E', 'go')));
    const run = () => execute(id);
    await Promise.all([run(), run()]);
    const [few] = [`few-${id}`];
    await deploy(few, sequence(event('E', 'go')));
    const gone = await remove(few);
    expect([200, 204]).toContain(gone.status);
    expect((await call('GET', `/workflow-definitions/${few}`)).status).toBe(404);
    await run();
    const answer = await remove(id);
    expect([answer.status, answer.json]).toEqual([202, { deleted: 0, planId: expect.any(String) }]);
    const path = `/bulk-actions/plans/${answer.json.planId}`;
    expect(answer.headers.get('location')).toBe(`/elsa/api${path}`);
    await done();
    expect((await call('GET', path)).json).toMatchObject({ status: 'Completed', changed: 3, failed: 0 });
    expect((await call('GET', `/workflow-definitions/${id}`)).status).toBe(404);
    expect((await call('POST', '/workflow-instances', { definitionId: id })).json.totalCount).toBe(0);
  });

  it('a plan that deletes what is left after its instances is not cancelled, and the answer says why', async () => {
    const { bulkPlans } = app().get(WorkflowPersistence);
    const id = `${adapter}-deleting`;
    const counts = { selected: 0, visited: 0, changed: 0, failed: 0, failures: [] };
    const plan = { id, action: 'DeleteInstances', selection: [{}], deletes: { definitionIds: ['gone'] } } as const;
    await bulkPlans.submit({ ...plan, ...counts, status: 'Pending', isSelected: false, createdAt: new Date(0) });
    const lease = { owner: 'x', leaseMs: 1, now: new Date(0) };
    await bulkPlans.cut((await bulkPlans.findOpen())!, { batchId: id, ids: [], next: undefined }, lease);
    const { status, json } = await call('POST', `/bulk-actions/plans/${id}/cancel`);
    expect([status, json.message]).toEqual([409, expect.stringContaining('is deleting what is left')]);
    await bulkPlans.endDeletion(id, []);
  });

  it('a list of plans counts the definitions that they name, and a single plan names them', async () => {
    const { bulkPlans } = app().get(WorkflowPersistence);
    const counts = { selected: 0, visited: 0, changed: 0, failed: 0, failures: [], isSelected: true };
    const deletes = { definitionVersionIds: ['v', 'w', 'x'] };
    const selection = [{ definitionIds: ['a', 'b'], ids: ['i'] }];
    const id = `${adapter}-named`;
    const plan = { ...counts, id, action: 'DeleteInstances', selection, deletes, status: 'Running' } as const;
    await bulkPlans.submit({ ...plan, createdAt: new Date(8e12) });
    expect((await call('GET', `/bulk-actions/plans/${id}`)).json).toMatchObject({
      deletes,
      filters: [{ definitionIds: ['a', 'b'], idCount: 1 }],
    });
    const [listed] = (await call('GET', '/bulk-actions/plans?pageSize=1')).json.items;
    expect([listed.id, listed.deletes, listed.filters]).toEqual([
      id,
      { definitionVersionIdCount: 3 },
      [{ definitionIdCount: 2, idCount: 1 }],
    ]);
    await bulkPlans.cancel(id, new Date());
  });

  it('refuses lists that are too long, and plans that are not there', async () => {
    const ids = Array.from({ length: 10_001 }, (_, n) => `i${n}`);
    const refused = await call('POST', '/bulk-actions/delete/workflow-instances', { ids });
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([400, ['ids']]);
    for (const [path, member] of [
      ['alterations/run', 'workflowInstanceIds'],
      ['alterations/workflows/retry', 'workflowInstanceIds'],
      ['bulk-actions/publish/workflow-definitions/by-definition-ids', 'definitionIds'],
      ['bulk-actions/retract/workflow-definitions/by-definition-ids', 'definitionIds'],
      ['bulk-actions/delete/workflow-definitions/by-definition-id', 'definitionIds'],
    ] as const) {
      const tooMany = await call('POST', `/${path}`, { alterations: [], [member]: ids });
      expect([path, tooMany.status, Object.keys(tooMany.json.errors)]).toEqual([path, 400, [member]]);
    }
    expect((await call('GET', '/bulk-actions/plans/none')).status).toBe(404);
    expect((await call('POST', '/bulk-actions/plans/none/cancel')).status).toBe(404);
  });

  it('replays and deletes dead letters by a filter', async () => {
    const { outbox } = app().get(WorkflowPersistence);
    const at = new Date();
    const messages = Array.from({ length: 4 }, (_, n) => ({
      id: `${adapter}-m${n}`,
      kind: n < 3 ? 'start' : 'unheard-of',
      payload: { definition: 'lost', workflowInstanceId: `${adapter}-i${n}` },
      createdAt: at,
      availableAt: new Date(at.getTime() + 1e9),
      attempts: 0,
    }));
    await outbox.add(messages);
    for (const [n, { id }] of messages.entries())
      await outbox.moveToDeadLetters(id, n === 0 ? 'plain' : 'WM1020: gone');
    const bulk = (verb: string, body: object) => call('POST', `/bulk-actions/${verb}/outbox/dead-letters`, body);
    expect(Object.keys((await bulk('replay', {})).json.errors)).toEqual(['all']);
    expect((await bulk('replay', { definitionId: 'other' })).json).toEqual({ replayed: 0 });
    for (const definitionIds of [[], ['']])
      for (const more of [{ kind: 'start' }, { definitionId: 'lost' }, { all: true }])
        expect((await bulk('delete', { ...more, definitionIds })).json).toEqual({ deleted: 0 });
    const found = await call('GET', '/outbox/dead-letters?errorCode=WM1020&kind=start');
    expect(found.json.totalCount).toBe(2);
    await deploy('lost', line('Here'));
    const replayed = await bulk('replay', { kind: 'start', errorCode: 'WM1020', definitionIds: ['lost'] });
    expect([replayed.status, replayed.json]).toEqual([200, { replayed: 2 }]);
    await settled();
    for (const n of [1, 2])
      expect((await call('GET', `/workflow-instances/${adapter}-i${n}`)).json.subStatus).toBe('Finished');
    const plan = await bulk('delete', { all: true, createdBefore: new Date(at.getTime() + 1000).toISOString() });
    expect([plan.status, plan.json]).toEqual([200, { deleted: 2 }]);
    expect((await call('GET', '/outbox/dead-letters')).json.totalCount).toBe(0);

    const { queue } = app().get(WorkflowPersistence);
    const item = { workflowInstanceId: 'x', createdAt: at, expiresAt: new Date(at.getTime() + 1e9), attempts: 0 };
    for (const n of [0, 1, 2]) {
      await queue.enqueue({ ...item, id: `${adapter}-q${n}` });
      await queue.fail(`${adapter}-q${n}`, 'no', 1, at);
    }
    const ofQueue = (verb: string, body: object) =>
      call('POST', `/bulk-actions/${verb}/bookmark-queue/dead-letters`, body);
    expect(Object.keys((await ofQueue('delete', {})).json.errors)).toEqual(['all']);
    for (const definitionIds of [[], ['']])
      expect((await ofQueue('delete', { workflowInstanceId: 'x', definitionIds })).json).toEqual({ deleted: 0 });
    expect((await ofQueue('replay', { ids: [`${adapter}-q0`], reason: 'Failed' })).json).toEqual({ replayed: 1 });
    expect((await ofQueue('replay', { ids: [`${adapter}-q0`] })).json).toEqual({ replayed: 0 });
    const many = await ofQueue('delete', { workflowInstanceId: 'x' });
    expect([many.status, many.json.deleted]).toEqual([202, 0]);
    await done();
    expect((await call('GET', '/bookmark-queue/dead-letters')).json.totalCount).toBe(0);
  });

  it('lists a page of instances by default, and refuses pages that are too large', async () => {
    const { instances: stored } = app().get(WorkflowPersistence);
    const findMany = stored.findMany.bind(stored);
    const pages: unknown[] = [];
    stored.findMany = (filter, order, page) => {
      pages.push(page);
      return findMany(filter, order, page);
    };
    await call('GET', '/workflow-instances');
    await call('POST', '/workflow-instances', { pageSize: 7, page: 1 });
    stored.findMany = findMany;
    expect(pages).toEqual([
      { skip: 0, take: 100, countUpTo: 10_000, searchAmong: 100_000 },
      { skip: 7, take: 7, countUpTo: 10_000, searchAmong: 100_000 },
    ]);
    const refused = await call('POST', '/workflow-instances', { pageSize: 10_001 });
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([400, ['pageSize']]);
  });
});
