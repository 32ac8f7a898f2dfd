import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ActivityJson, WorkflowDefinition } from '@waymark/core';
import { BulkPlans, IWorkflowDefinitionPublisher, WorkflowPersistence } from '@waymark/runtime';
import { DefinitionPlans } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const FOLLOWED = { options: { usableAsActivity: true, autoUpdateConsumingWorkflows: true } };
/** What a publish moves before it returns. */
const AT_ONCE = 50;

const using = (...definitionIds: string[]): ActivityJson =>
  sequence(
    'Root',
    ...definitionIds.map((id): ActivityJson => ({
      type: id,
      id: `Use-${id}`,
      version: 1,
      workflowDefinitionId: id,
    })),
  );

describeOn(await testBackends(), 'consumers of a published workflow on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  let part: string;
  let run = 0;

  beforeEach(() => {
    clock = new VirtualClock('2026-03-01T00:00:00Z');
    nodes = [];
    part = `Part${++run}`;
  });
  afterEach(async () => {
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  const node = async (store?: WorkflowPersistence): Promise<RuntimeNode> => {
    const started = await startNode(store ?? (await backend.create()), { clock });
    nodes.push(started);
    return started;
  };
  const publisherOf = (on: RuntimeNode) => on.get(IWorkflowDefinitionPublisher);
  const storeOf = (on: RuntimeNode) => on.get(WorkflowPersistence);
  const draft = (definitionId: string, text: string) => ({
    definitionId,
    name: definitionId,
    root: line('L', text),
    ...FOLLOWED,
  });
  /** Stored as they are, which takes a moment for thousands. */
  const store = async (on: RuntimeNode, roots: ReadonlyMap<string, ActivityJson>, more: object = {}): Promise<void> => {
    const saved = [...roots].map(([definitionId, root]) => {
      const flags = { isLatest: true, isPublished: true, isReadonly: false, isSystem: false, materializerName: 'Json' };
      const lists = { variables: [], inputs: [], outputs: [], outcomes: [], customProperties: {}, options: {} };
      const head = { id: `${definitionId}-v1`, definitionId, name: definitionId, version: 1 };
      const createdAt = new Date(clock.now());
      const definition: WorkflowDefinition = { ...head, ...flags, ...lists, createdAt, root, ...more };
      return { definition, expectedRevision: undefined };
    });
    await storeOf(on).definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
  };
  const consumerIds = (count: number) =>
    Array.from({ length: count }, (_, n) => `${part}-c${String(n).padStart(4, '0')}`);
  const storeConsumers = async (on: RuntimeNode, count: number): Promise<string[]> => {
    const ids = consumerIds(count);
    await store(on, new Map(ids.map((id) => [id, using(part)])));
    return ids;
  };
  /** Its version, and those of what it uses. */
  const standing = async (on: RuntimeNode, definitionId: string): Promise<(number | undefined)[]> => {
    const { version, root } = (await storeOf(on).definitions.find({ definitionId, versionOptions: 'Latest' }))!;
    return [version, ...(root.activities as { version: number }[]).map((use) => use.version)];
  };

  it('consumers of a published workflow are all found, however many there are', async () => {
    const only = await node();
    await only.deploy(part, line('L', 'one'), FOLLOWED);
    const ids = await storeConsumers(only, 1200);
    expect(await publisherOf(only).consumers(part)).toEqual(ids);
  });

  it('few consumers are moved before the publish returns', async () => {
    const only = await node();
    await only.deploy(part, line('L', 'one'), FOLLOWED);
    const ids = await storeConsumers(only, AT_ONCE);
    const result = await publisherOf(only).saveAndPublish(draft(part, 'two'));
    expect(result.updatedConsumers.map(({ definitionId }) => definitionId)).toEqual(ids);
    expect([result.consumerPlanId, await standing(only, ids[49]!)]).toEqual([undefined, [2, 2]]);
    expect((await storeOf(only).outbox.count()).waiting).toBe(0);
  });

  it('many consumers are moved by a plan', async () => {
    const only = await node();
    await only.deploy(part, line('L', 'one'), FOLLOWED);
    const ids = await storeConsumers(only, AT_ONCE + 1);
    const { consumerPlanId, updatedConsumers } = await publisherOf(only).saveAndPublish(draft(part, 'two'));
    expect([updatedConsumers, consumerPlanId]).toEqual([[], expect.any(String)]);
    await only.settled();
    expect(await only.get(BulkPlans).find(consumerPlanId!)).toMatchObject({
      action: 'UpdateConsumers',
      status: 'Completed',
      selected: ids.length,
      visited: ids.length,
      changed: ids.length,
      failed: 0,
    });
    for (const id of ids) expect(await standing(only, id)).toEqual([2, 2]);
    expect(await publisherOf(only).updateReferences(part)).toMatchObject({ updated: [], planId: expect.any(String) });
    await only.settled();
    expect(await standing(only, ids[0]!)).toEqual([2, 2]);
    expect(await storeOf(only).outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('consumers are published once, after all that they use', async () => {
    const only = await node();
    await only.deploy(part, line('L', 'one'), FOLLOWED);
    const [left, right, both] = [`${part}Left`, `${part}Right`, `${part}Both`];
    await store(
      only,
      new Map([
        [both, using(part, left, right)],
        [left, using(part)],
        [right, using(left)],
      ]),
      FOLLOWED,
    );
    const { updatedConsumers } = await publisherOf(only).saveAndPublish(draft(part, 'two'));
    expect(updatedConsumers.map(({ definitionId }) => definitionId)).toEqual([left, right, both]);
    expect([await standing(only, both), await standing(only, right)]).toEqual([
      [2, 2, 2, 2],
      [2, 2],
    ]);
  });

  it('consumers that use one another in a row are each moved once, after the one that they use', async () => {
    const only = await node();
    await only.deploy(part, line('L', 'one'), FOLLOWED);
    const ids = consumerIds(AT_ONCE + 1);
    await store(only, new Map(ids.map((id, n) => [id, using(n === 0 ? part : ids[n - 1]!)])), FOLLOWED);
    const { consumerPlanId } = await publisherOf(only).saveAndPublish(draft(part, 'two'));
    await only.settled();
    const counts = { visited: ids.length, changed: ids.length, failed: 0 };
    expect(await only.get(BulkPlans).find(consumerPlanId!)).toMatchObject({ status: 'Completed', ...counts });
    for (const id of ids) expect(await standing(only, id)).toEqual([2, 2]);
  });

  it('consumers that are drafts and use one another in a circle are moved, and stay drafts', async () => {
    const only = await node();
    await only.deploy(part, line('L', 'one'), FOLLOWED);
    const [left, right] = [`${part}Left`, `${part}Right`];
    const roots = new Map([
      [left, using(part, right)],
      [right, using(part, left)],
    ]);
    await store(only, roots, { ...FOLLOWED, isPublished: false });
    const { updatedConsumers } = await publisherOf(only).saveAndPublish(draft(part, 'two'));
    expect(updatedConsumers.map(({ definitionId, isPublished }) => [definitionId, isPublished])).toEqual([
      [left, false],
      [right, false],
    ]);
    for (const id of [left, right]) expect(await standing(only, id)).toEqual([1, 2, 1]);
  });

  it('consumers are moved to the last of several publishes that come while they are being moved, and keep what was saved meanwhile', async () => {
    const [one, other] = [await node(), await node()];
    await one.deploy(part, line('L', 'one'), FOLLOWED);
    const ids = await storeConsumers(one, AT_ONCE + 1);
    const edited = ids.at(-1)!;
    await publisherOf(one).saveAndPublish(draft(part, 'two'));
    await Promise.all([
      publisherOf(other).saveAndPublish(draft(part, 'three')),
      publisherOf(other).saveDraft({ definitionId: edited, name: 'Edited', root: using(part) }),
      one.settled(),
    ]);
    for (let round = 0; round < 2; round++) {
      await clock.advance(60_000);
      for (const each of nodes) await each.settled();
    }
    for (const id of ids) expect((await standing(one, id))[1]).toBe(3);
    const { definitions } = storeOf(one);
    expect(await definitions.find({ definitionId: edited, versionOptions: 'Latest' })).toMatchObject({
      name: 'Edited',
    });
    expect(await storeOf(one).outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('consumers do not keep one another from being moved: one that cannot be published is among the failures', async () => {
    const only = await node();
    await only.deploy(part, line('L', 'one'), FOLLOWED);
    const ids = await storeConsumers(only, AT_ONCE + 1);
    const broken = `${part}-a`;
    await store(only, new Map([[broken, using(part)]]), { options: { incidentStrategyType: 'Unheard' } });
    const { consumerPlanId } = await publisherOf(only).saveAndPublish(draft(part, 'two'));
    await only.settled();
    const failures = [{ id: broken, code: 'WM4091', message: expect.stringContaining('Unheard') }];
    expect(await only.get(BulkPlans).find(consumerPlanId!)).toMatchObject({
      status: 'Completed',
      visited: ids.length + 1,
      changed: ids.length,
      failed: 1,
      failures,
    });
    expect([await standing(only, ids.at(-1)!), await standing(only, broken)]).toEqual([
      [2, 2],
      [1, 1],
    ]);
  });

  it('consumers do not keep a publish from being answered: the answer says which could not be moved', async () => {
    const only = await node();
    await only.deploy(part, line('L', 'one'), FOLLOWED);
    const broken = `${part}-a`;
    await store(only, new Map([[broken, using(part)]]), { options: { incidentStrategyType: 'Unheard' } });
    const [after] = await storeConsumers(only, 1);
    const result = await publisherOf(only).saveAndPublish(draft(part, 'two'));
    expect(result).toMatchObject({
      succeeded: true,
      updatedConsumers: [{ definitionId: after }],
      failedConsumers: [{ id: broken, code: 'WM4091' }],
    });
  });

  it('consumers that could not be moved are among the failures of a plan that publishes', async () => {
    const only = await node();
    await only.deploy(part, line('L', 'one'), FOLLOWED);
    const broken = `${part}-a`;
    await store(only, new Map([[broken, using(part)]]), { options: { incidentStrategyType: 'Unheard' } });
    await publisherOf(only).saveDraft(draft(part, 'two'));
    const planId = await only.get(DefinitionPlans).submit('PublishDefinitions', [part]);
    await only.settled();
    const failures = [{ id: broken, code: 'WM4091', message: expect.stringContaining('Unheard') }];
    expect(await only.get(BulkPlans).find(planId)).toMatchObject({ visited: 1, changed: 1, failed: 1, failures });
  });

  it.each([
    ['after the publish was stored', 'definitions.findUses#1', 3],
    ['while it moves a few of them', 'definitions.apply#4', 3],
    ['before the plan is stored', 'bulkPlans.submit#1', AT_ONCE + 1],
    ['when the plan is stored', 'outbox.delete#1', AT_ONCE + 1],
    ['before it notes a step of the plan', 'bulkPlans.advance#2', AT_ONCE + 1],
  ] as const)('consumers are moved by another node when the first one dies %s', async (_, at, count) => {
    const points = new FaultPoints({ at, fault: 'dies before' });
    const persistence = await backend.create();
    // With a clock of its own: what a dead node has begun does not end, and time that is moved would wait for it.
    const doomed = await startNode(withFaultPoints(persistence, points), { clock: new VirtualClock(clock.now()) });
    await doomed.deploy(part, line('L', 'one'), FOLLOWED);
    const ids = await storeConsumers(doomed, count);
    void publisherOf(doomed).saveAndPublish(draft(part, 'two'));
    await points.died;
    const heir = await node();
    // Longer than any claim, also than that of what it was serving.
    for (let minute = 0; minute < 3; minute++) {
      await clock.advance(60_000);
      await heir.settled();
    }
    for (const id of ids) expect(await standing(heir, id)).toEqual([2, 2]);
    expect(await storeOf(heir).outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    await persistence.close();
  });
});
