import { jest } from '@jest/globals';
import type { ActivityExecutionRecord } from '@waymark/core';
import { IWorkflowDefinitionService, WorkflowPersistence } from '@waymark/runtime';
import { sequence, useServer } from '../module/api-harness.spec.js';
import { StatedInputs } from './stated-inputs.js';

describe('stated inputs', () => {
  const { call, deploy, execute, app } = useServer('fastify');
  const items = (count: number) => ({
    typeName: 'ObjectArray',
    expression: { type: 'Object', value: Array.from({ length: count }, (_, i) => i) },
  });
  const choose = (text: string) => ({
    id: 'Choose',
    type: 'Elsa.Switch',
    cases: [{ label: 'One', condition: { type: 'Literal', value: text } }],
  });
  const loop = (count: number, body: object) => ({ id: 'Each', type: 'Elsa.ForEach', items: items(count), body });
  const chosen = (records: any[]) => records.filter(({ activityId }) => activityId === 'Choose');

  it('stated inputs are in an answer up to its size limit, since each execution repeats them', async () => {
    await deploy('large', sequence(loop(100, choose('x'.repeat(100_000)))));
    const { id } = await execute('large');
    const { json, text } = await call('GET', `/activity-executions/list?workflowInstanceId=${id}`);
    expect([text.length < 2_000_000, chosen(json.items).length]).toEqual([true, 100]);
    const states = chosen(json.items).map(({ activityState }) => Object.keys(activityState));
    expect([states[0], states.at(-1)]).toEqual([['Cases', 'Mode'], ['Mode']]);
    // By itself it is complete.
    const last = await call('GET', `/activity-executions/${chosen(json.items).at(-1).id}`);
    expect(Object.keys(last.json.activityState)).toEqual(['Cases', 'Mode']);
  });

  it('stated inputs of a chain of callers read each instance once', async () => {
    await deploy('deep', sequence(loop(1, sequence(choose('x')))));
    const { id } = await execute('deep');
    const [found] = chosen((await call('GET', `/activity-executions/list?workflowInstanceId=${id}`)).json.items);
    const looks = jest.spyOn(app().get(WorkflowPersistence).instances, 'findMany');
    try {
      const stack = (await call('GET', `/activity-executions/${found.id}/call-stack`)).json;
      expect(stack.items.length).toBeGreaterThan(3);
      expect(stack.items.at(-1).activityState).toEqual(found.activityState);
      const ofStated = looks.mock.calls.filter(([filter]) => filter?.ids?.[0] === id);
      expect(ofStated).toHaveLength(1);
    } finally {
      looks.mockRestore();
    }
  });

  it('stated inputs are in the state of an instance that waits', async () => {
    const eventName = { typeName: 'String', expression: { type: 'Literal', value: 'never' } };
    const hold = { id: 'Hold', type: 'Elsa.Event', eventName };
    const chooses = { ...choose('true'), cases: [{ ...choose('true').cases[0], activity: hold }] };
    await deploy('waits', sequence(chooses));
    const { id } = await execute('waits');
    const { json } = await call('GET', `/workflow-instances/${id}`);
    const states = json.workflowState.activityExecutionContexts.map((context: any) => [
      context.scheduledActivityNodeId.split(':').at(-1),
      context.activityState,
    ]);
    expect(Object.fromEntries(states)).toMatchObject({
      Choose: { Cases: [{ label: 'One', condition: { value: 'true' } }], Mode: 'MatchFirst' },
      Hold: { EventName: 'never' },
    });
  });

  it('stated inputs do not include sensitive inputs', async () => {
    const inputs = ['Plain', 'Hidden'].map((name) => ({
      ...{ name, propertyName: name.toLowerCase(), typeName: 'String', isWrapped: false },
      isSensitive: name === 'Hidden',
    }));
    const node = { registration: { descriptor: { inputs } }, createActivity: () => ({ plain: 'a', hidden: 'b' }) };
    const graph = { findByNodeId: () => node };
    const stated = new StatedInputs(
      {
        instances: { findMany: async () => ({ items: [{ definitionVersionId: 'v' }] }) },
      } as never as WorkflowPersistence,
      { graph: async () => graph } as never as IWorkflowDefinitionService,
    );
    const record = { activityNodeId: 'n', activityState: {} } as ActivityExecutionRecord;
    const [shown] = await stated.addTo('i', [record], { bytes: 1000 });
    expect(shown!.activityState).toEqual({ Plain: 'a' });
  });
});
