import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { StoredValueError } from '@waymark/core';
import {
  BulkPlans,
  DefinitionDeletions,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  type InstanceFilter,
  type PlanRequester,
  WorkflowPersistence,
} from '@waymark/runtime';
import { BulkPlanWorker, DefinitionPlans } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const ANN: PlanRequester = { actorKind: 'User', actor: 'ann', isAudited: true };

/** What plans meet: definitions that cannot be read, ids that no database takes, other nodes, a shutdown. */
describeOn(await testBackends(), 'plans of many definitions on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  let tests = 0;
  let prefix: string;

  const start = async (): Promise<RuntimeNode> => {
    const node = await startNode(await backend.create(), { clock });
    nodes.push(node);
    return node;
  };
  beforeEach(() => {
    clock = new VirtualClock('2026-03-01T00:00:00Z');
    nodes = [];
    prefix = `m${++tests}`;
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
  });
  afterAll(() => backend.drop());

  const storeOf = (node: RuntimeNode) => node.get(WorkflowPersistence);
  const named = (count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  const deploy = async (node: RuntimeNode, ids: readonly string[]) => {
    for (const id of ids) await node.deploy(id, sequence('S', line('L', id), waitFor('E', 'go')));
  };
  const create = async (node: RuntimeNode, definition: string, count: number) => {
    for (let n = 0; n < count; n++)
      await (await node.get(IWorkflowRuntime).createClient()).createInstance({ definition });
  };
  const published = async (node: RuntimeNode, definitionIds: readonly string[]) =>
    (await storeOf(node).definitions.findVersions({ definitionIds, versionOptions: 'Published' })).map(
      ({ definitionId }) => definitionId,
    );
  /** As where the row was damaged: its columns can be read, and its content cannot. */
  const damage = (node: RuntimeNode, definitionId: string) => {
    const { definitions } = storeOf(node);
    const { findMany, find } = definitions;
    const check = <T extends { readonly definitionId: string }>(found: readonly T[]) => {
      if (found.some((each) => each.definitionId === definitionId))
        throw new StoredValueError('it is not JSON', 'data');
    };
    definitions.findMany = async (...asked) => {
      const found = await findMany.apply(definitions, asked);
      check(found.items);
      return found;
    };
    definitions.find = async (...asked) => {
      const found = await find.apply(definitions, asked);
      if (found) check([found]);
      return found;
    };
    return () => void Object.assign(definitions, { find, findMany });
  };
  const ended = async (node: RuntimeNode, planId: string | undefined) => {
    await clock.advance(5000);
    await node.settled();
    return (await node.get(BulkPlans).find(planId!))!;
  };

  it('a definition that cannot be read keeps no other of its step from being retracted', async () => {
    const node = await start();
    const ids = named(5);
    await deploy(node, ids);
    const mend = damage(node, ids[2]!);
    const planId = await node.get(DefinitionPlans).submit('RetractDefinitions', ids);
    const plan = await ended(node, planId);
    mend();
    expect(plan).toMatchObject({ status: 'Completed', visited: 5, changed: 4, failed: 1 });
    expect(plan.failures).toMatchObject([{ id: ids[2], code: 'WM1054' }]);
    expect(await published(node, ids)).toEqual([ids[2]]);
  });

  it('a definition that cannot be read keeps no other of a request from being retracted, and is named', async () => {
    const node = await start();
    const ids = named(3);
    await deploy(node, ids);
    const mend = damage(node, ids[1]!);
    const result = await node.get(IWorkflowDefinitionPublisher).retractMany([...ids, 'absent']);
    mend();
    const failures = [{ id: ids[1], code: 'WM1054', message: expect.any(String) }];
    expect(result).toEqual({ retracted: [ids[0], ids[2]], notPublished: [], notFound: ['absent'], failures });
    expect(await published(node, ids)).toEqual([ids[1]]);
  });

  it('ids that no database takes fail alone, or are not found, in plans of each kind', async () => {
    const node = await start();
    const ids = named(3);
    await deploy(node, ids);
    const hostile = ['a\0b', '\ud800', "'; DROP TABLE x; --", 'x'.repeat(5000), '__proto__', ''];
    for (const [action, left] of [
      ['RefreshDefinitions', 3],
      ['RetractDefinitions', 0],
      ['PublishDefinitions', 3],
    ] as const) {
      const planId = await node.get(DefinitionPlans).submit(action, [...hostile, ...ids], ANN);
      const plan = await ended(node, planId);
      expect([action, plan]).toMatchObject([action, { status: 'Completed', visited: 9, changed: 3, failed: 6 }]);
      expect(await published(node, ids)).toHaveLength(left);
    }
  });

  it('a definition that cannot be read is deleted by a plan with its many instances', async () => {
    const node = await start();
    const [id, other] = named(2);
    await deploy(node, [id!, other!]);
    await create(node, id!, 3);
    const mend = damage(node, id!);
    const { planId } = await node.get(DefinitionDeletions).run({ definitionIds: [id!, other!] }, 2);
    const plan = await ended(node, planId);
    mend();
    expect(plan).toMatchObject({ status: 'Completed', failed: 0 });
    const { definitions, instances } = storeOf(node);
    expect(await definitions.findVersions({ definitionIds: [id!, other!] })).toEqual([]);
    expect(await instances.count({ definitionIds: [id!] })).toBe(0);
  });

  it('what a plan deletes is in the audit trail once, although two nodes did it', async () => {
    const [first, second] = [await start(), await start()];
    const ids = named(3);
    await deploy(first, ids);
    await create(first, ids[0]!, 3);
    // Both have read the plan before either of them has ended it.
    let reads = 0;
    let allRead = (): void => {};
    const whenAllRead = new Promise<void>((resolve) => (allRead = resolve));
    const stores = new Set([first, second].map((node) => storeOf(node).bulkPlans));
    for (const bulkPlans of stores) {
      const { findDeletion } = bulkPlans;
      bulkPlans.findDeletion = async () => {
        const found = await findDeletion.call(bulkPlans);
        if (!found) return found;
        if (++reads === 2) allRead();
        await whenAllRead;
        return found;
      };
    }
    const { planId } = await first.get(DefinitionDeletions).run({ definitionIds: ids }, 2, { requestedBy: ANN });
    while (reads === 0) await new Promise((resolve) => setImmediate(resolve));
    second.get(BulkPlanWorker).wake();
    for (const node of [first, second]) await node.get(BulkPlanWorker).settled();
    expect(await first.get(BulkPlans).find(planId!)).toMatchObject({ status: 'Completed', failed: 0 });
    const entries = await storeOf(first).audit.find({ action: 'definitions.delete', actor: 'ann' }, { limit: 10 });
    const ofPlan = entries.filter(({ details }) => details.planId === planId);
    expect(ofPlan).toMatchObject([{ targetIds: ids, outcome: 'Succeeded' }]);
  });

  it('what a plan deletes is in the audit trail, although the answer of the store was lost', async () => {
    const points = new FaultPoints({ at: 'bulkPlans.endDeletion#1', fault: 'loses the answer' });
    const node = await startNode(withFaultPoints(await backend.create(), points), { clock });
    nodes.push(node);
    const ids = named(2);
    await deploy(node, ids);
    await create(node, ids[0]!, 3);
    const { planId } = await node.get(DefinitionDeletions).run({ definitionIds: ids }, 2, { requestedBy: ANN });
    await node.get(BulkPlanWorker).settled();
    node.get(BulkPlanWorker).wake();
    await node.get(BulkPlanWorker).settled();
    expect(points.isMet).toBe(true);
    expect(await node.get(BulkPlans).find(planId!)).toMatchObject({ status: 'Completed', failed: 0 });
    const entries = await storeOf(node).audit.find({ action: 'definitions.delete', actor: 'ann' }, { limit: 10 });
    const ofPlan = entries.filter(({ details }) => details.planId === planId);
    expect(ofPlan).toMatchObject([{ targetIds: ids, outcome: 'Succeeded' }]);
  });

  it('what a step and a batch have done is in the audit trail, although their plan was cancelled meanwhile', async () => {
    const node = await start();
    const ids = named(45);
    const running = `${prefix}-running`;
    await deploy(node, [...ids, running]);
    await create(node, running, 3);
    const { bulkPlans, audit, definitions } = storeOf(node);
    const cancelled = { advance: bulkPlans.advance, finish: bulkPlans.finish };
    bulkPlans.advance = async (step, now) => {
      await node.get(BulkPlans).cancel(step.planId);
      return cancelled.advance.call(bulkPlans, step, now);
    };
    bulkPlans.finish = async (batch, ...rest) => {
      await node.get(BulkPlans).cancel(batch.planId);
      return cancelled.finish.call(bulkPlans, batch, ...rest);
    };
    const steps = await node.get(DefinitionPlans).submit('RetractDefinitions', ids, ANN);
    const request = { action: 'CancelInstances', filters: [{ definitionIds: [running] }] } as const;
    const batches = await node.get(BulkPlans).submit(request, { requestedBy: ANN });
    const ends = [await ended(node, steps), await ended(node, batches)];
    Object.assign(bulkPlans, cancelled);
    expect(ends).toMatchObject([{ status: 'Cancelled' }, { status: 'Cancelled' }]);
    const left = await definitions.count({ definitionIds: ids, versionOptions: 'Published' });
    expect(left).toBe(25);
    const ofPlan = async (planId: string) =>
      (await audit.find({ actor: 'ann' }, { limit: 100 })).filter(({ details }) => details.planId === planId);
    expect(await ofPlan(steps)).toMatchObject([{ action: 'definitions.retract', targetCount: 20 }]);
    expect(await ofPlan(batches)).toMatchObject([
      { action: 'instances.cancel', targetCount: 3, details: { changed: 3 } },
    ]);
  });

  it('as many ids as an application has are looked for in one query, and a plan that deletes them looks for some at a time', async () => {
    const node = await start();
    const [id] = named(1);
    await deploy(node, [id!]);
    await create(node, id!, 3);
    const { definitions, instances } = storeOf(node);
    const absent = Array.from({ length: 150_000 }, (_, n) => `${prefix}-absent-${n}`);
    expect(await definitions.findVersions({ definitionIds: [...absent, id!] })).toHaveLength(1);
    expect(await instances.findIds({ definitionIds: [...absent, id!] }, { limit: 2 })).toHaveLength(2);
    const asked: number[] = [];
    const { findIds } = instances;
    instances.findIds = (filter, page) => {
      asked.push(filter.definitionIds?.length ?? 0);
      return findIds.call(instances, filter, page);
    };
    const definitionIds = [...absent.slice(0, 11_000), id!];
    const { planId } = await node.get(DefinitionDeletions).run({ definitionIds }, 2);
    await node.get(BulkPlans).cancel(planId!);
    await node.get(BulkPlanWorker).settled();
    Object.assign(instances, { findIds });
    const { selection } = (await node.get(BulkPlans).find(planId!))!;
    expect(selection.map((filter) => (filter as InstanceFilter).definitionIds!.length)).toEqual([5000, 5000, 1001]);
    expect(Math.max(...asked)).toBe(5000);
  });

  it('a shutdown waits for one lot of what a plan deletes, and another node deletes the rest', async () => {
    const node = await start();
    const ids = named(120);
    await deploy(node, ids);
    await create(node, ids[0]!, 3);
    const { definitions } = storeOf(node);
    const { apply } = definitions;
    let stopped: Promise<void> | undefined;
    definitions.apply = async (change) => {
      if (change.deletedIds.length > 0) stopped ??= node.get(BulkPlanWorker).stop();
      return apply.call(definitions, change);
    };
    const { planId } = await node.get(DefinitionDeletions).run({ definitionIds: ids }, 2);
    await node.get(BulkPlanWorker).settled();
    definitions.apply = apply;
    await stopped;
    const left = await definitions.count({ definitionIds: ids });
    expect([left > 0, left < 120]).toEqual([true, true]);
    const other = await start();
    expect(await other.get(BulkPlans).find(planId!)).toMatchObject({ status: 'Running' });
    other.get(BulkPlanWorker).wake();
    await other.get(BulkPlanWorker).settled();
    expect(await ended(other, planId)).toMatchObject({ status: 'Completed', failed: 0 });
    expect(await storeOf(other).definitions.count({ definitionIds: ids })).toBe(0);
  });

  it('other plans continue between the lots of what a plan deletes', async () => {
    const node = await start();
    const ids = named(120);
    const waiting = `${prefix}-waiting`;
    await deploy(node, [...ids, waiting]);
    await create(node, ids[0]!, 3);
    await create(node, waiting, 1);
    const { definitions, instances } = storeOf(node);
    const { apply } = definitions;
    let other: string | undefined;
    let leftThen: number | undefined;
    const { bulkPlans } = storeOf(node);
    const { finish } = bulkPlans;
    bulkPlans.finish = async (batch, ...rest) => {
      if (batch.planId === other) leftThen = await definitions.count({ definitionIds: ids });
      return finish.call(bulkPlans, batch, ...rest);
    };
    definitions.apply = async (change) => {
      if (change.deletedIds.length > 0)
        other ??= await node
          .get(BulkPlans)
          .submit({ action: 'CancelInstances', filters: [{ definitionIds: [waiting] }] });
      return apply.call(definitions, change);
    };
    const { planId } = await node.get(DefinitionDeletions).run({ definitionIds: ids }, 2);
    await node.get(BulkPlanWorker).settled();
    Object.assign(definitions, { apply });
    Object.assign(bulkPlans, { finish });
    expect([leftThen! > 0, await ended(node, planId)]).toMatchObject([true, { status: 'Completed', failed: 0 }]);
    expect(await instances.count({ definitionIds: [waiting], subStatuses: ['Cancelled'] })).toBe(1);
  });
});
