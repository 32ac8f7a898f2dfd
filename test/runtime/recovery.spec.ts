import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson } from '@waymark/core';
import { IBookmarkQueue, IWorkflowDispatcher, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { InstanceRetries, OutboxProcessor, resolveRuntimeOptions, RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import {
  line,
  type RuntimeNode,
  type RuntimeNodeOptions,
  sequence,
  startNode,
  waitFor,
} from '../support/runtime-node.js';

const SECOND = 1000;
let begun: (() => void)[];
let ends: (() => void)[];
let items: unknown[];

/** Continues when the test lets it. */
@Injectable()
@Activity({ namespace: 'Test' })
class Slow extends ActivityBase {
  execute(ctx: ActivityExecutionContext): Promise<void> {
    items.push(ctx.getVariable('CurrentValue'));
    return new Promise((resolve) => {
      ends.push(resolve);
      for (const notify of begun.splice(0)) notify();
    });
  }
}

const begins = async (times: number): Promise<void> => {
  while (ends.length < times) await new Promise<void>((resolve) => begun.push(resolve));
};
const slow: ActivityJson = { type: 'Test.Slow', id: 'Slow' };
const halfway = { options: { commitStrategyName: 'ActivityExecuting' } };

describeOn(await testBackends(...EVERY_STORE), 'recovery on $name', (backend) => {
  let clock: VirtualClock;
  let theirs: VirtualClock;
  let nodes: RuntimeNode[];

  const node = async (options: RuntimeNodeOptions = {}): Promise<RuntimeNode> => {
    const started = await startNode(await backend.create(), { clock, providers: [Slow], ...options });
    nodes.push(started);
    return started;
  };
  const start = async (on: RuntimeNode, definition: string) =>
    (await on.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition });
  const recover = async (on: RuntimeNode) => {
    for (let round = 0; round < 5; round++) await on.get(RuntimeMaintenance).runOnce();
  };
  /** Both times move on, in steps in which a living node shows a sign of life. */
  const minutePasses = async () => {
    for (let step = 0; step < 30; step++) {
      await theirs.advance(2 * SECOND);
      await clock.advance(2 * SECOND);
    }
  };
  const onlyInstance = async (on: RuntimeNode, definition: string) => {
    const { items } = await on.get(WorkflowPersistence).instances.findMany({ definitionIds: [definition] });
    return (await on.get(WorkflowPersistence).instances.load(items[0]!.id))!;
  };

  beforeEach(() => {
    [begun, ends, items, nodes] = [[], [], [], []];
    clock = new VirtualClock();
    theirs = new VirtualClock();
  });
  afterEach(async () => {
    for (const end of ends) end();
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it('W8: takes no burst over while its node lives, and takes it over 30 seconds after that died', async () => {
    const dying = await node({ nodeName: 'dying', clock: theirs });
    const other = await node({ nodeName: 'other' });
    await dying.deploy('half', sequence('S', slow, line('L', 'done')), halfway);
    const lost = start(dying, 'half');
    await begins(1);
    await minutePasses();
    await recover(other);
    expect([await other.get(OutboxProcessor).poll(), ends.length]).toEqual([0, 1]);
    await clock.advance(31 * SECOND);
    await recover(other);
    await begins(2);
    // Not dead, only slow: what it took to be its own is another node's now.
    ends[0]!();
    expect([(await lost).subStatus, dying.lines]).toEqual(['Executing', []]);
    ends[1]!();
    await other.settled();
    expect([(await onlyInstance(other, 'half')).subStatus, other.lines, dying.lines]).toEqual([
      'Finished',
      ['done'],
      [],
    ]);
    expect((await other.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
  });

  it('W8: asks for a take-over until the burst has come to its end, and no commit half-way uses that up', async () => {
    const dying = await node({ nodeName: 'dying', clock: theirs });
    const other = await node({ nodeName: 'other' });
    const second = { ...slow, id: 'Slow2' };
    await dying.deploy('two-halves', sequence('S', slow, second), halfway);
    const lost = start(dying, 'two-halves');
    await begins(1);
    await clock.advance(31 * SECOND);
    const { outbox } = other.get(WorkflowPersistence);
    const waiting = async () => (await outbox.count()).waiting;
    outbox.delete = () => Promise.reject(new Error('Its end used it up already.'));
    await recover(other);
    await begins(2);
    ends[1]!();
    await begins(3);
    // What its first activity did is stored by now.
    expect(await waiting()).toBe(1);
    ends[2]!();
    await other.get(OutboxProcessor).settled();
    expect([(await onlyInstance(other, 'two-halves')).subStatus, await waiting()]).toEqual(['Finished', 0]);
    // @ts-expect-error -- the method of the store again, which nodes in memory share
    delete outbox.delete;
    ends[0]!();
    await lost;
  });

  it('W8: takes a burst over with the input that it was given, declared or not', async () => {
    const greeting = { typeName: 'String', expression: { type: 'Input', value: 'Who' } };
    const dying = await node({ nodeName: 'dying', clock: theirs });
    const other = await node({ nodeName: 'other' });
    await dying.deploy('greets', sequence('S', slow, { type: 'Elsa.WriteLine', id: 'L', text: greeting }), halfway);
    const client = await dying.get(IWorkflowRuntime).createClient();
    const lost = client.createAndRunInstance({ definition: 'greets', input: { Who: 'Ada', Live: () => undefined } });
    await begins(1);
    await clock.advance(31 * SECOND);
    await recover(other);
    await begins(2);
    for (const end of ends) end();
    await lost;
    await other.settled();
    expect([other.lines, (await onlyInstance(other, 'greets')).state.input]).toEqual([['Ada'], {}]);
  });

  it('keeps the input of an instance that is to run later', async () => {
    const only = await node();
    const greeting = { typeName: 'String', expression: { type: 'Input', value: 'Who' } };
    await only.deploy('later', sequence('S', { type: 'Elsa.WriteLine', id: 'L', text: greeting }));
    const client = await only.get(IWorkflowRuntime).createClient();
    await client.createInstance({ definition: 'later', input: { Who: 'Ada' } });
    await client.runInstance();
    expect(only.lines).toEqual(['Ada']);
  });

  it('W8: serves no message twice because it takes long', async () => {
    const busy = await node({ nodeName: 'busy', clock: theirs });
    const other = await node({ nodeName: 'other' });
    await busy.deploy('long', sequence('S', slow, line('L', 'long')));
    await busy.get(IWorkflowDispatcher).dispatch({ definition: 'long' });
    await begins(1);
    await minutePasses();
    expect(await other.get(OutboxProcessor).poll()).toBe(0);
    for (const end of ends) end();
    await busy.settled();
    expect([ends.length, busy.lines, other.lines]).toEqual([1, ['long'], []]);
  });

  /** Of an instance that is stored half-way: the take-over is asked for again and again, until a node gives it up. */
  async function parked(definition: string): Promise<RuntimeNode> {
    const last = await node({ nodeName: 'last', maxDeliveryAttempts: 3 });
    const { outbox } = last.get(WorkflowPersistence);
    await clock.advance(31 * SECOND);
    // The reconciler of a node that dies while it serves what it found, three times.
    const now = () => new Date(clock.now());
    const message = { kind: 'take-over', createdAt: now(), availableAt: now(), attempts: 0 };
    const { id } = await onlyInstance(last, definition);
    await outbox.add([{ ...message, id: `take-over/${id}`, payload: { workflowInstanceId: id } }]);
    for (let death = 0; death < 3; death++) {
      await outbox.claim({ owner: `dead-${death}`, limit: 1, leaseMs: 30 * SECOND, now: now() });
      await clock.advance(31 * SECOND);
    }
    await recover(last);
    await last.get(OutboxProcessor).settled();
    return last;
  }

  it('parks an instance that takes down every node', async () => {
    const first = await node({ nodeName: 'first', clock: theirs });
    await first.deploy('poison', sequence('S', slow, line('L', 'never')), halfway);
    const lost = start(first, 'poison');
    await begins(1);
    const last = await parked('poison');
    const { outbox } = last.get(WorkflowPersistence);
    const { id } = await onlyInstance(last, 'poison');
    const { subStatus, state } = await onlyInstance(last, 'poison');
    expect([subStatus, state.incidents.map((i) => [i.activityId, i.exception?.metadata])]).toEqual([
      'Faulted',
      [['Slow', expect.objectContaining({ code: 'WM3008' })]],
    ]);
    // By its id, it would be in the way of the next one.
    expect((await outbox.findDeadLetters({ id: `take-over/${id}` })).totalCount).toBe(0);
    expect(ends).toHaveLength(1);
    ends[0]!();
    expect((await lost).subStatus).toBe('Faulted');
  });

  it('parks an instance later that cannot be changed yet, and makes no dead letter, which would hide it', async () => {
    const dying = await node({ nodeName: 'dying', clock: theirs });
    await dying.deploy('damaged', sequence('S', slow, line('L', 'never')), halfway);
    const lost = start(dying, 'damaged');
    await begins(1);
    const last = await node({ nodeName: 'last', maxDeliveryAttempts: 3 });
    const { outbox, instances } = last.get(WorkflowPersistence);
    await clock.advance(31 * SECOND);
    const { id } = await onlyInstance(last, 'damaged');
    const now = new Date(clock.now());
    const message = { kind: 'take-over', createdAt: now, availableAt: now, attempts: 3 };
    instances.load = () => Promise.reject(new Error('Damaged.'));
    await outbox.add([{ ...message, id: `take-over/${id}`, payload: { workflowInstanceId: id } }]);
    await recover(last);
    await last.get(OutboxProcessor).settled();
    expect(await outbox.count()).toEqual({ waiting: 1, deadLetters: 0 });
    // @ts-expect-error -- the method of the store again
    delete instances.load;
    await clock.advance(301 * SECOND);
    await recover(last);
    await last.get(OutboxProcessor).settled();
    expect((await onlyInstance(last, 'damaged')).subStatus).toBe('Faulted');
    expect(await outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    for (const end of ends) end();
    await lost;
  });

  it('parks one that is stored between two activities at the one that comes next, where a retry continues', async () => {
    const first = await node({ nodeName: 'first', clock: theirs });
    const committed = { options: { commitStrategyName: 'ActivityExecuted' } };
    await first.deploy('between', sequence('S', line('A', 'a'), slow, line('L', 'done')), committed);
    const lost = start(first, 'between');
    await begins(1);
    const last = await parked('between');
    const { subStatus, state } = await onlyInstance(last, 'between');
    expect([subStatus, state.incidents.map(({ activityId }) => activityId)]).toEqual(['Faulted', ['Slow']]);
    const retrying = last.get(InstanceRetries).retry(state.id);
    await begins(2);
    for (const end of ends) end();
    await retrying;
    expect([(await onlyInstance(last, 'between')).subStatus, last.lines]).toEqual(['Finished', ['done']]);
    await lost;
    expect(first.lines).toEqual(['a']);
  });

  it('parks one before an iteration, and a retry runs that iteration with its item', async () => {
    const first = await node({ nodeName: 'first', clock: theirs });
    const list = { typeName: 'Object', expression: { type: 'Object', value: '["x","y"]' } };
    const loop: ActivityJson = { type: 'Elsa.ForEach', id: 'L', items: list, body: slow };
    await first.deploy('each', sequence('S', loop), { options: { commitStrategyName: 'ActivityExecuted' } });
    const lost = start(first, 'each');
    await begins(1);
    const last = await parked('each');
    const { state } = await onlyInstance(last, 'each');
    const retrying = last.get(InstanceRetries).retry(state.id);
    await begins(2);
    ends[1]!();
    await begins(3);
    for (const end of ends) end();
    await retrying;
    expect([(await onlyInstance(last, 'each')).subStatus, items]).toEqual(['Finished', ['x', 'x', 'y']]);
    await lost;
  });

  it('limits the dispatched instances of a definition, and loses none', async () => {
    const one = await node({ dispatchLimits: { limited: 2 } });
    await one.deploy('limited', sequence('S', slow, line('L', 'done')));
    for (let n = 0; n < 5; n++) await one.get(IWorkflowDispatcher).dispatch({ definition: 'limited' });
    for (const expected of [2, 4, 5]) {
      await begins(expected);
      await clock.advance(SECOND);
      await one.get(OutboxProcessor).poll();
      await clock.advance(0);
      expect(ends).toHaveLength(expected);
      // Those that wait begin at once, in their places.
      for (const end of ends) end();
    }
    await one.settled();
    expect(one.lines).toHaveLength(5);
  });

  it('W5: matches a stimulus whose node died before it looked for the bookmark', async () => {
    const one = await node();
    await one.deploy('waits', sequence('S', waitFor('E', 'lost'), line('L', 'found')));
    const { bookmarks } = await start(one, 'waits');
    const { queue } = one.get(WorkflowPersistence);
    const createdAt = new Date(clock.now());
    const expiresAt = new Date(clock.now() + 600 * SECOND);
    // Stored, and then its node died.
    await queue.enqueue({ id: 'q1', stimulusHash: bookmarks[0]!.hash, createdAt, expiresAt, attempts: 0 });
    await recover(one);
    await one.settled();
    expect([one.lines, await queue.find('q1')]).toEqual([['found'], undefined]);
  });

  it('makes dead letters of stimuli that no bookmark took', async () => {
    const one = await node();
    const item = { stimulusHash: 'NONE', activityTypeName: 'Elsa.Event' };
    const ids = [await one.get(IBookmarkQueue).enqueue(item), await one.get(IBookmarkQueue).enqueue(item)];
    await clock.advance(601 * SECOND);
    for (let round = 0; round < 2; round++) await recover(one);
    const { items } = await one.get(WorkflowPersistence).queue.findDeadLetters({});
    expect(items.map(({ originalQueueItemId }) => originalQueueItemId)).toEqual(expect.arrayContaining(ids));
  });

  it('ignores a stimulus for which nothing waits', async () => {
    const one = await node();
    const id = await one.get(IBookmarkQueue).enqueue({ stimulusHash: 'NOBODY', activityTypeName: 'Elsa.Event' });
    await recover(one);
    expect(await one.get(WorkflowPersistence).queue.find(id)).toMatchObject({ attempts: 0 });
  });
});

it('refuses to take over earlier than a node shows signs of life', () => {
  expect(() => resolveRuntimeOptions({ interruptedAfterMs: 5000 })).toThrow(
    "'interruptedAfterMs' must be a finite number of 30000 or more",
  );
});
