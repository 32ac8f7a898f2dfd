import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import v8 from 'node:v8';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { Activity, ActivityBase, type ActivityJson } from '@waymark/core';
import {
  IBookmarkResumer,
  IEventPublisher,
  IWorkflowRuntime,
  RuntimeGate,
  type WorkflowExecuted,
  WorkflowEvent,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { EVENT_STIMULUS, resolveRuntimeOptions } from '@waymark/runtime/adapter';
import { aBurstOf } from '../support/a-burst.js';
import { testBackends } from '../support/backends.js';
import { amountOf, isThorough } from '../support/depth.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

const LIMIT = 10;
const MANY = amountOf(1000, 5);
const MANY_MS = 120_000;
/** Of states, after which those that live are counted: each time costs a collection of garbage. */
const COUNT_EVERY = isThorough ? 15 : 30;

/** How many each node has begun, and what the first of them wait for. */
let begun: { here: number; there: number };
let bothHaveBegun: Promise<void>;
let letGo: () => void;

/** Beyond those of the call, none ends before both nodes have begun one: a fast node leaves places for no other. */
function meetingOn(node: keyof typeof begun) {
  @Activity({ type: 'Test.Meet' })
  class Meet extends ActivityBase {
    async execute(): Promise<void> {
      begun[node]++;
      if (begun.here > 0 && begun.there > 0) letGo();
      if (node === 'there' || begun.here > LIMIT) await bothHaveBegun;
    }
  }
  return Meet;
}

describeOn(await testBackends(), 'fan-out on $name', (backend) => {
  let store: WorkflowPersistence;
  let here: RuntimeNode;
  let there: RuntimeNode;
  let event: string;
  let runs = 0;

  beforeEach(async () => {
    event = `event-${++runs}`;
    store = await backend.create();
    begun = { here: 0, there: 0 };
    bothHaveBegun = new Promise((resolve) => (letGo = resolve));
    here = await startNode(store, { fanOutLimit: LIMIT, providers: [meetingOn('here')] });
    const shared = backend.name === 'memory' ? store : await backend.create();
    there = await startNode(shared, { fanOutLimit: LIMIT, providers: [meetingOn('there')] });
  });
  afterEach(async () => {
    await here.close();
    await there.close();
    if (backend.name === 'memory') await backend.drop();
  });
  afterAll(() => backend.drop());

  /** So many wait for the event; afterwards each writes a line and waits for it again. */
  async function wait(count: number, variables: object[] = [], next = line('L', 'on')): Promise<string[]> {
    const definition = `waits-${runs}`;
    await here.deploy(definition, sequence('S', waitFor('E', event), next, waitFor('Again', event)), { variables });
    const ids: string[] = [];
    const startMore = async (): Promise<void> => {
      for (let n = ids.length; n < count; n = ids.length) {
        const id = `${event}-${n}`;
        ids.push(id);
        await (await here.get(IWorkflowRuntime).createClient(id)).createAndRunInstance({ definition });
      }
    };
    await Promise.all(Array.from({ length: 16 }, startMore));
    return ids;
  }

  /** Those that the event has resumed: each waits for it again, once. */
  async function expectEachOnce(ids: readonly string[]): Promise<void> {
    const waiting = await store.bookmarks.findMany({ workflowInstanceIds: ids });
    expect(waiting).toHaveLength(ids.length);
    const completed: string[][] = [];
    for (const id of ids) {
      const log = await store.journal.readLog(id);
      completed.push(log.filter(({ eventName }) => eventName === 'Completed').map(({ activityId }) => activityId));
    }
    expect(completed).toEqual(ids.map(() => ['E', 'L']));
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  }

  it('resumes no more than the limit before it returns, and the others once, from the outbox', async () => {
    const ids = await wait(25);
    const { resumed, handedOver, queuedItemId } = await here.get(IEventPublisher).publish(event, { payload: 'p' });
    expect([resumed.length, handedOver, queuedItemId]).toEqual([LIMIT, 15, undefined]);
    expect(resumed.map(({ subStatus }) => subStatus)).toEqual(resumed.map(() => 'Suspended'));
    await here.settled();
    expect(here.lines).toHaveLength(25);
    await expectEachOnce(ids);
  });

  it('resumes as many as the limit in the call, and writes no message', async () => {
    const ids = await wait(LIMIT);
    const { resumed, handedOver } = await here.get(IEventPublisher).publish(event);
    expect([resumed.length, handedOver]).toEqual([LIMIT, 0]);
    await expectEachOnce(ids);
  });

  it('applies to a dispatched event as well, whose result is not kept', async () => {
    const ids = await wait(25);
    await here.get(IEventPublisher).dispatch(event, { payload: 'p' });
    await here.settled();
    expect(here.lines).toHaveLength(25);
    await expectEachOnce(ids);
  });

  it('applies to a resume by its stimulus as well', async () => {
    const ids = await wait(25);
    const resumed = await here.get(IBookmarkResumer).resume(EVENT_STIMULUS, { eventName: event });
    expect(resumed).toHaveLength(LIMIT);
    await here.settled();
    await expectEachOnce(ids);
  });

  it(
    'is served by all nodes at the same time, each instance once',
    async () => {
      const ids = await wait(MANY, [], { type: 'Test.Meet', id: 'L' } as ActivityJson);
      let isPublished = false;
      const drained = async (node: RuntimeNode): Promise<void> => {
        while (!isPublished || (await store.outbox.count()).waiting > 0) {
          await node.settled();
          // In memory all of that may be done without leaving the turn of the event loop in which the nodes' timers wait.
          await nextTurn();
        }
      };
      const served = drained(there);
      const { resumed, handedOver } = await here.get(IEventPublisher).publish(event);
      isPublished = true;
      expect([resumed.length, handedOver]).toEqual([LIMIT, MANY - LIMIT]);
      await Promise.all([drained(here), served]);
      expect(begun.here + begun.there).toBe(MANY);
      expect(begun.here).toBeGreaterThan(LIMIT);
      expect(begun.there).toBeGreaterThan(0);
      await expectEachOnce(ids);
    },
    MANY_MS,
  );

  it('keeps neither rows nor states of more than the limit', async () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await wait(60, [{ id: 'v', name: 'V', typeName: 'String', value: 'x'.repeat(10_000) }]);
    const states: WeakRef<object>[] = [];
    let most = 0;
    const countLiving = (): void => {
      collect();
      most = Math.max(most, states.filter((state) => state.deref()).length);
    };
    here.get(EventEmitter2).on(WorkflowEvent.WorkflowExecuted, ({ state }: WorkflowExecuted) => {
      states.push(new WeakRef(state));
      if (states.length % COUNT_EVERY === 0) setImmediate(countLiving);
    });
    const read: number[] = [];
    const { findMany } = store.bookmarks;
    store.bookmarks.findMany = async (...given) => {
      const rows = await findMany.apply(store.bookmarks, given);
      read.push(rows.length);
      return rows;
    };
    try {
      const { resumed } = await here.get(IEventPublisher).publish(event);
      await here.settled();
      // A WeakRef holds its state until the end of the turn of the event loop that made it.
      await new Promise((resolve) => setImmediate(resolve));
      countLiving();
      expect(resumed.map(({ state }) => state.status)).toEqual(resumed.map(() => 'Running'));
    } finally {
      store.bookmarks.findMany = findMany;
    }
    expect(states).toHaveLength(60);
    expect(Math.max(...read)).toBeLessThanOrEqual(LIMIT + 1);
    // Those of the results, and the 16 that are served at the same time.
    expect(most).toBeGreaterThanOrEqual(LIMIT);
    expect(most).toBeLessThanOrEqual(LIMIT + 16);
  });

  it('starts a workflow that the event triggers once, and does not resume it with the same event', async () => {
    const ids = await wait(25);
    const starts = sequence('S', waitFor('T', event, startedBy), line('N', 'new'), waitFor('W', event));
    await here.deploy(`starts-${runs}`, starts);
    const { started } = await here.get(IEventPublisher).publish(event);
    expect(started.map(({ subStatus }) => subStatus)).toEqual(['Suspended']);
    await here.settled();
    expect(here.lines.filter((text) => text === 'new')).toHaveLength(1);
    await expectEachOnce(ids);

    here.lines.length = 0;
    await here.deploy(`starts-${runs}`, sequence('S', waitFor('T', event, startedBy), line('N', 'next')));
    await here.get(IEventPublisher).dispatch(event);
    await here.settled();
    expect(here.lines).toEqual(['next']);
  });

  it('resumes the others although one of them cannot be, and says so', async () => {
    const ids = await wait(5);
    const [broken, ...others] = ids;
    const { instances, bookmarks } = store;
    const { revision, ...record } = (await instances.load(broken!))!;
    const definitionVersionId = 'absent';
    const absent = { ...record, definitionVersionId, state: { ...record.state, definitionVersionId } };
    await store.commit(aBurstOf(absent, { expectedRevision: revision }));
    await expect(here.get(IEventPublisher).publish(event)).rejects.toMatchObject({ code: 'WM1020' });
    expect(here.lines).toHaveLength(4);
    await expectEachOnce(others);
    expect(await bookmarks.findMany({ workflowInstanceId: broken! })).toHaveLength(1);
  });

  it('leaves out an instance that is cancelled before its turn', async () => {
    const [first, ...others] = await wait(25);
    const last = others.pop()!;
    here.get(RuntimeGate).pause();
    await expect(here.get(IEventPublisher).publish(event)).rejects.toMatchObject({ code: 'WM3005' });
    expect((await store.outbox.count()).waiting).toBe(0);
    here.get(RuntimeGate).resume();
    const publishing = here.get(IEventPublisher).publish(event);
    await (await here.get(IWorkflowRuntime).createClient(last)).cancel();
    await publishing;
    await here.settled();
    expect((await store.instances.load(last))?.subStatus).toBe('Cancelled');
    await expectEachOnce([first!, ...others]);
  });

  it('addresses those of one correlation only', async () => {
    const definition = `correlated-${runs}`;
    await here.deploy(definition, sequence('S', waitFor('E', event), { ...line('L', 'x'), text: literal('on') }));
    for (let n = 0; n < 30; n++) {
      const client = await here.get(IWorkflowRuntime).createClient();
      await client.createAndRunInstance({ definition, correlationId: n % 2 ? 'odd' : 'even' });
    }
    const { resumed, handedOver } = await here.get(IEventPublisher).publish(event, { correlationId: 'odd' });
    expect([resumed.length, handedOver]).toEqual([LIMIT, 5]);
    await here.settled();
    expect(here.lines).toHaveLength(15);
    expect(await store.bookmarks.findMany({ correlationId: 'even' })).toHaveLength(15);
  });
});

it.each([0, -1, 2.5, Infinity, Number.NaN])('a fan-out limit of %d is refused at start', (fanOutLimit) => {
  expect(() => resolveRuntimeOptions({ fanOutLimit })).toThrow(
    `WorkflowModule option 'fanOutLimit' must be an integer greater than 0, not ${fanOutLimit}.`,
  );
});
