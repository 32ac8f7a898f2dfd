import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { StoredValueError } from '@waymark/core';
import {
  Event,
  IBookmarkResumer,
  IEventPublisher,
  IWorkflowRuntime,
  WorkflowPersistence,
  AlterationRunner,
} from '@waymark/runtime';
import { InstanceRetries, OutboxProcessor, RuntimeMaintenance } from '@waymark/runtime/adapter';
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

/** So short that no node is taken for dead meanwhile. */
const STIMULUS_TTL_MS = 1000;

describeOn(await testBackends(), 'what a child reports on $name', (backend) => {
  let began: Promise<void>;
  let clock: VirtualClock;
  let node: RuntimeNode;
  let store: WorkflowPersistence;
  let tests = 0;
  let [kid, parent, grow, go] = ['', '', '', ''];

  beforeEach(async () => {
    began = holdNext();
    failNext();
    [kid, parent, grow, go] = [`kid${++tests}`, `parent${tests}`, `grow${tests}`, `go${tests}`];
    clock = new VirtualClock('2026-03-01T00:00:00Z');
    node = await startNode(await backend.create(), {
      clock,
      providers: [TakeLong, FailNext],
      stimulusTtlMs: STIMULUS_TTL_MS,
    });
    store = node.get(WorkflowPersistence);
  });
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  const send = (event: string) => node.get(IEventPublisher).publish(event);
  const start = async (definition: string) => {
    const client = await node.get(IWorkflowRuntime).createClient();
    return { client, burst: client.createAndRunInstance({ definition }) };
  };
  /** The child ends, and all that is kept for a while is thrown away, before the burst of its parent comes to its end. */
  const endChildEarly = async () => {
    await began;
    await send(grow);
    await node.settled();
    await clock.advance(STIMULUS_TTL_MS + 1);
    await node.get(RuntimeMaintenance).runEverything();
    await node.settled();
    expect(await store.instances.count({ definitionIds: [kid], statuses: ['Finished'] })).toBe(1);
  };
  const expectNothingLeft = async () => {
    expect((await store.queue.findDeadLetters({})).totalCount).toBe(0);
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    await clock.advance(STIMULUS_TTL_MS + 1);
    await node.get(RuntimeMaintenance).runEverything();
    await node.settled();
    expect((await store.queue.findDeadLetters({})).totalCount).toBe(0);
  };

  it('B8: reaches a parent whose first burst outlasts it', async () => {
    await node.deploy(kid, sequence('S', waitFor('E', grow), line('L', 'kid')));
    const long = fork(child('Elsa.ExecuteWorkflow', kid), takeLong());
    await node.deploy(parent, sequence('S', long, line('P', 'parent')));
    const { client, burst } = await start(parent);
    await endChildEarly();
    letGo();
    await burst;
    await node.settled();
    expect([(await client.exportState()).subStatus, node.lines]).toEqual(['Finished', ['kid', 'parent']]);
    await expectNothingLeft();
  });

  it('B8: reaches a parent whose later burst outlasts it', async () => {
    await node.deploy(kid, sequence('S', waitFor('E', grow), line('L', 'kid')));
    const long = fork(child('Elsa.ExecuteWorkflow', kid), takeLong());
    await node.deploy(parent, sequence('S', waitFor('W', go), long, line('P', 'parent')));
    const { client, burst } = await start(parent);
    await burst;
    const second = send(go);
    await endChildEarly();
    letGo();
    await second;
    await node.settled();
    expect([(await client.exportState()).subStatus, node.lines]).toEqual(['Finished', ['kid', 'parent']]);
    await expectNothingLeft();
  });

  it('reaches a parent whose child was deleted before the burst of the parent ended', async () => {
    await node.deploy(kid, sequence('S', waitFor('E', grow)));
    await node.deploy(parent, sequence('S', fork(child('Elsa.ExecuteWorkflow', kid), takeLong()), line('P', 'parent')));
    const { client, burst } = await start(parent);
    await began;
    const [kidId] = await store.instances.findIds({ definitionIds: [kid] });
    await (await node.get(IWorkflowRuntime).createClient(kidId)).delete();
    await node.settled();
    letGo();
    await burst;
    await node.settled();
    expect([(await client.exportState()).subStatus, node.lines]).toEqual(['Finished', ['parent']]);
    await expectNothingLeft();
  });

  it('reaches a parent whose child cannot be read any more, as if that had faulted', async () => {
    await node.deploy(kid, sequence('S', waitFor('E', grow), line('L', 'kid')));
    await node.deploy(parent, sequence('S', fork(child('Elsa.ExecuteWorkflow', kid), takeLong()), line('P', 'parent')));
    const { client, burst } = await start(parent);
    await endChildEarly();
    const [kidId] = await store.instances.findIds({ definitionIds: [kid] });
    const { load } = store.instances;
    store.instances.load = async (id, how) => {
      if (id === kidId) throw new StoredValueError('it is not JSON', 'column "state" of an instance');
      return load.call(store.instances, id, how);
    };
    const sent: string[] = [];
    const { add } = store.outbox;
    store.outbox.add = (rows) => (sent.push(...rows.map(({ kind }) => kind)), add.call(store.outbox, rows));
    letGo();
    await burst;
    for (let attempt = 0; attempt < 12; attempt++) {
      await clock.advance(3_600_000);
      await node.settled();
    }
    expect([(await client.exportState()).subStatus, node.lines]).toEqual(['Finished', ['kid', 'parent']]);
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    // Not by the message that is given up: its attempts are used up, and the burst may end the process.
    expect(sent).toContain('resume');
  });

  /** Ends the burst of the parent. What waits to join its child then is as after the deaths of all nodes that have served it. */
  async function giveUpJoinsAfter(burst: Promise<unknown>): Promise<void> {
    const { claim } = store.outbox;
    const add = node.get(OutboxProcessor).deliverSoon;
    node.get(OutboxProcessor).deliverSoon = () => undefined;
    store.outbox.claim = async (options) => {
      const claimed = await claim.call(store.outbox, options);
      return claimed.map((message) => (message.kind === 'join-child' ? { ...message, attempts: 10 } : message));
    };
    letGo();
    await burst;
    await clock.advance(3_600_000);
    await node.settled();
    Object.assign(store.outbox, { claim });
    node.get(OutboxProcessor).deliverSoon = add;
  }

  it('W8: parks a parent whose burst ends each process that begins it, where the child can be read', async () => {
    await node.deploy(kid, sequence('S', waitFor('E', grow), line('L', 'kid')));
    await node.deploy(parent, sequence('S', fork(child('Elsa.ExecuteWorkflow', kid), takeLong()), line('P', 'parent')));
    const { client, burst } = await start(parent);
    await endChildEarly();
    await giveUpJoinsAfter(burst);
    expect([(await client.exportState()).subStatus, node.lines]).toEqual(['Faulted', ['kid']]);
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    await node.get(InstanceRetries).retry(client.workflowInstanceId);
    await node.settled();
    expect([(await client.exportState()).subStatus, node.lines]).toEqual(['Finished', ['kid', 'parent']]);
  });

  it('is kept where a stranger has the id of the child by now: whether that runs says nothing', async () => {
    await node.deploy(kid, sequence('S', waitFor('E', grow), line('L', 'kid')));
    await node.deploy('stranger', sequence('S', waitFor('E', 'never')));
    await node.deploy(parent, sequence('S', fork(child('Elsa.ExecuteWorkflow', kid), takeLong()), line('P', 'parent')));
    const { client, burst } = await start(parent);
    await endChildEarly();
    const [kidId] = await store.instances.findIds({ definitionIds: [kid] });
    await store.instances.delete([kidId!]);
    const stranger = await node.get(IWorkflowRuntime).createClient(kidId);
    await stranger.createAndRunInstance({ definition: 'stranger' });
    await giveUpJoinsAfter(burst);
    expect([(await client.exportState()).subStatus, await store.outbox.count()]).toEqual([
      'Suspended',
      { waiting: 0, deadLetters: 1 },
    ]);
    const { items } = await store.outbox.findDeadLetters({});
    await store.outbox.deleteDeadLetters(items.map(({ id }) => id));
  });

  it('W9: counts once for a bulk, also when a child that failed is repaired and ends again', async () => {
    await node.deploy(kid, sequence('S', failingOnce, waitFor('E', grow)));
    const items = { items: literal([1, 2], 'Object') };
    await node.deploy(parent, sequence('S', child('Elsa.BulkDispatchWorkflows', kid, items), line('P', 'parent')));
    const { client, burst } = await start(parent);
    await burst;
    await node.settled();
    const [failed] = await store.instances.findIds({ definitionIds: [kid], subStatuses: ['Faulted'] });
    const [waiting] = await store.instances.findIds({ definitionIds: [kid], subStatuses: ['Suspended'] });
    await node.get(AlterationRunner).run(failed!, [{ type: 'ScheduleActivity', activityId: 'X' }]);
    const growUp = (workflowInstanceId: string) =>
      node.get(IBookmarkResumer).resume(Event, { eventName: grow }, { workflowInstanceId });
    await growUp(failed!);
    await node.settled();
    expect((await client.exportState()).subStatus).toBe('Suspended');
    await growUp(waiting!);
    await node.settled();
    expect([(await client.exportState()).subStatus, node.lines]).toEqual(['Finished', ['parent']]);
    await expectNothingLeft();
  });
});
