import { afterEach, describe, expect, it, jest } from '@jest/globals';
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
    meanwhile(remove);
    const { status, json } = await call('POST', REQUEST('retract'), { definitionIds });
    expect([status, json]).toMatchObject([200, { retracted: ['first', 'last'], notFound: ['deleted'] }]);
  });
});
