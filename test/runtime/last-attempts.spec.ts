import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  IWorkflowCancellationService,
  IWorkflowRuntime,
  MemoryPersistence,
  RuntimeGate,
  RuntimeNotAcceptingWorkError,
  WorkflowCodeMissingError,
} from '@waymark/runtime';
import { InstanceRetries, OutboxProcessor } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { line, literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const SECOND = 1000;
const ATTEMPTS = 3;

describe('a message whose attempts are used up', () => {
  let memory: MemoryPersistence;
  let clock: VirtualClock;
  let node: RuntimeNode;
  let onLine: (text: string) => void;
  const lines: string[] = [];

  beforeEach(async () => {
    for (const level of ['warn', 'error'] as const) jest.spyOn(Logger.prototype, level).mockImplementation(() => {});
    memory = new MemoryPersistence();
    clock = new VirtualClock();
    lines.length = 0;
    onLine = () => {};
    const writeLine = (text: string): void => {
      lines.push(text);
      onLine(text);
    };
    node = await startNode(memory, { clock, writeLine, pollIntervalMs: SECOND, maxDeliveryAttempts: ATTEMPTS });
  });
  afterEach(async () => {
    await node.close();
    jest.restoreAllMocks();
  });

  it.each([
    ['is paused', () => new RuntimeNotAcceptingWorkError('paused')],
    [
      'lacks the code of its version',
      () => new WorkflowCodeMissingError({ id: 'v1', definitionId: 'd', version: 1 }, ['a function']),
    ],
  ])('stays a message while the node that would notify those who wait for it %s', async (_, refusal) => {
    let refusals = 1;
    const abandoned: string[] = [];
    node.get(OutboxProcessor).register({
      kind: 'work',
      handle: () => Promise.reject(new Error('it fails')),
      abandon: async ({ attempts }, error) => {
        if (refusals-- > 0) throw refusal();
        abandoned.push(`${attempts}: ${error}`);
      },
    });
    const now = new Date(clock.now());
    const attempts = ATTEMPTS - 1;
    await memory.outbox.add([{ id: 'm', kind: 'work', payload: 1, createdAt: now, availableAt: now, attempts }]);
    await clock.advance(SECOND);
    expect([await memory.outbox.count(), abandoned]).toEqual([{ waiting: 1, deadLetters: 0 }, []]);
    await clock.advance(65 * SECOND);
    expect([await memory.outbox.count(), abandoned]).toEqual([{ waiting: 0, deadLetters: 1 }, ['3: it fails']]);
  });

  it('W8: is parked when the runtime takes work again, and its parent is notified then, not before', async () => {
    const gate = node.get(RuntimeGate);
    await node.deploy('child', line('L', 'in the child'));
    const child = { type: 'Elsa.DispatchWorkflow', id: 'D', workflowDefinitionId: literal('child') };
    const waits = { ...child, waitForCompletion: literal(true, 'Boolean') };
    await node.deploy('parent', sequence('S', line('B', 'before'), waits, line('A', 'after')));
    // The start of the child is left to other nodes, each of which dies of it.
    onLine = () => gate.pause();
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'parent' });
    onLine = () => {};
    for (let death = 0; death <= ATTEMPTS; death++) {
      const lease = { owner: `dead-${death}`, limit: 1, leaseMs: 1, now: new Date(clock.now() + death) };
      expect(await memory.outbox.claim(lease)).toMatchObject([{ kind: 'start', attempts: death }]);
    }
    gate.resume();
    const claim = memory.outbox.claim.bind(memory.outbox);
    memory.outbox.claim = async (options) => {
      const claimed = await claim(options);
      if (claimed.length > 0) gate.pause();
      return claimed;
    };
    await clock.advance(5 * SECOND);
    expect([gate.closedBecause, await memory.outbox.count(), lines]).toEqual([
      'paused',
      { waiting: 1, deadLetters: 0 },
      ['before'],
    ]);
    memory.outbox.claim = claim;
    gate.resume();
    await clock.advance(5 * SECOND);
    expect([await memory.outbox.count(), lines]).toEqual([{ waiting: 0, deadLetters: 0 }, ['before', 'after']]);
    expect(await memory.instances.count({ definitionIds: ['child'], subStatuses: ['Faulted'] })).toBe(1);
  });

  it.each([
    ['Elsa.DispatchWorkflow', {}],
    ['Elsa.ExecuteWorkflow', {}],
    ['Elsa.BulkDispatchWorkflows', { items: literal([1, 2, 3], 'Object') }],
  ])('W8: the report of a child parks its parent at %s, and further ones end no node', async (type, more) => {
    const gate = node.get(RuntimeGate);
    const settle = () => clock.advance(65 * SECOND);
    await node.deploy('child', waitFor('E', 'never'));
    const children = { type, id: 'D', workflowDefinitionId: literal('child'), ...more };
    const waits = { ...children, waitForCompletion: literal(true, 'Boolean') };
    await node.deploy('parent', sequence('S', line('B', 'before'), waits, line('A', 'after')));
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'parent' });
    await settle();
    const [first, ...others] = await memory.instances.findIds({ definitionIds: ['child'] });
    const cancel = (id: string) => node.get(IWorkflowCancellationService).cancel(id);
    gate.pause();
    await cancel(first!);
    await settle();
    for (let death = 0; death < ATTEMPTS; death++) {
      const lease = { owner: `dead-${death}`, limit: 10, leaseMs: 1, now: new Date(clock.now() + SECOND + death) };
      const claimed = await memory.outbox.claim({ ...lease, exceptKinds: ['cancel-children'] });
      expect(claimed).toMatchObject([{ kind: 'resume', attempts: death }]);
    }
    gate.resume();
    await settle();
    for (const other of others) await cancel(other);
    await settle();
    const { subStatus, incidents } = await client.exportState();
    expect([subStatus, incidents.map(({ activityId, exception }) => [activityId, exception?.metadata?.code])]).toEqual([
      'Faulted',
      [['D', 'WM3008']],
    ]);
    expect(await memory.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    await node.get(InstanceRetries).retry(client.workflowInstanceId);
    await settle();
    // The children that are there are asked, not started again.
    expect([(await client.exportState()).subStatus, lines]).toEqual(['Finished', ['before', 'after']]);
    expect(await memory.instances.count({ definitionIds: ['child'] })).toBe(1 + others.length);
    expect(await memory.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('W8: is tried again at its time, and not taken back by the renewal of another one that fails just then', async () => {
    let fail = (): void => {};
    const second = new Promise<void>((resolve) => (fail = resolve));
    node.get(OutboxProcessor).register({
      kind: 'work',
      handle: async ({ id }) => {
        if (id === 'second') await second;
        throw new Error('it fails');
      },
    });
    const release = memory.outbox.release.bind(memory.outbox);
    let isReleased = (): void => {};
    const released = new Promise<void>((resolve) => (isReleased = resolve));
    memory.outbox.release = async (id, ...rest) => {
      await release(id, ...rest);
      // The answer is on its way when the other one fails, which renews what this node holds.
      if (id === 'first') fail();
      if (id === 'first') await released;
      else isReleased();
    };
    const now = new Date(clock.now());
    const row = { kind: 'work', payload: 1, createdAt: now, availableAt: now, attempts: 0 };
    await memory.outbox.add(['first', 'second'].map((id) => ({ ...row, id })));
    await node.get(OutboxProcessor).poll();
    await node.get(OutboxProcessor).settled();
    const lease = { owner: 'other', limit: 10, leaseMs: SECOND, now: new Date(clock.now() + SECOND) };
    const found = (await memory.outbox.claim(lease)).map(({ id, attempts }) => [id, attempts] as const);
    expect(Object.fromEntries(found)).toEqual({ first: 1, second: 1 });
  });

  it('W8: is left to a node with its code, uncounted, also when another one fails just then', async () => {
    const outbox = node.get(OutboxProcessor);
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    outbox.register({
      kind: 'work',
      handle: async ({ id }) => {
        if (id === 'second') throw new Error('it fails');
        await asked;
        throw new WorkflowCodeMissingError({ id: 'v1', definitionId: 'd', version: 1 }, ['a function']);
      },
    });
    const renew = memory.outbox.renew.bind(memory.outbox);
    memory.outbox.renew = async (ids, lease) => {
      isAsked();
      // The other one is given back before the statement comes to the store.
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      return renew(ids, lease);
    };
    const now = new Date(clock.now());
    const row = { kind: 'work', payload: 1, createdAt: now, availableAt: now, attempts: 0 };
    await memory.outbox.add(['first', 'second'].map((id) => ({ ...row, id })));
    await outbox.poll();
    await outbox.settled();
    const [turn = 0] = await memory.outbox.findWaitingTurns(1);
    const waiting = [{ turn, limit: 1 }];
    const lease = { owner: 'other', limit: 0, leaseMs: SECOND, now, long: { limit: 0 }, waiting };
    expect(await memory.outbox.claim(lease)).toMatchObject([{ id: 'first', attempts: 0 }]);
  });
});
