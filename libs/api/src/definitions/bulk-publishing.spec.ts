import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { StoredValueError } from '@waymark/core';
import { DefinitionBeingDeletedError, WorkflowPersistence } from '@waymark/runtime';
import { line, model, useServer } from '../module/api-harness.spec.js';

const REQUEST = (verb: string) => `/bulk-actions/${verb}/workflow-definitions/by-definition-ids`;

describe.each(['express', 'fastify'] as const)('several definitions on %s', (adapter) => {
  const { call, app } = useServer(adapter);
  const definitionIds = ['first', 'deleted', 'last'];
  afterEach(() => void jest.restoreAllMocks());
  /** Once, when the server has found the second one. */
  const meanwhile = (act: () => Promise<unknown>) => {
    const { definitions } = app().get(WorkflowPersistence);
    const find = definitions.find.bind(definitions);
    let isDone = false;
    jest.spyOn(definitions, 'find').mockImplementation(async (filter) => {
      const found = await find(filter);
      if (filter.definitionId !== 'deleted' || isDone) return found;
      isDone = true;
      await act();
      return found;
    });
  };
  /** Once, when the server has found them all. */
  const meanwhileOfAll = (act: () => Promise<unknown>) => {
    const { definitions } = app().get(WorkflowPersistence);
    const findMany = definitions.findMany.bind(definitions);
    jest.spyOn(definitions, 'findMany').mockImplementationOnce(async (...asked) => {
      const found = await findMany(...asked);
      await act();
      return found;
    });
  };
  const save = async (publish: boolean) => {
    for (const id of definitionIds)
      await call('POST', '/workflow-definitions', { model: model(id, line('A')), publish });
  };
  const remove = () => call('DELETE', '/workflow-definitions/deleted');

  it('several definitions are published, and the answer says so, although one of them is deleted meanwhile', async () => {
    await save(false);
    meanwhile(remove);
    const { status, json } = await call('POST', REQUEST('publish'), { definitionIds });
    expect([status, json]).toMatchObject([200, { published: ['first', 'last'], notFound: ['deleted'], failed: [] }]);
  });

  it('several definitions are published, and the answer says why one of them is not', async () => {
    await save(false);
    const { bulkPlans } = app().get(WorkflowPersistence);
    jest.spyOn(bulkPlans, 'findDeletions').mockResolvedValue([{ definitionIds: ['deleted'] }]);
    const { status, json } = await call('POST', REQUEST('publish'), { definitionIds: ['deleted', 'last'] });
    expect([status, json]).toMatchObject([200, { published: ['last'], failed: ['deleted'] }]);
    expect(json.warnings).toEqual({ deleted: [new DefinitionBeingDeletedError('deleted').message] });
  });

  it('several definitions are retracted, and the answer says so, although one of them is deleted meanwhile', async () => {
    await save(true);
    meanwhileOfAll(remove);
    const { status, json } = await call('POST', REQUEST('retract'), { definitionIds });
    expect([status, json]).toMatchObject([200, { retracted: ['first', 'last'], notFound: ['deleted'] }]);
    expect(json).not.toHaveProperty('failures');
  });

  it('several definitions are retracted, and the answer says why one of them is not', async () => {
    await save(true);
    const { definitions } = app().get(WorkflowPersistence);
    const findMany = definitions.findMany.bind(definitions);
    jest.spyOn(definitions, 'findMany').mockImplementation(async (...asked) => {
      const found = await findMany(...asked);
      if (found.items.some(({ definitionId }) => definitionId === 'deleted')) throw new StoredValueError('not JSON');
      return found;
    });
    const { status, json } = await call('POST', REQUEST('retract'), { definitionIds });
    const failures = [{ id: 'deleted', code: 'WM1054', message: expect.stringContaining('not JSON') }];
    expect([status, json]).toMatchObject([200, { retracted: ['first', 'last'], failures }]);
  });
});

describe('many definitions', () => {
  const { call, app, settled } = useServer('fastify', undefined, { synchronousBulkLimit: 2 });
  const definitionIds = ['first', 'second', 'third'];
  const path = (planId: string) => `/bulk-actions/plans/${planId}`;

  it('many definitions are retracted and refreshed by plans, and the audit trail names who asked for what they did', async () => {
    for (const id of definitionIds)
      await call('POST', '/workflow-definitions', { model: model(id, line('A')), publish: true });
    const answers = [
      await call('POST', '/actions/workflow-definitions/refresh', {}),
      await call('POST', '/actions/workflow-definitions/reload'),
      await call('POST', REQUEST('retract'), { definitionIds: [...definitionIds, 'absent'] }),
    ];
    const { definitions, audit } = app().get(WorkflowPersistence);
    await settled();
    const plans = [];
    for (const { status, json, headers } of answers) {
      expect([status, headers.get('location')]).toEqual([202, `/elsa/api${path(json.planId)}`]);
      plans.push((await call('GET', path(json.planId))).json);
    }
    const by = { requestedBy: { actorKind: 'Anonymous' }, status: 'Completed' };
    const refreshed = { ...by, action: 'RefreshDefinitions', changed: 3, failed: 0, filters: [{ idCount: 3 }] };
    const retracted = { ...by, action: 'RetractDefinitions', changed: 3, failed: 1, filters: [{ idCount: 4 }] };
    expect(plans).toMatchObject([refreshed, refreshed, { ...retracted, failures: [{ id: 'absent', code: 'WM1020' }] }]);
    expect(await definitions.findVersions({ versionOptions: 'Published', definitionIds })).toEqual([]);
    const entries = await audit.find({ action: 'definitions.retract', outcome: 'Succeeded' }, { limit: 10 });
    const ofPlan = { details: { planId: answers[2]!.json.planId, changed: 3 } };
    expect(entries).toContainEqual(
      expect.objectContaining({ actorKind: 'Anonymous', targetIds: definitionIds, ...ofPlan }),
    );
  });
});
