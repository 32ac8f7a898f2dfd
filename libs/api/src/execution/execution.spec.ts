import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, event, JSON_TYPE, line, sequence, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'fastify'))('execution on %s', (adapter) => {
  const { call, deploy, execute, settled } = useServer(adapter, (api) => api.deploy('run', sequence(line('A'))));

  it('answers the state and names the instance in headers', async () => {
    await deploy('run', sequence(line('A')));
    const reply = await call('POST', '/workflow-definitions/run/execute');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-elsa-workflow-instance-id')).toBe(reply.json.workflowState.id);
    expect(reply.headers.get('x-elsa-workflow-cannot-start')).toBe('False');
    expect(reply.headers.get('x-elsa-response')).toBe('true');
    expect(reply.json.workflowState.createdAt).toMatch(/\+00:00$/);
    const queried = await call(
      'GET',
      `/workflow-definitions/run/execute?CorrelationId=c1&input=${encodeURIComponent('{"a":1}')}`,
    );
    expect(queried.json.workflowState.correlationId).toBe('c1');
  });

  it('takes correlation ids as they are: others would be other instances', async () => {
    await deploy('padded', sequence(event('E', 'padded-go')));
    const correlationId = ' c 1 ';
    const { id } = await execute('padded', { correlationId });
    const found = async (filter: object) =>
      (await call('POST', '/workflow-instances', filter)).json.items.map((item: { id: string }) => item.id);
    expect(await found({ correlationId })).toEqual([id]);
    expect(await found({ correlationId: 'c 1' })).toEqual([]);
    const trigger = { workflowExecutionMode: 'Synchronous' };
    await call('POST', '/events/padded-go/trigger', { ...trigger, correlationId: 'c 1' });
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Suspended');
    await call('POST', '/events/padded-go/trigger', { ...trigger, correlationId });
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Finished');
  });

  it('takes a body with a byte order mark', async () => {
    const execute = (body: string) => call('POST', '/workflow-definitions/run/execute', body, JSON_TYPE);
    const { status, json } = await execute('\uFEFF{"correlationId":"marked"}');
    expect([status, json.workflowState.correlationId]).toEqual([200, 'marked']);
    expect((await execute('\uFEFF')).status).toBe(200);
  });

  it('refuses unreadable requests with a short message', async () => {
    for (const body of ['{ nope', '{"versionOptions":"Newest"}']) {
      const reply = await call('POST', '/workflow-definitions/run/execute', body, JSON_TYPE);
      expect([reply.status, reply.json.errors]).toEqual([400, { generalErrors: ['Invalid request body.'] }]);
    }
    expect((await call('POST', '/workflow-definitions/none/execute', {})).status).toBe(404);
    expect(
      (await call('POST', '/workflow-definitions/run/execute', { activityHandle: { activityId: 'Nope' } })).status,
    ).toBe(400);
  });

  it('answers 500 with the state when the workflow faults', async () => {
    await deploy('faulting', sequence({ id: 'X', type: 'Test.Broken' }));
    const reply = await call('POST', '/workflow-definitions/faulting/execute', {});
    expect([reply.status, reply.json.workflowState.subStatus, reply.headers.get('x-elsa-response')]).toEqual([
      500,
      'Faulted',
      null,
    ]);
    expect(reply.headers.get('x-elsa-workflow-instance-id')).toBeTruthy();
  });

  it('says that an activation strategy refused', async () => {
    await deploy('single', sequence(event('E', 'never')), {
      options: { activationStrategyType: 'SingletonStrategy' },
    });
    await execute('single');
    const reply = await call('POST', '/workflow-definitions/single/execute', {});
    expect([reply.status, reply.text, reply.headers.get('x-elsa-workflow-cannot-start')]).toEqual([200, '', 'True']);
  });

  it('leaves the response to a workflow that writes one', async () => {
    await deploy('answering', sequence({ id: 'X', type: 'Test.Answer' }));
    const reply = await call('POST', '/workflow-definitions/answering/execute', {});
    expect([reply.status, reply.text, reply.headers.get('x-elsa-workflow-instance-id')]).toEqual([
      202,
      'answered by the workflow',
      null,
    ]);
  });

  it('refuses to dispatch many instances with a large input', async () => {
    const request = { count: 10_000, input: { a: 'x'.repeat(11_000) } };
    const refused = await call('POST', '/workflow-definitions/run/bulk-dispatch', request);
    expect([refused.status, refused.json.errors]).toEqual([
      400,
      { count: [expect.stringContaining('must not be more than 100000000 characters')] },
    ]);
  });

  it('dispatches one instance or many', async () => {
    const one = await call('POST', '/workflow-definitions/run/dispatch', { instanceId: 'mine' });
    expect(one.json).toEqual({ workflowInstanceId: 'mine' });
    expect(
      (await call('POST', '/workflow-definitions/run/bulk-dispatch', { count: 3 })).json.workflowInstanceIds,
    ).toHaveLength(3);
    expect(
      (await call('POST', '/workflow-definitions/run/dispatch', { input: 'text' })).json.errors.generalErrors,
    ).toEqual(['Input must be a dictionary.']);
    await settled();
    expect((await call('GET', '/workflow-instances/mine')).json.subStatus).toBe('Finished');
  });

  it('refuses to dispatch a workflow under the id of an instance of another one, and repeats no start', async () => {
    await deploy('other', line('A'));
    const dispatch = (name: string) =>
      call('POST', `/workflow-definitions/${name}/dispatch`, { instanceId: 'order-17' });
    await dispatch('other');
    await settled();
    const refused = await dispatch('run');
    expect([refused.status, refused.json.code]).toEqual([409, 'WM3002']);
    expect((await dispatch('other')).json).toEqual({ workflowInstanceId: 'order-17' });
    await settled();
    const { json } = await call('POST', '/workflow-instances', { ids: ['order-17'] });
    expect(json.items.map(({ definitionId }: { definitionId: string }) => definitionId)).toEqual(['other']);
  });
});
