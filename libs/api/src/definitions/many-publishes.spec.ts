import { describe, expect, it } from '@jest/globals';
import { WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, line, model, sequence, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'fastify'))('publishing many definitions on %s', (adapter) => {
  const { app, call, deploy, settled } = useServer(adapter, undefined, { synchronousBulkLimit: 2 });
  const PUBLISH = '/bulk-actions/publish/workflow-definitions/by-definition-ids';
  const FOLLOWED = { options: { usableAsActivity: true, autoUpdateConsumingWorkflows: true } };
  const save = (definitionId: string, root: object = sequence(line('A')), more: object = {}) =>
    call('POST', '/workflow-definitions', { model: model(definitionId, root, more) });
  const using = (id: string) => sequence({ id: 'U', type: id, version: 1, workflowDefinitionId: id });
  const versionOf = async (id: string) =>
    (await call('GET', `/workflow-definitions/by-definition-id/${id}?versionOptions=Published`)).json
      ?.version as number;

  it('is done before the answer up to the limit, and beyond it by a plan that notes what could not be published', async () => {
    const ids = ['one', 'two', 'three'];
    for (const id of ids) await save(id);
    await save('broken', undefined, { options: { incidentStrategyType: 'Unheard' } });
    const few = await call('POST', PUBLISH, { definitionIds: ids.slice(0, 2) });
    expect([few.status, few.json.published, few.json.planId]).toEqual([200, ['one', 'two'], undefined]);
    const many = await call('POST', PUBLISH, { definitionIds: [...ids, 'broken', 'none'] });
    expect([many.status, many.json]).toMatchObject([202, { published: [], failed: [], planId: expect.any(String) }]);
    const path = `/bulk-actions/plans/${many.json.planId}`;
    expect(many.headers.get('location')).toBe(`/elsa/api${path}`);
    await settled();
    expect((await call('GET', path)).json).toMatchObject({
      action: 'PublishDefinitions',
      status: 'Completed',
      visited: 5,
      changed: 1,
      failed: 2,
      failures: [
        { id: 'broken', code: 'WM1023' },
        { id: 'none', code: 'WM1020' },
      ],
    });
    expect(await versionOf('three')).toBe(1);
  });

  it('answers the plan that moves many consumers, and update-references answers 202 with it', async () => {
    const part = `Part${adapter}`;
    await deploy(part, sequence(line('A')), FOLLOWED);
    const consumers = Array.from({ length: 51 }, (_, n) => `${part}-c${n}`);
    for (const id of consumers) await deploy(id, using(part));
    const request = { model: model(part, sequence(line('B')), FOLLOWED), publish: true };
    const { status, json } = await call('POST', '/workflow-definitions', request);
    expect([status, json.consumingWorkflowCount]).toEqual([200, 51]);
    const [entry] = await app().get(WorkflowPersistence).audit.find({ action: 'definitions.save' }, { limit: 1 });
    expect(entry?.details).toMatchObject({ published: true, consumerPlanId: json.consumerPlanId });
    await settled();
    const plan = (await call('GET', `/bulk-actions/plans/${json.consumerPlanId}`)).json;
    expect(plan).toMatchObject({ action: 'UpdateConsumers', status: 'Completed', changed: 51 });
    expect(await versionOf(consumers[50]!)).toBe(2);
    const updated = await call('POST', `/workflow-definitions/${part}/update-references`, {});
    expect([updated.status, updated.json]).toEqual([202, { affectedWorkflows: [], planId: expect.any(String) }]);
    expect(updated.headers.get('location')).toBe(`/elsa/api/bulk-actions/plans/${updated.json.planId}`);
    await settled();
    await save(part, sequence(line('C')), FOLLOWED);
    const bulk = await call('POST', PUBLISH, { definitionIds: [part] });
    expect(bulk.json).toMatchObject({ published: [part], consumerPlanIds: [expect.any(String)] });
    await settled();
    expect(await versionOf(consumers[0]!)).toBe(3);
  });
});
