import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ActivityIncident, ActivityJson } from '@waymark/core';
import {
  type Alteration,
  Event,
  IBookmarkResumer,
  IEventPublisher,
  IWorkflowRuntime,
  WorkflowPersistence,
  AlterationRunner,
} from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import {
  child,
  failingOnce,
  FailNext,
  failNext,
  fork,
  holdNext,
  letGo,
  TakeLong,
  takeLong,
} from '../support/child-nodes.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

/** Of a bulk; the others do not look at it. */
const items = { items: literal([1, 2, 3], 'Object') };

describeOn(await testBackends(), 'a parent that is repaired, on $name', (backend) => {
  let began: Promise<void>;
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  let store: WorkflowPersistence;
  let tests = 0;
  let [kid, parent, grow, go] = ['', '', '', ''];

  beforeEach(async () => {
    failNext();
    began = holdNext();
    [kid, parent, grow, go] = [`kid${++tests}`, `parent${tests}`, `grow${tests}`, `go${tests}`];
    clock = new VirtualClock('2026-03-01T00:00:00Z');
    const options = { clock, providers: [FailNext, TakeLong], strictConversions: true };
    nodes = [await startNode(await backend.create(), options), await startNode(await backend.create(), options)];
    store = nodes[0]!.get(WorkflowPersistence);
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
  });
  afterAll(() => backend.drop());

  const settle = async () => {
    for (const node of [...nodes, ...nodes]) await node.settled();
  };
  const send = async (event: string) => {
    await nodes[0]!.get(IEventPublisher).publish(event);
    await settle();
  };
  const start = async (root: ActivityJson, more: Record<string, unknown> = {}) => {
    await nodes[0]!.deploy(parent, root, more);
    const client = await nodes[0]!.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: parent });
    const subStatus = async () => (await client.exportState()).subStatus;
    /** Runs the execution again that failed, as the API does. */
    const retry = async (...before: readonly Alteration[]) => {
      const [{ activityInstanceId }] = (await client.exportState()).incidents as [ActivityIncident];
      const alterations: readonly Alteration[] = [...before, { type: 'ScheduleActivity', activityInstanceId }];
      await nodes[0]!.get(AlterationRunner).run(client.workflowInstanceId, alterations);
    };
    return { subStatus, retry };
  };
  /** All that waited for children has heard of each, and nothing is left over. */
  const expectNothingLeft = async () => {
    expect((await store.queue.findDeadLetters({})).totalCount).toBe(0);
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  };

  it.each(['Elsa.ExecuteWorkflow', 'Elsa.DispatchWorkflow', 'Elsa.BulkDispatchWorkflows'])(
    'receives the ends of children of %s from while it was faulted',
    async (type) => {
      await nodes[0]!.deploy(kid, sequence('S', waitFor('E', grow)));
      const failing = sequence('B', waitFor('G', go), failingOnce);
      const { subStatus, retry } = await start(
        sequence('S', fork(child(type, kid, items), failing), line('P', 'parent')),
      );
      await settle();
      await send(go);
      expect(await subStatus()).toBe('Faulted');
      for (const id of await store.instances.findIds({ definitionIds: [kid] }))
        await nodes[0]!.get(IBookmarkResumer).resume(Event, { eventName: grow }, { workflowInstanceId: id });
      await settle();
      await clock.advance(20 * 60_000);
      await settle();
      await retry();
      await settle();
      expect([await subStatus(), nodes.flatMap((node) => node.lines)]).toEqual(['Finished', ['parent']]);
      await expectNothingLeft();
    },
  );

  it('runs background work again that ended while it was faulted', async () => {
    const work = takeLong({ customProperties: { runAsynchronously: true } });
    const failing = sequence('B', waitFor('G', go), failingOnce);
    const { subStatus, retry } = await start(sequence('S', fork(work, failing), line('P', 'parent')));
    await began;
    await nodes[0]!.get(IEventPublisher).publish(go);
    expect(await subStatus()).toBe('Faulted');
    letGo();
    await settle();
    await retry();
    began = holdNext();
    await clock.advance(31_000);
    const served = settle();
    await began;
    letGo();
    await served;
    expect(await subStatus()).toBe('Finished');
    await expectNothingLeft();
  });

  it('counts the children of a bulk that failed while it received their reports, when the bulk runs again', async () => {
    await nodes[0]!.deploy(kid, sequence('S', line('L', 'kid')));
    const bulk = child('Elsa.BulkDispatchWorkflows', kid, { ...items, childCompleted: failingOnce });
    const { subStatus, retry } = await start(sequence('S', bulk, line('P', 'parent')));
    await settle();
    expect(await subStatus()).toBe('Faulted');
    await retry();
    await settle();
    expect([await subStatus(), await store.instances.count({ definitionIds: [kid] })]).toEqual(['Finished', 3]);
    expect(nodes.flatMap((node) => node.lines).toSorted()).toEqual(['kid', 'kid', 'kid', 'parent']);
    await expectNothingLeft();
  });

  it('fails again instead of waiting forever when it cannot process the report of its child', async () => {
    const output = {
      type: 'Elsa.SetOutput',
      id: 'O',
      outputName: literal('Who'),
      outputValue: literal('mia', 'Object'),
    };
    await nodes[0]!.deploy(kid, sequence('S', line('L', 'kid'), output), {
      outputs: [{ name: 'Who', type: 'Object' }],
    });
    const dispatch = child('Elsa.DispatchWorkflow', kid, {
      result: { typeName: 'Int32', memoryReference: { id: 'v1' } },
    });
    const variables = [{ id: 'v1', name: 'count', typeName: 'Int32' }];
    const { subStatus, retry } = await start(sequence('S', dispatch), { variables });
    await settle();
    expect(await subStatus()).toBe('Faulted');
    await retry();
    await settle();
    // The child that is there is asked, not run again.
    expect([await subStatus(), nodes.flatMap((node) => node.lines)]).toEqual(['Faulted', ['kid']]);
    await expectNothingLeft();
  });

  it.each(['Elsa.ExecuteWorkflow', 'Elsa.DispatchWorkflow'])(
    'completes with what its child of %s reported, although the child was deleted since',
    async (type) => {
      await nodes[0]!.deploy(kid, sequence('S', line('L', 'kid')));
      const dispatch = child(type, kid, { result: { typeName: 'Int32', memoryReference: { id: 'v1' } } });
      const root = sequence('S', dispatch, line('P', 'parent'));
      const variables = (typeName: string) => [{ id: 'v1', name: 'count', typeName }];
      const { subStatus, retry } = await start(root, { variables: variables('Int32') });
      await settle();
      expect(await subStatus()).toBe('Faulted');
      await store.instances.delete(await store.instances.findIds({ definitionIds: [kid] }));
      await retry();
      await settle();
      expect([await subStatus(), nodes.flatMap((node) => node.lines)]).toEqual(['Faulted', ['kid']]);
      await nodes[0]!.deploy(parent, root, { variables: variables('Object') });
      await retry({ type: 'Migrate', targetVersion: 2 });
      await settle();
      expect([await subStatus(), nodes.flatMap((node) => node.lines)]).toEqual(['Finished', ['kid', 'parent']]);
      expect(await store.instances.count({ definitionIds: [kid] })).toBe(0);
      await expectNothingLeft();
    },
  );

  it.each(['cancel', 'delete'] as const)(
    'includes the children that it starts during a %s on another node',
    async (way) => {
      await nodes[0]!.deploy(kid, sequence('S', takeLong(), waitFor('E', grow)));
      await nodes[0]!.deploy(parent, sequence('S', waitFor('G', go), child('Elsa.ExecuteWorkflow', kid)));
      const client = await nodes[0]!.get(IWorkflowRuntime).createClient();
      await client.createAndRunInstance({ definition: parent });
      const burst = nodes[0]!.get(IBookmarkResumer).resume(Event, { eventName: go });
      await began;
      await (await nodes[1]!.get(IWorkflowRuntime).createClient(client.workflowInstanceId))[way]();
      await settle();
      letGo();
      await burst.catch(() => undefined);
      await settle();
      const ends = async (definitionId: string) =>
        (await store.instances.findMany({ definitionIds: [definitionId] })).items.map(({ subStatus }) => subStatus);
      expect([await ends(parent), await ends(kid)]).toEqual([way === 'delete' ? [] : ['Cancelled'], ['Cancelled']]);
      await expectNothingLeft();
    },
  );
});
