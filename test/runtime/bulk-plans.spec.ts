import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  IWorkflowRuntime,
  WorkflowPersistence,
  BulkPlans,
  DefinitionDeletions,
  type DefinitionDeletion,
  type InstanceFilter,
} from '@waymark/runtime';
import { BulkPlanWorker, type OutboxMessage } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import {
  line,
  type RuntimeNode,
  type RuntimeNodeOptions,
  sequence,
  startNode,
  waitFor,
} from '../support/runtime-node.js';

/** When each test begins. */
const AT = new Date('2026-03-01T00:00:00Z');
/** More than two batches. */
const MANY = 450;

describeOn(await testBackends(), 'bulk plans on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  let definition: string;
  let tests = 0;

  const node = async (store?: WorkflowPersistence, options: RuntimeNodeOptions = {}): Promise<RuntimeNode> => {
    const started = await startNode(store ?? (await backend.create()), { clock, ...options });
    nodes.push(started);
    return started;
  };
  /** Stored without having run: they wait for their first burst. */
  const create = async (on: RuntimeNode, count: number, definitionId = definition): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const client = await on.get(IWorkflowRuntime).createClient();
        await client.createInstance({ definition: definitionId });
        return client.workflowInstanceId;
      }),
    );
  const storeOf = (on: RuntimeNode) => on.get(WorkflowPersistence);
  const count = (on: RuntimeNode, subStatus: 'Cancelled' | 'Pending', definitionId = definition) =>
    storeOf(on).instances.count({ definitionIds: [definitionId], subStatuses: [subStatus] });
  const cancelAll = () => ({ action: 'CancelInstances', filters: [{ definitionIds: [definition] }] }) as const;
  const planOf = async (on: RuntimeNode, planId: string | undefined) => (await on.get(BulkPlans).find(planId!))!;

  beforeEach(() => {
    clock = new VirtualClock(AT.toISOString());
    nodes = [];
    definition = `bulk-${++tests}`;
  });
  afterEach(async () => {
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it('bulk plans are not needed for a little, which is done at once and several at a time', async () => {
    const persistence = await backend.create();
    const only = await node(persistence);
    await only.deploy(definition, sequence('S', waitFor('E', 'go')));
    await create(only, 20);
    const commit = persistence.commit.bind(persistence);
    let begun = 0;
    let beginSecond = (): void => {};
    const second = new Promise<void>((resolve) => (beginSecond = resolve));
    // The first one ends when another has begun, however long this machine takes for either: one at a time would not end.
    persistence.commit = async (burst) => {
      if (++begun === 2) beginSecond();
      await second;
      await commit(burst);
    };
    expect(await only.get(BulkPlans).run(cancelAll(), 20)).toEqual({ changed: 20, failures: [] });
    persistence.commit = commit;
    expect(begun).toBeGreaterThanOrEqual(20);
    expect([await count(only, 'Cancelled'), await planOf(only, 'none')]).toEqual([20, undefined]);
    expect(await only.get(BulkPlans).run(cancelAll(), 20)).toMatchObject({ changed: 0 });
    await only.settled();
  });

  it('bulk plans cancel what is beyond, a batch at a time, and nothing that is started meanwhile', async () => {
    const persistence = await backend.create();
    const only = await node(persistence);
    await only.deploy(definition, sequence('S', waitFor('E', 'go')));
    await create(only, MANY);
    const asked: (number | undefined)[] = [];
    const findIds = persistence.instances.findIds.bind(persistence.instances);
    persistence.instances.findIds = (filter, page) => {
      if (filter.definitionIds?.[0] === definition) asked.push(page?.limit);
      return findIds(filter, page);
    };
    const { planId } = await only.get(BulkPlans).run(cancelAll(), 100);
    await clock.advance(5);
    const [late] = await create(only, 1);
    await only.get(BulkPlanWorker).settled();
    persistence.instances.findIds = findIds;
    expect(await planOf(only, planId)).toMatchObject({
      status: 'Completed',
      action: 'CancelInstances',
      selected: MANY,
      visited: MANY,
      changed: MANY,
      failed: 0,
    });
    expect([await count(only, 'Cancelled'), (await storeOf(only).instances.load(late!))!.subStatus]).toEqual([
      MANY,
      'Pending',
    ]);
    expect(asked.every((limit) => limit! <= 200)).toBe(true);
    await only.settled();
  });

  it('bulk plans are shared by nodes, each of which takes other batches', async () => {
    const stores = [await backend.create(), await backend.create()];
    const served: string[][] = [[], []];
    let bothServe = (): void => {};
    const whenBothServe = new Promise<void>((resolve) => (bothServe = resolve));
    // In memory there is one store, and one node is as good as two.
    for (const [n, persistence] of backend.name === 'memory' ? [] : stores.entries()) {
      const finish = persistence.bulkPlans.finish.bind(persistence.bulkPlans);
      persistence.bulkPlans.finish = async (batch, ...rest) => {
        served[n]!.push(batch.id);
        if (served.every(({ length }) => length > 0)) bothServe();
        await whenBothServe;
        return finish(batch, ...rest);
      };
    }
    const [first, second] = [await node(stores[0]), await node(stores[1])];
    await first.deploy(definition, sequence('S', waitFor('E', 'go')));
    await create(first, MANY);
    const planId = await first.get(BulkPlans).submit(cancelAll());
    second.get(BulkPlanWorker).wake();
    await Promise.all([first, second].map((each) => each.get(BulkPlanWorker).settled()));
    expect(new Set(served.flat()).size).toBe(served.flat().length);
    expect(await planOf(second, planId)).toMatchObject({ status: 'Completed', changed: MANY, visited: MANY });
    expect(await count(second, 'Cancelled')).toBe(MANY);
    for (const each of [first, second]) await each.settled();
  });

  it('bulk plans continue after a node died in the middle of a batch', async () => {
    const shared = await backend.create();
    const survivor = await node(shared);
    await survivor.deploy(definition, sequence('S', waitFor('E', 'go')));
    await create(survivor, MANY);
    const points = new FaultPoints({ at: 'bulkPlans.finish#1', fault: 'dies before' });
    const seen = Object.assign(Object.create(shared) as WorkflowPersistence, { close: async () => {} });
    // It is dead in the end, and cannot be closed.
    const doomed = await startNode(withFaultPoints(seen, points), { clock: new VirtualClock(AT.toISOString()) });
    const planId = await doomed.get(BulkPlans).submit(cancelAll());
    await points.died;
    expect(await planOf(survivor, planId)).toMatchObject({ status: 'Running', selected: 200, visited: 0 });
    survivor.get(BulkPlanWorker).wake();
    await survivor.get(BulkPlanWorker).settled();
    expect(await planOf(survivor, planId)).toMatchObject({ status: 'Running', isSelected: true, visited: MANY - 200 });
    await clock.advance(31_000);
    survivor.get(BulkPlanWorker).wake();
    await survivor.get(BulkPlanWorker).settled();
    expect(await planOf(survivor, planId)).toMatchObject({ status: 'Completed', visited: MANY, failed: 0 });
    expect(await count(survivor, 'Cancelled')).toBe(MANY);
    await survivor.settled();
  });

  it('bulk plans are left to other nodes by one that takes a batch when its shutdown has given up', async () => {
    const persistence = await backend.create();
    const only = await node(persistence);
    await only.deploy(definition, sequence('S', waitFor('E', 'go')));
    await create(only, 1);
    const worker = only.get(BulkPlanWorker);
    const cut = persistence.bulkPlans.cut.bind(persistence.bulkPlans);
    // The store answers late: that is why the shutdown does not end in time.
    persistence.bulkPlans.cut = async (...given) => {
      const batch = await cut(...given);
      void worker.abandon();
      return batch;
    };
    const planId = await only.get(BulkPlans).submit(cancelAll());
    await worker.stop();
    expect(await count(only, 'Cancelled')).toBe(0);
    // A shutdown is not a death. Claimed for a moment, to see.
    const look = { owner: 'look', leaseMs: 1, now: new Date(clock.now() + 40_000) };
    expect((await persistence.bulkPlans.claim(look))?.attempts).toBe(0);
    const other = await node();
    await clock.advance(60_000);
    other.get(BulkPlanWorker).wake();
    await other.get(BulkPlanWorker).settled();
    expect([await count(other, 'Cancelled'), (await planOf(other, planId)).status]).toEqual([1, 'Completed']);
  });

  it('bulk plans begin nothing more once they are cancelled', async () => {
    const persistence = await backend.create();
    const only = await node(persistence);
    await only.deploy(definition, sequence('S', waitFor('E', 'go')));
    await create(only, MANY);
    const finish = persistence.bulkPlans.finish.bind(persistence.bulkPlans);
    persistence.bulkPlans.finish = async (batch, ...rest) => {
      const finished = await finish(batch, ...rest);
      expect(await only.get(BulkPlans).cancel(batch.planId)).toBe(true);
      return finished;
    };
    const planId = await only.get(BulkPlans).submit(cancelAll());
    await only.get(BulkPlanWorker).settled();
    persistence.bulkPlans.finish = finish;
    expect(await planOf(only, planId)).toMatchObject({ status: 'Cancelled', visited: 200, changed: 200 });
    expect([await count(only, 'Cancelled'), await count(only, 'Pending')]).toEqual([200, MANY - 200]);
    expect(await only.get(BulkPlans).cancel(planId)).toBe(false);
    await only.settled();
  });

  it('bulk plans name what could not be done, and do the rest', async () => {
    const only = await node();
    const lost = `${definition}-lost`;
    await only.deploy(definition, sequence('S', waitFor('E', 'go')));
    await only.deploy(lost, sequence('S', waitFor('E', 'go')));
    const [stuck] = await create(only, 1, lost);
    await create(only, 3);
    const { definitions } = storeOf(only);
    const { revision, ...version } = (await definitions.find({ definitionId: lost }))!;
    // An activity without a type: nothing can be undone where the definition cannot be compiled.
    const damaged = { ...version, root: sequence('S', { id: 'E' } as never) };
    const saved = [{ definition: damaged, expectedRevision: revision }];
    await definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
    only.get(IWorkflowDefinitionService).evict();
    const filters = [{ definitionIds: [lost] }, { definitionIds: [definition] }];
    const planId = await only.get(BulkPlans).submit({ action: 'CancelInstances', filters });
    await only.get(BulkPlanWorker).settled();
    const failures = [{ id: stuck, code: 'WM1010', message: expect.any(String) }];
    const ended = { status: 'Completed', selected: 4, visited: 4, changed: 3, failed: 1, failures };
    expect(await planOf(only, planId)).toMatchObject(ended);
    await only.settled();
  });

  it.each<[string, InstanceFilter]>([
    ['part of a name', { nameContains: 'such' }],
    [
      'stretch of time',
      { timestamps: [{ column: 'CreatedAt', operator: 'IsNot', timestamp: AT, until: new Date(+AT + 1) }] },
    ],
  ])(
    'bulk plans find by a %s before they are stored: nodes with the build before would select all',
    async (_, filter) => {
      const only = await node();
      await only.deploy(definition, sequence('S', waitFor('E', 'go')));
      await create(only, 2);
      const { bulkPlans } = storeOf(only);
      const submit = bulkPlans.submit.bind(bulkPlans);
      const stored: boolean[] = [];
      bulkPlans.submit = (plan, options) => {
        stored.push(plan.isSelected);
        return submit(plan, options);
      };
      const filters = [{ ...filter, definitionIds: [definition] }];
      const planId = await only.get(BulkPlans).submit({ action: 'DeleteInstances', filters });
      await only.get(BulkPlanWorker).settled();
      expect(await planOf(only, planId)).toMatchObject({ status: 'Completed', selected: 0, changed: 0 });
      expect([stored, await count(only, 'Pending')]).toEqual([[true], 2]);
      await only.settled();
    },
  );

  it('bulk plans delete what runs, in batches of one transaction, with the children of each', async () => {
    const only = await node();
    const kid = `${definition}-kid`;
    await only.deploy(kid, sequence('S', waitFor('E', 'go')));
    const start = { type: 'Elsa.DispatchWorkflow', id: 'D', workflowDefinitionId: input(kid) };
    await only.deploy(definition, sequence('S', start, waitFor('E', 'go')));
    const client = await only.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition });
    await only.settled();
    await create(only, MANY);
    const filters = [{ definitionIds: [definition] }];
    const { planId } = await only.get(BulkPlans).run({ action: 'DeleteInstances', filters }, 100);
    await only.settled();
    expect(await planOf(only, planId)).toMatchObject({ status: 'Completed', visited: MANY + 1, changed: MANY + 1 });
    expect(await storeOf(only).instances.count({ definitionIds: [definition] })).toBe(0);
    expect(await count(only, 'Cancelled', kid)).toBe(1);
    expect(await storeOf(only).outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('bulk plans delete a definition after its many instances, where a node died before the end, too', async () => {
    const shared = await backend.create();
    const survivor = await node(shared);
    await survivor.deploy(definition, sequence('S', waitFor('E', 'go')));
    await create(survivor, MANY);
    const points = new FaultPoints({ at: 'bulkPlans.endDeletion#1', fault: 'dies before' });
    const seen = Object.assign(Object.create(shared) as WorkflowPersistence, { close: async () => {} });
    // It is dead in the end, and cannot be closed.
    const doomed = await startNode(withFaultPoints(seen, points), { clock: new VirtualClock(AT.toISOString()) });
    // Started later, by the clock of the node at which it is asked for.
    await clock.advance(5);
    const late = await create(survivor, 1);
    const deletions = doomed.get(DefinitionDeletions);
    const { planId } = await deletions.run({ definitionIds: [definition] }, 100);
    await points.died;
    const { definitions, instances } = storeOf(survivor);
    expect([await definitions.count({ definitionId: definition }), await instances.findIds({ ids: late })]).toEqual([
      0,
      [],
    ]);
    expect(await planOf(survivor, planId)).toMatchObject({ status: 'Running', visited: MANY, changed: MANY });
    survivor.get(BulkPlanWorker).wake();
    await survivor.get(BulkPlanWorker).settled();
    expect(await planOf(survivor, planId)).toMatchObject({ status: 'Completed', failed: 0 });
    await survivor.settled();
  });

  it('bulk plans delete versions with their instances, and say which could not be', async () => {
    const only = await node();
    for (const text of ['first', 'second']) {
      await only.deploy(definition, sequence('S', line('L', text), waitFor('E', 'go')));
      await create(only, 3);
    }
    const { definitions, instances } = storeOf(only);
    const [first, second] = await definitions.findVersions({ definitionId: definition });
    const deletions = only.get(DefinitionDeletions);
    const versions = { definitionVersionIds: [first!.id, second!.id] };
    const { apply } = definitions;
    definitions.apply = async (change) => {
      if (change.deletedIds.includes(first!.id)) throw new Error('not that one');
      return apply.call(definitions, change);
    };
    const { planId } = await deletions.run(versions, 5);
    await only.get(BulkPlanWorker).settled();
    definitions.apply = apply;
    const failures = [{ id: first!.id, message: 'not that one' }];
    expect(await planOf(only, planId)).toMatchObject({ status: 'Completed', changed: 6, failed: 1, failures });
    const left = await definitions.findVersions({ definitionId: definition });
    expect(left.map(({ id, isPublished, isLatest }) => [id, isPublished, isLatest])).toEqual([
      [first!.id, false, true],
    ]);
    expect(await instances.count({ definitionIds: [definition] })).toBe(0);
    expect(await deletions.run(versions, 5)).toEqual({ deleted: 1 });
    expect(await deletions.run({ definitionIds: [] }, 5)).toEqual({ deleted: 0 });
    await only.settled();
  });

  it('bulk plans of deletions let nothing of theirs be saved or published, and after them all of it', async () => {
    const only = await node();
    const root = sequence('S', waitFor('E', 'go'));
    await only.deploy(definition, root);
    await create(only, 3);
    const { bulkPlans, definitions } = storeOf(only);
    const [old] = await definitions.findVersions({ definitionId: definition });
    await only.deploy(definition, sequence('S', line('L', 'new'), waitFor('E', 'go')));
    const [, latest] = await definitions.findVersions({ definitionId: definition });
    const publisher = only.get(IWorkflowDefinitionPublisher);
    const draft = { definitionId: definition, root };
    const refused = { code: 'WM7023', message: expect.stringContaining(definition) };
    // Stored by a node that does nothing: the plan is under way until the worker is woken.
    const submit = async (deletes: DefinitionDeletion) => {
      const plan = { action: 'DeleteInstances', selection: [{ definitionIds: [definition] }], deletes } as const;
      const counts = { selected: 0, visited: 0, changed: 0, failed: 0, failures: [] };
      const id = `${definition}-${JSON.stringify(deletes).length}`;
      const createdAt = new Date(clock.now());
      await bulkPlans.submit({ id, ...plan, ...counts, status: 'Pending', isSelected: false, createdAt });
      return id;
    };

    const ofVersion = await submit({ definitionVersionIds: [old!.id] });
    // Another version of it is not concerned.
    expect((await publisher.saveAndPublish(draft)).succeeded).toBe(true);
    await bulkPlans.cancel(ofVersion, new Date(clock.now()));

    await submit({ definitionIds: [definition] });
    await expect(publisher.saveDraft(draft)).rejects.toMatchObject(refused);
    await expect(publisher.saveAndPublish(draft)).rejects.toMatchObject(refused);
    await expect(publisher.revert(definition, latest!.version)).rejects.toMatchObject(refused);
    await publisher.retract(definition);
    await expect(publisher.publish(definition)).rejects.toMatchObject(refused);
    expect(await definitions.count({ definitionId: definition })).toBe(3);

    only.get(BulkPlanWorker).wake();
    await only.get(BulkPlanWorker).settled();
    expect(await definitions.count({ definitionId: definition })).toBe(0);
    expect((await publisher.saveAndPublish(draft)).succeeded).toBe(true);
    await only.settled();
  });

  it('abandon a batch whose nodes died repeatedly', async () => {
    const only = await node(undefined, { maxDeliveryAttempts: 2 });
    await only.deploy(definition, sequence('S', waitFor('E', 'go')));
    const [id] = await create(only, 1);
    const { bulkPlans } = storeOf(only);
    await only.get(BulkPlans).submit({ action: 'CancelInstances', filters: [] }, { id: `${definition}-plan` });
    await only.get(BulkPlanWorker).settled();
    const plan = { ...(await planOf(only, `${definition}-plan`)), id: definition };
    await bulkPlans.submit({ ...plan, status: 'Pending', isSelected: false, completedAt: undefined });
    const open = (await bulkPlans.findOpen())!;
    const dead = (n: number) => ({ owner: `dead-${n}`, leaseMs: 1, now: new Date(clock.now() - 100 + n) });
    await bulkPlans.cut(open, { batchId: definition, ids: [id!], next: undefined }, dead(0));
    expect((await bulkPlans.claim(dead(10)))?.attempts).toBe(1);
    only.get(BulkPlanWorker).wake();
    await only.get(BulkPlanWorker).settled();
    const failures = [{ id, message: 'Every node that processed it died.' }];
    expect(await planOf(only, definition)).toMatchObject({ status: 'Completed', failed: 1, failures });
    expect(await count(only, 'Pending')).toBe(1);
  });

  it('replay and delete dead letters of the outbox, by kind, definition, error and age', async () => {
    const only = await node();
    const { outbox } = storeOf(only);
    await only.deploy(definition, sequence('S', line('L', 'x')));
    const kind = 'start';
    const message = (n: number, more: Partial<OutboxMessage> = {}): OutboxMessage => ({
      id: `${definition}-m${n}`,
      kind,
      payload: { definition, workflowInstanceId: `${definition}-i${n}` },
      createdAt: new Date(clock.now() - 1000 * n),
      availableAt: new Date(clock.now() + 1e9),
      attempts: 0,
      ...more,
    });
    const other = { payload: { definition: 'other', workflowInstanceId: 'x' } };
    const messages = [message(0), message(1), message(2), message(3, { kind: 'unheard-of' }), message(4, other)];
    await outbox.add(messages);
    for (const [n, { id }] of messages.entries())
      await outbox.moveToDeadLetters(id, n === 1 ? 'plain' : 'WM1020: gone');
    const of = { definitionIds: [definition] };
    const run = (action: 'ReplayMessages' | 'DeleteMessages', filter: object) =>
      only.get(BulkPlans).run({ action, filters: [filter] }, 10);
    expect(await run('ReplayMessages', { ...of, errorCode: 'WM9999' })).toMatchObject({ changed: 0 });
    expect(await run('ReplayMessages', { ...of, kind, createdBefore: messages[1]!.createdAt })).toMatchObject({
      changed: 1,
    });
    expect(await run('ReplayMessages', { ...of, kind, errorCode: 'WM1020' })).toMatchObject({ changed: 1 });
    await only.settled();
    const ran = await storeOf(only).instances.findIds({ definitionIds: [definition], statuses: ['Finished'] });
    expect(ran.toSorted()).toEqual([`${definition}-i0`, `${definition}-i2`]);
    const left = async () => (await outbox.findDeadLettersAfter({}, { limit: 9 })).map(({ id }) => id);
    expect(await left()).toEqual([1, 3, 4].map((n) => messages[n]!.id));
    expect(await run('DeleteMessages', { kind: 'unheard-of' })).toMatchObject({ changed: 1 });
    const { planId } = await only.get(BulkPlans).run({ action: 'DeleteMessages', filters: [{}] }, 1);
    await only.get(BulkPlanWorker).settled();
    expect(await planOf(only, planId)).toMatchObject({ status: 'Completed', selected: 2, changed: 2 });
    expect(await left()).toEqual([]);
  });

  it('replay and delete stimuli that found no bookmark, by instance and reason', async () => {
    const only = await node();
    const { queue } = storeOf(only);
    await only.deploy(definition, sequence('S', waitFor('E', 'go')));
    const [instance] = await create(only, 1);
    const letter = async (n: number, workflowInstanceId: string) => {
      const id = `${definition}-q${n}`;
      const createdAt = new Date(clock.now() - 1000);
      await queue.enqueue({ id, workflowInstanceId, createdAt, expiresAt: new Date(clock.now() + 1e9), attempts: 0 });
      await queue.fail(id, 'WM3003: no', 1, createdAt);
    };
    for (let n = 0; n < 3; n++) await letter(n, n === 2 ? 'elsewhere' : instance!);
    const of = { definitionIds: [definition] };
    const plans = only.get(BulkPlans);
    const filters = [{ ...of, reason: 'Failed', errorCode: 'WM3003' }] as const;
    expect(await plans.run({ action: 'ReplayStimuli', filters }, 9)).toMatchObject({ changed: 2 });
    expect(await plans.run({ action: 'ReplayStimuli', filters }, 9)).toMatchObject({ changed: 0 });
    expect((await queue.findDeadLetters({ canReplay: true })).items.map(({ workflowInstanceId: id }) => id)).toEqual([
      'elsewhere',
    ]);
    expect(await plans.run({ action: 'DeleteStimuli', filters: [{ reason: 'Expired' }] }, 9)).toMatchObject({
      changed: 0,
    });
    expect(await plans.run({ action: 'DeleteStimuli', filters: [{}] }, 9)).toMatchObject({ changed: 3 });
    expect((await queue.findDeadLetters({})).totalCount).toBe(0);
  });
});

const input = (value: string) => ({ typeName: 'String', expression: { type: 'Literal', value } });
