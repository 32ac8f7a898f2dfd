import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  type DispatchDefinitionRequest,
  IWorkflowDefinitionService,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  WorkflowPersistence,
  OutboxDeadLetters,
} from '@waymark/runtime';
import { InstanceRetries, OutboxProcessor } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

const SECOND = 1000;
const ATTEMPTS = 3;

describeOn(await testBackends(), 'what no attempt helps, on $name', (backend) => {
  let clock: VirtualClock;
  let node: RuntimeNode;
  let store: WorkflowPersistence;

  beforeEach(async () => {
    clock = new VirtualClock();
    node = await startNode(await backend.create(), {
      clock,
      maxDeliveryAttempts: ATTEMPTS,
      workflowMiddleware: [
        (wec, next) => {
          if (wec.graph.definition.definitionId === 'kid') throw new Error('out of order');
          return next();
        },
      ],
    });
    store = node.get(WorkflowPersistence);
  });
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  const now = () => new Date(clock.now());
  const deadLetters = async () => (await node.get(OutboxDeadLetters).findMany()).items;
  const versionOf = async (definitionId: string) =>
    (await node.get(IWorkflowDefinitionService).require(definitionId)).id;

  /** Stores the start as a dispatch does; every node that takes it dies. */
  const dispatchToDeath = (request: DispatchDefinitionRequest) =>
    serveToDeath('start', { ...request, workflowInstanceId: request.workflowInstanceId! });

  async function serveToDeath(kind: string, payload: { readonly workflowInstanceId: string }): Promise<void> {
    const message = { id: `m-${payload.workflowInstanceId}`, kind, payload, attempts: 0 };
    await store.outbox.add([{ ...message, createdAt: now(), availableAt: now() }]);
    for (let death = 0; death < ATTEMPTS; death++) {
      await store.outbox.claim({ owner: `dead-${death}`, limit: 1, leaseMs: 30 * SECOND, now: now() });
      await clock.advance(31 * SECOND);
    }
    await node.settled();
  }

  it('W8: serves messages of dead nodes one at a time, without claiming the others', async () => {
    const ids = Array.from({ length: 5 }, (_, n) => `suspect-${n}`);
    const served: string[] = [];
    const waiting: string[][] = [];
    node.get(OutboxProcessor).register({
      kind: 'suspect',
      handle: async ({ id }) => {
        served.push(id);
        // Another node gets what this one does not serve, and counts no death.
        const others = await store.outbox.claim({ owner: 'other', limit: 9, leaseMs: SECOND, now: now() });
        waiting.push(others.map((message) => `${message.id} ${message.attempts}`).toSorted());
        for (const other of others) await store.outbox.postpone(other.id, now());
        await store.outbox.delete(id);
      },
    });
    const row = { kind: 'suspect', payload: {}, attempts: 0, createdAt: now(), availableAt: now() };
    await store.outbox.add(ids.map((id) => ({ ...row, id })));
    for (let death = 0; death < 2; death++) {
      await store.outbox.claim({ owner: `dead-${death}`, limit: 9, leaseMs: 30 * SECOND, now: now() });
      await clock.advance(31 * SECOND);
    }
    await node.settled();
    expect(served.toSorted()).toEqual(ids);
    expect(waiting.map((others) => others.length).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
    expect(new Set(waiting.flat().map((text) => text.split(' ')[1]))).toEqual(new Set(['2']));
    expect(await deadLetters()).toEqual([]);
  });

  it('leaves a faulted instance of a start that takes down every node', async () => {
    await node.deploy('poison', sequence('S', line('L', 'never')));
    const definition = { definitionVersionId: await versionOf('poison') };
    await dispatchToDeath({ definition, workflowInstanceId: 'poisoned', correlationId: 'c', input: { a: 1 } });
    const found = await store.instances.load('poisoned');
    expect(found).toMatchObject({ status: 'Finished', subStatus: 'Faulted', correlationId: 'c', incidentCount: 1 });
    expect(found!.state.incidents[0]?.exception?.metadata).toMatchObject({ code: 'WM3008' });
    expect(found!.state.input).toMatchObject({ a: 1 });
    expect([await deadLetters(), await store.outbox.count(), node.lines]).toEqual([
      [],
      { waiting: 0, deadLetters: 0 },
      [],
    ]);
  });

  const begun = { triggerActivityId: 'E', input: { __EventPayloadWorkflowInput: 'an order' } };
  const text = { typeName: 'String', memoryReference: { id: 'text' } };
  const keeping = sequence('S', waitFor('E', 'go', { ...startedBy, result: text }), {
    type: 'Elsa.WriteLine',
    id: 'L',
    text: { typeName: 'String', expression: { type: 'Variable', value: { id: 'text' } } },
  });
  const variables = [{ id: 'text', name: 'Text', typeName: 'String' }];

  it('a start by an event that takes down every node passes its event, with what that brought, when it is retried', async () => {
    await node.deploy('by-event', keeping, { variables });
    const definition = { definitionVersionId: await versionOf('by-event') };
    await dispatchToDeath({ definition, workflowInstanceId: 'retried', ...begun });
    expect((await store.instances.load('retried'))!.subStatus).toBe('Faulted');
    await node.get(InstanceRetries).retry('retried');
    expect([(await store.instances.load('retried'))!.subStatus, node.lines]).toEqual(['Finished', ['an order']]);
  });

  it('so does one that was claimed before it ran, whose message alone has both', async () => {
    await node.deploy('claimed', keeping, { variables });
    const client = await node.get(IWorkflowRuntime).createClient('claimed-1');
    await client.createInstance({ definition: 'claimed' });
    await serveToDeath('run', { workflowInstanceId: 'claimed-1', ...begun });
    expect((await store.instances.load('claimed-1'))!.subStatus).toBe('Faulted');
    await node.get(InstanceRetries).retry('claimed-1');
    expect([(await store.instances.load('claimed-1'))!.subStatus, node.lines]).toEqual(['Finished', ['an order']]);
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('tells the parent of such an instance, once', async () => {
    const waits = { workflowDefinitionId: literal('kid'), waitForCompletion: literal(true, 'Boolean') };
    await node.deploy('kid', sequence('S', line('K', 'kid')));
    await node.deploy(
      'parent',
      sequence('S', { type: 'Elsa.DispatchWorkflow', id: 'D', ...waits }, line('P', 'goes on')),
    );
    const parent = await node.get(IWorkflowDispatcher).dispatch({ definition: 'parent' });
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await node.settled();
      await clock.advance(SECOND);
    }
    await node.settled();
    expect(node.lines).toEqual(['goes on']);
    const [kid] = await store.instances.findIds({ parentWorkflowInstanceIds: [parent] });
    expect((await store.instances.load(kid!))?.state.incidents[0]?.message).toContain('out of order');
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    expect((await store.queue.findDeadLetters({})).items).toEqual([]);
  });

  it('keeps a start whose definition is gone, until it is replayed', async () => {
    const payload = { definition: 'comes-later', workflowInstanceId: 'waiting' };
    await node.get(OutboxProcessor).send([{ kind: 'start', payload }]);
    await node.settled();
    const [message] = await deadLetters();
    expect(message).toMatchObject({ kind: 'start', payload, lastError: expect.stringContaining('comes-later') });
    const service = node.get(OutboxDeadLetters);
    expect(await service.find(message!.id)).toEqual(message);

    await node.deploy('comes-later', sequence('S', line('L', 'late')));
    expect(await service.replay(message!.id)).toBe(true);
    await node.settled();
    expect([(await store.instances.load('waiting'))?.subStatus, node.lines]).toEqual(['Finished', ['late']]);
    expect([await deadLetters(), await service.replay(message!.id)]).toEqual([[], false]);
  });

  it('deletes dead letters on request', async () => {
    const payload = { definition: 'never', workflowInstanceId: 'unwanted' };
    await node.get(OutboxProcessor).send([{ kind: 'start', payload }]);
    await node.settled();
    const [message] = await deadLetters();
    const service = node.get(OutboxDeadLetters);
    expect([await service.delete(message!.id), await service.delete(message!.id)]).toEqual([true, false]);
    expect(await deadLetters()).toEqual([]);
  });
});
