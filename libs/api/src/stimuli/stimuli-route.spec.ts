import { WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, deploySeen, event, sequence, useServer } from '../module/api-harness.spec.js';

const go = { name: 'Elsa.Event', stimulus: { eventName: 'seen-go' } };

describe.each(pairsOf(ADAPTERS, 'express'))('POST /stimuli on %s', (adapter) => {
  const { app, call, deploy, execute, settled } = useServer(adapter, async (api) => {
    await deploySeen(api);
    await api.deploy('begins', sequence({ ...event('E', 'begin'), customProperties: { canStartWorkflow: true } }));
  });
  const send = (body: object) => call('POST', '/stimuli', body);
  const stateOf = async (id: string) => (await call('GET', `/workflow-instances/${id}`)).json.subStatus;

  it('resumes the instances that wait for that value, and names them', async () => {
    const [one, other] = [await execute('seen', { correlationId: 'a' }), await execute('seen', { correlationId: 'b' })];
    const answer = await send({ ...go, correlationId: 'a', input: { x: 1 } });
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        started: [],
        resumed: [{ workflowInstanceId: one.id, status: 'Finished', subStatus: 'Finished' }],
        handedOver: 0,
        refused: [],
      },
    ]);
    expect([await stateOf(one.id), await stateOf(other.id)]).toEqual(['Finished', 'Suspended']);
    const byInstance = await send({ ...go, workflowInstanceId: other.id });
    expect(byInstance.json.resumed).toHaveLength(1);
  });

  it('starts the workflows that it triggers', async () => {
    const { started } = (await send({ name: 'Elsa.Event', stimulus: { eventName: 'begin' } })).json;
    expect(started).toEqual([{ workflowInstanceId: expect.any(String), status: 'Finished', subStatus: 'Finished' }]);
  });

  it('stores an unmatched stimulus, once for its key, until a bookmark matches', async () => {
    const wanted = { name: 'Elsa.Event', stimulus: { eventName: 'later' }, idempotencyKey: 'key' };
    const { queuedItemId } = (await send(wanted)).json;
    expect(queuedItemId).toEqual(expect.any(String));
    expect((await send(wanted)).json.queuedItemId).toBe(queuedItemId);
    await deploy('later', sequence(event('E', 'later')));
    const { id } = await execute('later');
    await settled();
    expect(await stateOf(id)).toBe('Finished');
  });

  it.each(['Synchronous', 'Asynchronous'])(
    'starts a workflow once for events with the same key, %s, and again with another key or none',
    async (workflowExecutionMode) => {
      const { instances } = app().get(WorkflowPersistence);
      const count = () => instances.count({ definitionIds: ['begins'] });
      const before = await count();
      for (const idempotencyKey of ['k1', 'k1', 'k2', undefined, undefined]) {
        const key = idempotencyKey && `${idempotencyKey} ${workflowExecutionMode}`;
        const body = { workflowExecutionMode, ...(key && { idempotencyKey: key }) };
        expect((await call('POST', '/events/begin/trigger', body)).status).toBe(200);
        await settled();
      }
      expect((await count()) - before).toBe(4);
    },
  );

  it('is dispatched on request', async () => {
    const { id } = await execute('seen');
    const answer = await send({ ...go, workflowInstanceId: id, workflowExecutionMode: 'asynchronous' });
    expect([answer.status, answer.text]).toEqual([202, '']);
    await settled();
    expect(await stateOf(id)).toBe('Finished');
  });

  it('is refused without a name, with input that is not an object, and in other modes', async () => {
    const { status, json } = await send({ input: [1], workflowExecutionMode: 'Later' });
    expect([status, Object.keys(json.errors).sort()]).toEqual([400, ['input', 'name', 'workflowExecutionMode']]);
  });
});
