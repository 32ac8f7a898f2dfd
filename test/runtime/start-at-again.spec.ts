import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { StoredValueError } from '@waymark/core';
import { IWorkflowDefinitionPublisher, type WorkflowPersistence } from '@waymark/runtime';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const T0 = '2026-03-01T10:00:00Z';
const SECOND = 1000;
const STEPS = 40;

describeOn(await testBackends('memory', 'sqlite'), 'a StartAt that has fired, on $name', (backend) => {
  let clock: VirtualClock;
  let store: WorkflowPersistence;
  let node: RuntimeNode;
  afterAll(() => backend.drop());
  beforeEach(async () => {
    clock = new VirtualClock(T0);
    store = await backend.create();
    const options = resolveSchedulingOptions({ startAtInPast: 'catchup', pollIntervalMs: SECOND });
    node = await startNode(store, {
      clock,
      providers: [...schedulingProviders, { provide: SCHEDULING_OPTIONS, useValue: options }],
    });
  });
  afterEach(() => node.close());

  const at = (time: string, properties: Record<string, unknown> = {}) =>
    sequence('S', {
      type: 'Elsa.StartAt',
      id: 'A',
      dateTime: literal(`2026-03-01T${time}Z`, 'DateTimeOffset'),
      customProperties: { canStartWorkflow: true, ...properties },
    });
  async function expectAfter(ms: number, expected: number, definitionId = 'once'): Promise<void> {
    const count = () => store.instances.count({ definitionIds: [definitionId] });
    await clock.advance(ms);
    for (let i = 0; i < STEPS && (await count()) < expected; i++) await clock.advance(10);
    await clock.advance(2 * SECOND);
    expect(await count()).toBe(expected);
  }

  it.each([
    ['published with other properties', (id: string) => node.deploy(id, at('10:00:10', { jitter: '00:00:09' }))],
    ['refreshed', (id: string) => node.get(IWorkflowDefinitionPublisher).refresh([id])],
  ])('does not fire again when it fires while it is %s', async (how, again) => {
    const id = `while ${how}`;
    await node.deploy(id, at('10:00:10'));
    const [row] = await store.triggers.findMany({ workflowDefinitionIds: [id] });
    // As a version before has stored it: a refresh replaces it.
    const old = { ...row!, hash: 'of the version before', payload: { ...(row!.payload as object), extra: 1 } };
    await store.definitions.apply({ saved: [], deletedIds: [], addedTriggers: [old], removedTriggerIds: [] });
    const { definitions } = store;
    const apply = definitions.apply.bind(definitions);
    let isFirst = true;
    definitions.apply = async (change) => {
      if (isFirst) {
        isFirst = false;
        await expectAfter(10 * SECOND, 1, id);
      }
      return apply(change);
    };
    await again(id);
    await expectAfter(20 * SECOND, 1, id);
    expect(isFirst).toBe(false);
  });

  it.each([
    ['published', (id: string) => node.deploy(id, at('10:00:10', { jitter: '00:00:09' }))],
    ['refreshed', (id: string) => node.get(IWorkflowDefinitionPublisher).refresh([id])],
  ])('does not fire again when its row was damaged and it is %s, and fires at another time', async (how, again) => {
    const id = `damaged and ${how}`;
    await node.deploy(id, at('10:00:10'));
    await expectAfter(11 * SECOND, 1, id);
    const { triggers } = store;
    const findMany = triggers.findMany.bind(triggers);
    // As where its text cannot be read: when it was fired last is in columns of its own.
    triggers.findMany = async (filter) =>
      (await findMany(filter)).map((row) => ({
        ...row,
        payload: undefined,
        unreadable: new StoredValueError('not JSON'),
      }));
    await again(id);
    triggers.findMany = findMany;
    await expectAfter(20 * SECOND, 1, id);
    await node.deploy(id, at('10:00:33'));
    await expectAfter(20 * SECOND, 2, id);
  });

  it('does not fire again when its activity has another id and other properties, and fires at another time', async () => {
    const renamed = (time: string, id: string) => {
      const root = at(time, { jitter: '00:00:01' });
      return { ...root, activities: [{ ...(root.activities as object[])[0], id }] };
    };
    await node.deploy('renamed', at('10:00:10'));
    await expectAfter(11 * SECOND, 1, 'renamed');
    await node.deploy('renamed', renamed('10:00:10', 'B'));
    await expectAfter(5 * SECOND, 1, 'renamed');
    await node.deploy('renamed', renamed('10:00:12', 'C'));
    await expectAfter(5 * SECOND, 2, 'renamed');
  });

  it('keeps the row of a timer whose policies change, and its due time only if it has not fired meanwhile', async () => {
    const every = (properties: Record<string, unknown> = {}) =>
      sequence('S', {
        type: 'Elsa.Timer',
        id: 'T',
        interval: literal('00:00:10', 'TimeSpan'),
        customProperties: { canStartWorkflow: true, ...properties },
      });
    const stored = async () => (await store.triggers.findMany({ workflowDefinitionIds: ['timer'] }))[0]!;
    await node.deploy('timer', every());
    const { id, dueAt } = await stored();
    await clock.advance(6 * SECOND);
    await node.deploy('timer', every({ overlap: 'skip' }));
    expect(await stored()).toMatchObject({ id, dueAt, payload: { overlap: 'skip' } });
    const { definitions } = store;
    const apply = definitions.apply.bind(definitions);
    definitions.apply = async (change) => {
      definitions.apply = apply;
      await expectAfter(5 * SECOND, 1, 'timer');
      return apply(change);
    };
    await node.deploy('timer', every({ misfire: 'all' }));
    expect(definitions.apply).toBe(apply);
    const next = new Date(dueAt!.getTime() + 10 * SECOND);
    expect(await stored()).toMatchObject({ id, dueAt: next, lastFiring: { dueAt }, payload: { misfire: 'all' } });
  });

  it('does not fire again when its properties change, or are stored for the first time, and what is over is caught up', async () => {
    await node.deploy('once', at('10:00:10', { overlap: 'skip' }));
    // As a version before has stored it, which did not heed the policy of a StartAt.
    const [row] = await store.triggers.findMany({ workflowDefinitionIds: ['once'] });
    const { executeAt } = row!.payload as { executeAt: Date };
    const old = { ...row!, payload: { executeAt }, hash: 'of the version before' };
    const removedTriggerIds = [row!.id];
    await store.definitions.apply({ saved: [], deletedIds: [], addedTriggers: [], removedTriggerIds });
    await store.definitions.apply({ saved: [], deletedIds: [], addedTriggers: [old], removedTriggerIds: [] });
    await expectAfter(11 * SECOND, 1);
    const publisher = node.get(IWorkflowDefinitionPublisher);
    expect(await publisher.refresh(['once'])).toMatchObject({ refreshed: ['once'] });
    await expectAfter(5 * SECOND, 1);
    await node.deploy('once', at('10:00:10', { overlap: 'skip', jitter: '00:00:01' }));
    await expectAfter(5 * SECOND, 1);
    // Another time is another occurrence.
    await node.deploy('once', at('10:00:12', { overlap: 'skip' }));
    await expectAfter(5 * SECOND, 2);
  });
});
