import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  BulkPlans,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  MemoryPersistence,
  StoreUnavailableError,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { type BulkBatch, BulkPlanWorker, DefinitionPlans } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import {
  line,
  type RuntimeNode,
  type RuntimeNodeOptions,
  sequence,
  startNode,
  waitFor,
} from '../support/runtime-node.js';

const SECOND = 1000;
const INSTANCES = 20;
const DEFINITION = 'waits';

describe('bulk plans and faults of the store', () => {
  let memory: MemoryPersistence;
  let clock: VirtualClock;
  let points: FaultPoints;
  let nodes: RuntimeNode[];

  beforeEach(() => {
    memory = new MemoryPersistence();
    // What is held in a test is not waited for.
    clock = new VirtualClock('2026-01-01T00:00:00Z', { patienceMs: 20 });
    points = new FaultPoints();
    nodes = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    points.heal();
    for (const node of nodes) await node.close();
    jest.restoreAllMocks();
  });

  async function start(options: RuntimeNodeOptions = {}): Promise<RuntimeNode> {
    const store = withFaultPoints(memory, points);
    // The first to close does not take the store from the others.
    const shared = Object.assign(Object.create(store) as WorkflowPersistence, { close: async () => {} });
    const nodeName = `node-${nodes.length}`;
    const node = await startNode(shared, { clock, nodeName, pollIntervalMs: SECOND, ...options });
    nodes.push(node);
    return node;
  }
  async function waiting(node: RuntimeNode, count = INSTANCES, definition = DEFINITION): Promise<string[]> {
    await node.deploy(definition, sequence('S', waitFor('E', 'go'), line('L', 'x')));
    const ids: string[] = [];
    for (let left = count; left > 0; left--) {
      const client = await node.get(IWorkflowRuntime).createClient();
      await client.createInstance({ definition });
      ids.push(client.workflowInstanceId);
    }
    return ids;
  }
  const planOf = (planId: string) => memory.bulkPlans.find(planId);
  const all = (definition = DEFINITION) => [{ definitionIds: [definition] }];

  it('W8: a batch whose lease has run out in an outage is left to its node, which is about to say that it lives', async () => {
    // Before a node sees the store: it is watched as it was then.
    let isHeld = false;
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const commit = memory.commit.bind(memory);
    const begun = new Promise<void>((begin) => {
      memory.commit = async (burst) => {
        if (isHeld) begin();
        if (isHeld) await held;
        return commit(burst);
      };
    });
    const claimed: (BulkBatch | undefined)[] = [];
    const claim = memory.bulkPlans.claim.bind(memory.bulkPlans);
    memory.bulkPlans.claim = async (lease) => {
      const batch = await claim(lease);
      if (batch) claimed.push(batch);
      return batch;
    };
    const [first, second] = [await start(), await start()];
    await waiting(first);
    isHeld = true;
    const planId = await first.get(BulkPlans).submit({ action: 'CancelInstances', filters: all() });
    await begun;
    await clock.advance(9 * SECOND);
    points.refuse('writes');
    second.get(BulkPlanWorker).wake();
    await clock.advance(40 * SECOND);
    points.heal();
    await clock.advance(8 * SECOND);
    goOn();
    for (const node of [first, second]) await node.get(BulkPlanWorker).settled();
    expect(claimed).toEqual([]);
    expect(await planOf(planId)).toMatchObject({ status: 'Completed', visited: INSTANCES, changed: INSTANCES });
  });

  /** As a database that has no time for so many, or for that one. */
  function deletesAtMost(count: number, except?: () => string): number[] {
    const remove = memory.instances.delete.bind(memory.instances);
    const sizes: number[] = [];
    memory.instances.delete = async (ids) => {
      sizes.push(ids.length);
      if (ids.length > count || (except && ids.includes(except())))
        throw new StoreUnavailableError('canceling statement due to statement timeout', { isOfCall: true });
      return remove(ids);
    };
    return sizes;
  }

  it('W8: a deletion for which the database has no time is done in smaller portions, and others follow it', async () => {
    const sizes = deletesAtMost(30);
    const node = await start();
    await waiting(node, 130);
    await waiting(node, 10, 'other');
    const first = await node.get(BulkPlans).submit({ action: 'DeleteInstances', filters: all() });
    const second = await node.get(BulkPlans).submit({ action: 'DeleteInstances', filters: all('other') });
    await node.get(BulkPlanWorker).settled();
    expect(await planOf(first)).toMatchObject({ status: 'Completed', visited: 130, changed: 130, failed: 0 });
    expect(await planOf(second)).toMatchObject({ status: 'Completed', visited: 10, changed: 10 });
    expect([sizes.includes(130), Math.min(...sizes) > 1]).toEqual([true, true]);
    expect(await node.get(BulkPlans).run({ action: 'DeleteInstances', filters: all() }, 100)).toMatchObject({
      changed: 0,
    });
  });

  it('W8: an instance for which the database has no time fails after so many attempts, and the others are deleted', async () => {
    let heavy = '';
    deletesAtMost(INSTANCES, () => heavy);
    const node = await start({ maxDeliveryAttempts: 3 });
    [, , heavy = ''] = await waiting(node);
    const planId = await node.get(BulkPlans).submit({ action: 'DeleteInstances', filters: all() });
    await clock.advance(20 * SECOND);
    await node.get(BulkPlanWorker).settled();
    const counts = { visited: INSTANCES, changed: INSTANCES - 1, failed: 1 };
    expect(await planOf(planId)).toMatchObject({ status: 'Completed', ...counts, failures: [{ id: heavy }] });
    expect(await memory.instances.count({ definitionIds: [DEFINITION] })).toBe(1);
  });

  it.each([
    ['fails', () => new Error('it fails')],
    ['takes the database too long', () => new StoreUnavailableError('statement timeout', { isOfCall: true })],
  ])(
    'W8: a plan whose selection %s keeps neither other plans nor deletions waiting, and is tried again',
    async (_, fault) => {
      const find = memory.instances.findIds.bind(memory.instances);
      let looks = 0;
      let isPoisoned = true;
      memory.instances.findIds = async (filter, page) => {
        if (!isPoisoned || filter.definitionIds?.[0] !== 'poison') return find(filter, page);
        looks++;
        throw fault();
      };
      const node = await start();
      await waiting(node, 1, 'poison');
      await waiting(node);
      const poisoned = await node.get(BulkPlans).submit({ action: 'CancelInstances', filters: all('poison') });
      await clock.advance(1);
      const plan = { action: 'DeleteInstances', filters: all() } as const;
      const planId = await node.get(BulkPlans).submit(plan, { deletes: { definitionIds: [DEFINITION] } });
      await clock.advance(20 * SECOND);
      expect(await planOf(planId)).toMatchObject({ status: 'Completed', visited: INSTANCES });
      expect([await memory.definitions.findMany({ definitionIds: [DEFINITION] }), looks]).toMatchObject([
        { items: [] },
        1,
      ]);
      isPoisoned = false;
      await clock.advance(60 * SECOND);
      expect(await planOf(poisoned)).toMatchObject({ status: 'Completed', changed: 1 });
    },
  );

  it.each(['cut', 'claim'] as const)(
    'W8: a batch of which the node has not heard, as the answer of its `%s` was lost, is done at once, as if it had',
    async (call) => {
      points = new FaultPoints({ at: `bulkPlans.${call}#1`, fault: 'loses the answer' });
      const node = await start({ maxDeliveryAttempts: 2 });
      const ids = await waiting(node, 3);
      const counts = { selected: 3, visited: 0, changed: 0, failed: 0, failures: [], createdAt: new Date(clock.now()) };
      const plan = { id: 'p', action: 'CancelInstances', selection: all(), status: 'Running', ...counts } as const;
      const isCut = call === 'claim';
      await memory.bulkPlans.submit({ ...plan, isSelected: isCut }, { batches: isCut ? [{ id: 'b', ids }] : [] });
      const dead = { owner: 'dead', leaseMs: 1, now: new Date(clock.now() - 100) };
      if (isCut) expect((await memory.bulkPlans.claim(dead))?.attempts).toBe(0);
      await clock.advance(8 * SECOND);
      expect(points.isMet).toBe(true);
      expect(await planOf('p')).toMatchObject({ status: 'Completed', visited: 3, changed: 3, failed: 0 });
    },
  );

  it('W8: definitions for which the database has no time together are deleted one by one, and the others follow', async () => {
    const node = await start();
    for (const id of ['heavy', 'light', 'last']) await waiting(node, 1, id);
    const publisher = node.get(IWorkflowDefinitionPublisher);
    const remove = publisher.delete.bind(publisher);
    publisher.delete = async (ids, options) => {
      if (ids.length > 1 || ids[0] === 'heavy')
        throw new StoreUnavailableError('canceling statement due to statement timeout', { isOfCall: true });
      return remove(ids, options);
    };
    const submit = (...definitionIds: string[]) =>
      node
        .get(BulkPlans)
        .submit({ action: 'DeleteInstances', filters: [{ definitionIds }] }, { deletes: { definitionIds } });
    const [first, second] = [await submit('heavy', 'light'), await submit('last')];
    await clock.advance(20 * SECOND);
    expect(await planOf(first)).toMatchObject({ status: 'Completed', failed: 1, failures: [{ id: 'heavy' }] });
    expect(await planOf(second)).toMatchObject({ status: 'Completed', failed: 0 });
    const { items } = await memory.definitions.findMany({});
    expect(items.map(({ definitionId }) => definitionId)).toEqual(['heavy']);
  });

  it('W8: a definition whose table is locked for a while is deleted once it is free, and does not count as failed', async () => {
    const node = await start();
    for (const id of ['locked', 'free']) await waiting(node, 1, id);
    const publisher = node.get(IWorkflowDefinitionPublisher);
    const remove = publisher.delete.bind(publisher);
    const asked: string[] = [];
    publisher.delete = async (ids, options) => {
      asked.push(ids.join());
      if (ids.includes('locked') && asked.length <= 4)
        throw new StoreUnavailableError('canceling statement due to statement timeout', { isOfCall: true });
      return remove(ids, options);
    };
    const definitionIds = ['locked', 'free'];
    const plan = { action: 'DeleteInstances', filters: [{ definitionIds }] } as const;
    const planId = await node.get(BulkPlans).submit(plan, { deletes: { definitionIds } });
    await clock.advance(20 * SECOND);
    expect(await planOf(planId)).toMatchObject({ status: 'Completed', failed: 0, failures: [] });
    expect(asked).toEqual(['locked,free', 'locked', 'free', 'locked', 'locked']);
    expect((await memory.definitions.findMany({})).items).toEqual([]);
  });

  it.each(['finish', 'advance'] as const)(
    'W8: what a plan did is in the audit trail when the answer of its `%s` is lost, too',
    async (call) => {
      points = new FaultPoints({ at: `bulkPlans.${call}#1`, fault: 'loses the answer' });
      const node = await start();
      const ids = await waiting(node, 3);
      const requestedBy = { actorKind: 'User', actor: 'ann', isAudited: true } as const;
      if (call === 'finish')
        await node.get(BulkPlans).submit({ action: 'CancelInstances', filters: [{ ids }] }, { requestedBy });
      else await node.get(DefinitionPlans).submit('RetractDefinitions', [DEFINITION], requestedBy);
      await clock.advance(5 * SECOND);
      await node.settled();
      expect(points.isMet).toBe(true);
      const entries = await memory.audit.find({}, { limit: 10 });
      const targets = call === 'finish' ? ids.toSorted() : [DEFINITION];
      expect(entries.map(({ actor, targetIds }) => [actor, targetIds.toSorted()])).toEqual([['ann', targets]]);
    },
  );
});
