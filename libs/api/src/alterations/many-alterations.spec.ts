import { beforeAll, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError, WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, deploySeen, sequence, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'fastify'))('repairs of many instances on %s', (adapter) => {
  const { app, call, deploy, execute, settled } = useServer(adapter, deploySeen, { synchronousBulkLimit: 2 });
  const RUN = '/alterations/run';
  const RETRY = '/alterations/workflows/retry';
  const start = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await execute('seen')).id as string));
  const fail = async (definitionId = 'faulty') =>
    (await call('POST', `/workflow-definitions/${definitionId}/execute`, {})).json.workflowState.id as string;
  const variablesOf = async (id: string) =>
    (await call('GET', `/workflow-instances/${id}/variables`)).json.items.map(({ value }: { value: unknown }) => value);
  const faultsOf = async (id: string) => {
    const { items } = (await call('GET', `/workflow-instances/${id}/journal`)).json;
    return items.filter((entry: { eventName: string }) => entry.eventName === 'Faulted').length as number;
  };
  const alterations = [{ type: 'ModifyVariable', variableId: 'v-count', value: 5 }];

  beforeAll(() => deploy('faulty', sequence({ id: 'F', type: 'Elsa.Fault' })));

  it('alterations of up to synchronousBulkLimit instances are done before the answer, with a result for each in the order of the request', async () => {
    const workflowInstanceIds = (await start(2)).toReversed();
    const answer = await call('POST', RUN, { alterations, workflowInstanceIds });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual(['results']);
    expect(answer.json.results).toMatchObject(
      workflowInstanceIds.map((workflowInstanceId) => ({ workflowInstanceId, isSuccessful: true })),
    );
    const failed = [await fail(), await fail()];
    const retried = await call('POST', RETRY, { workflowInstanceIds: failed });
    expect([retried.status, retried.json.results.length]).toEqual([200, 2]);
  });

  it('alterations of more instances become a plan, and the answer names it', async () => {
    const workflowInstanceIds = await start(3);
    const answer = await call('POST', RUN, { alterations, workflowInstanceIds });
    expect([answer.status, answer.json]).toEqual([202, { results: [], planId: expect.any(String) }]);
    const path = `/alterations/${answer.json.planId}`;
    expect(answer.headers.get('location')).toBe(`/elsa/api${path}`);
    await settled();
    const { plan, jobs } = (await call('GET', path)).json;
    expect([plan.status, jobs.map((job: { status: string }) => job.status)]).toEqual([
      'Completed',
      ['Completed', 'Completed', 'Completed'],
    ]);
    for (const id of workflowInstanceIds) expect((await variablesOf(id))[0]).toBe(5);
  });

  it('retries become a bulk plan beyond the limit, where what failed is retried', async () => {
    const workflowInstanceIds = [await fail(), await fail(), await fail()];
    const answer = await call('POST', RETRY, { workflowInstanceIds });
    expect([answer.status, answer.json]).toEqual([202, { results: [], planId: expect.any(String) }]);
    const entries = await app().get(WorkflowPersistence).audit.find({ action: 'alterations.retry' }, { limit: 9 });
    // The plan has entries of its own, which are of no request.
    expect(entries.find(({ address }) => address)?.details).toEqual({ planId: answer.json.planId });
    const path = `/bulk-actions/plans/${answer.json.planId}`;
    expect(answer.headers.get('location')).toBe(`/elsa/api${path}`);
    await settled();
    expect((await call('GET', path)).json).toMatchObject({
      action: 'RetryInstances',
      status: 'Completed',
      selected: 3,
      visited: 3,
      changed: 3,
      filters: [{ idCount: 3 }],
    });
    for (const id of workflowInstanceIds) expect(await faultsOf(id)).toBe(2);
  });

  it('retries become a plan of alterations beyond the limit, where named activities are run again', async () => {
    const workflowInstanceIds = [await fail(), await fail(), await fail()];
    const answer = await call('POST', RETRY, { workflowInstanceIds, activityIds: ['F'] });
    const path = `/alterations/${answer.json.planId}`;
    expect([answer.status, answer.headers.get('location')]).toEqual([202, `/elsa/api${path}`]);
    await settled();
    expect((await call('GET', path)).json.plan).toMatchObject({
      status: 'Completed',
      alterations: [{ type: 'ScheduleActivity', activityId: 'F' }],
    });
    for (const id of workflowInstanceIds) expect(await faultsOf(id)).toBe(2);
  });

  it('repairs of many instances are refused as a whole where an instance is unknown', async () => {
    const workflowInstanceIds = [...(await start(3)), 'none'];
    for (const path of [RUN, RETRY]) {
      const answer = await call('POST', path, { alterations, workflowInstanceIds });
      expect([answer.status, answer.json.errors.workflowInstanceIds]).toEqual([
        400,
        ['There is no workflow instance "none".'],
      ]);
    }
    expect((await variablesOf(workflowInstanceIds[0]!))[0]).not.toBe(5);
  });

  it('repairs of many instances name those of system workflows that a plan would leave out', async () => {
    await deploy('own', sequence({ id: 'F', type: 'Elsa.Fault' }), { isSystem: true });
    const own = await fail('own');
    const workflowInstanceIds = [...(await start(2)), own];
    const answer = await call('POST', RUN, { alterations: [{ type: 'Cancel' }], workflowInstanceIds });
    expect([answer.status, answer.json.errors.workflowInstanceIds]).toEqual([
      400,
      [expect.stringContaining(`"${own}" is an instance of a system workflow`)],
    ]);
  });

  /** Does something to an instance after the request has found that it is there. */
  async function onceFound<T>(meanwhile: () => unknown, request: () => Promise<T>): Promise<T> {
    const { instances } = app().get(WorkflowPersistence);
    const { findIds } = instances;
    instances.findIds = async (...args) => {
      instances.findIds = findIds;
      const found = await findIds.apply(instances, args);
      await meanwhile();
      return found;
    };
    return request();
  }

  it.each(['run', 'workflows/retry'])(
    'alterations/%s has the results of the other instances where one can no longer be altered',
    async (route) => {
      const isRetry = route !== 'run';
      const [good, gone] = isRetry ? [await fail(), await fail()] : await start(2);
      const { instances } = app().get(WorkflowPersistence);
      const answer = await onceFound(
        () => instances.delete([gone!]),
        () => call('POST', `/alterations/${route}`, { alterations, workflowInstanceIds: [gone, good] }),
      );
      expect(answer.status).toBe(200);
      expect(answer.json.results).toEqual([
        {
          workflowInstanceId: gone,
          log: {
            logEntries: [
              {
                code: 'WM3001',
                message: expect.stringContaining(gone!),
                logLevel: 'Error',
                timestamp: expect.any(String),
                eventName: 'Alteration failed',
              },
            ],
          },
          workflowHasScheduledWork: false,
          isSuccessful: false,
        },
        expect.objectContaining({ workflowInstanceId: good, isSuccessful: true }),
      ]);
      const [entry] = await app().get(WorkflowPersistence).audit.find({ targetId: good }, { limit: 1 });
      expect(entry).toMatchObject({ outcome: 'Succeeded', details: { failed: 1 } });
    },
  );

  it('repairs say nothing of an unexpected error but that there was one', async () => {
    const [good, broken] = await start(2);
    const { instances } = app().get(WorkflowPersistence);
    const { load } = instances;
    instances.load = (id, ...rest) =>
      id === broken ? Promise.reject(new Error('a detail')) : load.call(instances, id, ...rest);
    const answer = await call('POST', RUN, { alterations, workflowInstanceIds: [good, broken] });
    instances.load = load;
    expect([answer.status, answer.text.includes('a detail')]).toEqual([200, false]);
    expect(answer.json.results[1].log.logEntries).toMatchObject([{ code: 'WM8000', logLevel: 'Error' }]);
  });

  it('repairs have the results of what was altered before the store failed', async () => {
    const [done, lost] = await start(2);
    const { instances } = app().get(WorkflowPersistence);
    const { load } = instances;
    const fault = new StoreUnavailableError('a detail');
    instances.load = (id, ...rest) => (id === lost ? Promise.reject(fault) : load.call(instances, id, ...rest));
    const answer = await call('POST', RUN, { alterations, workflowInstanceIds: [done, lost] });
    instances.load = load;
    expect([answer.status, answer.text.includes('a detail')]).toEqual([200, false]);
    expect(answer.json.results).toMatchObject([
      { workflowInstanceId: done, isSuccessful: true },
      { workflowInstanceId: lost, isSuccessful: false, log: { logEntries: [{ code: 'WM7014' }] } },
    ]);
  });

  it('repairs are answered with the error where it prevents all of them', async () => {
    const [first, second] = await start(2);
    const { instances } = app().get(WorkflowPersistence);
    for (const workflowInstanceIds of [[first], [second, await start(1)].flat()]) {
      const answer = await onceFound(
        () => instances.delete(workflowInstanceIds as string[]),
        () => call('POST', RUN, { alterations, workflowInstanceIds }),
      );
      expect([answer.status, answer.json.code]).toEqual([404, 'WM3001']);
    }
  });
});
