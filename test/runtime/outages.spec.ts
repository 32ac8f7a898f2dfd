import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Activity, ActivityBase, NewerFormatError } from '@waymark/core';
import {
  StoreUnavailableError,
  CommitOutcomeUnknownError,
  IBookmarkQueue,
  IWorkflowDefinitionService,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  MemoryPersistence,
  type WorkflowPersistence,
  AlterationPlans,
} from '@waymark/runtime';
import { type OutboxMessage, OutboxProcessor, StoreOutages } from '@waymark/runtime/adapter';
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
const MINUTE = 60 * SECOND;
const MESSAGES = 100;

let jobs = 0;
let endJob = (): void => {};

@Injectable()
@Activity({ namespace: 'Test', kind: 'Job' })
class LongWork extends ActivityBase {
  async execute(): Promise<void> {
    jobs++;
    await new Promise<void>((resolve) => (endJob = resolve));
  }
}

/** Holds its burst up. */
@Injectable()
@Activity({ namespace: 'Test' })
class Hold extends LongWork {}

describe('a store that refuses writes for ten minutes', () => {
  let memory: MemoryPersistence;
  let clock: VirtualClock;
  let points: FaultPoints;
  let nodes: RuntimeNode[];
  let warnings: jest.Spied<Logger['warn']>;

  beforeEach(() => {
    memory = new MemoryPersistence();
    clock = new VirtualClock();
    points = new FaultPoints();
    nodes = [];
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    points.heal();
    for (const node of nodes) await node.close();
    warnings.mockRestore();
  });

  async function start(
    options: RuntimeNodeOptions = {},
    store: WorkflowPersistence = withFaultPoints(memory, points),
  ): Promise<RuntimeNode> {
    const nodeName = `node-${nodes.length}`;
    // The first to close does not take the store from the others.
    const shared = Object.assign(Object.create(store) as WorkflowPersistence, { close: async () => {} });
    const node = await startNode(shared, {
      clock,
      nodeName,
      pollIntervalMs: SECOND,
      providers: [LongWork, Hold],
      ...options,
    });
    nodes.push(node);
    return node;
  }

  /** @param onServe called before a message is served, which is to delete it */
  function serveWork(node: RuntimeNode, served: string[], onServe: () => void): void {
    const store = withFaultPoints(memory, points);
    const handle = async ({ id, attempts }: OutboxMessage) => {
      onServe();
      if (await store.outbox.delete(id)) served.push(`${id}: ${attempts}`);
    };
    node.get(OutboxProcessor).register({ kind: 'work', handle });
  }
  async function addWork(count = MESSAGES, attempts = 0): Promise<string[]> {
    const now = new Date(clock.now());
    const row = { kind: 'work', payload: 1, createdAt: now, availableAt: now, attempts };
    const ids = Array.from({ length: count }, (_, n) => `m${String(n).padStart(3, '0')}`);
    await memory.outbox.add(ids.map((id) => ({ ...row, id })));
    return ids;
  }
  /** The outage begins when that call has been served. */
  function beginsAfter<Store extends object>(store: Store, call: keyof Store & string): void {
    const original = (store[call] as (...args: unknown[]) => Promise<unknown>).bind(store);
    let isDue = true;
    Object.assign(store, {
      [call]: async (...args: unknown[]) => {
        const answer = await original(...args);
        if (isDue) points.refuse('writes');
        isDue = false;
        return answer;
      },
    });
  }
  const deadLetters = async () => {
    const [deadLetters, letters] = [await memory.outbox.findDeadLetters({}), await memory.queue.findDeadLetters({})];
    return deadLetters.totalCount + letters.totalCount;
  };
  const finished = () => memory.instances.count({ subStatuses: ['Finished'] });

  it.each(['writes', 'everything'] as const)(
    'W5, W8: costs no message an attempt, and all are served when it is back (%s)',
    async (what) => {
      const node = await start();
      const other = await start();
      const served: string[] = [];
      // Some are in the hands of a node when the outage begins; the rest is in the store.
      let isBegun = false;
      const begin = () => {
        if (!isBegun) points.refuse(what);
        isBegun = true;
      };
      for (const each of [node, other]) serveWork(each, served, begin);
      const ids = await addWork();
      await clock.advance(10 * MINUTE);
      expect(isBegun).toBe(true);
      expect([served.length, await deadLetters()]).toEqual([0, 0]);

      points.heal();
      await clock.advance(2 * SECOND);
      expect(served.toSorted()).toEqual(ids.map((id) => `${id}: 0`));
      expect((await memory.outbox.count()).waiting).toBe(0);
    },
  );

  it('W8: starts what was dispatched, and resumes what was kept for its bookmark', async () => {
    const node = await start({ maxDeliveryAttempts: 3 });
    await node.deploy('greet', line('L', 'hello'));
    await node.deploy('wait', sequence('S', waitFor('E', 'go'), line('W', 'gone')));
    const client = await node.get(IWorkflowRuntime).createClient();
    const { bookmarks } = await client.createAndRunInstance({ definition: 'wait' });
    // Kept, but not offered to its bookmark: its node died in between.
    const [createdAt, expiresAt] = [new Date(clock.now()), new Date(clock.now() + 60 * MINUTE)];
    await memory.queue.enqueue({ id: 'q', stimulusHash: bookmarks[0]!.hash, createdAt, expiresAt, attempts: 0 });
    beginsAfter(memory.outbox, 'add');
    await node.get(IWorkflowDispatcher).dispatch({ definition: 'greet' });
    await clock.advance(10 * MINUTE);
    expect([await deadLetters(), (await memory.queue.find('q'))?.attempts, await finished()]).toEqual([0, 0, 0]);
    points.heal();
    await clock.advance(2 * SECOND);
    expect([await finished(), [...new Set(node.lines)].toSorted()]).toEqual([2, ['gone', 'hello']]);
    expect(await memory.queue.find('q')).toBeUndefined();
  });

  it('W9: stores the result of a background activity, which is not repeated', async () => {
    const node = await start();
    await node.deploy('job', sequence('S', { type: 'Test.LongWork', id: 'J' }, line('L', 'done')));
    jobs = 0;
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'job' });
    await clock.advance(SECOND);
    points.refuse('everything');
    endJob();
    await clock.advance(10 * MINUTE);
    expect([jobs, node.lines]).toEqual([1, []]);
    points.heal();
    await clock.advance(2 * SECOND);
    expect([jobs, node.lines, await finished()]).toEqual([1, ['done'], 1]);
  });

  it('W8: does not take over a burst whose node lived through it', async () => {
    const node = await start();
    const other = await start();
    const options = { options: { commitStrategyName: 'ActivityExecuted' } };
    await node.deploy('held', sequence('S', line('L', 'once'), { type: 'Test.Hold', id: 'H' }), options);
    jobs = 0;
    await node.get(IWorkflowDispatcher).dispatch({ definition: 'held' });
    await clock.advance(SECOND);
    expect(await memory.instances.count({ isExecuting: true })).toBe(1);
    points.refuse('everything');
    await clock.advance(10 * MINUTE);
    points.heal();
    await clock.advance(MINUTE);
    endJob();
    await clock.advance(SECOND);
    expect([await finished(), jobs, node.lines, other.lines]).toEqual([1, 1, ['once'], []]);
  });

  it('W8: continues a start that it had claimed when the outage began', async () => {
    let isBegun = false;
    const begin = () => {
      if (!isBegun) points.refuse('writes');
      isBegun = true;
    };
    const node = await start({
      workflowMiddleware: [
        (_, next) => {
          begin();
          return next();
        },
      ],
    });
    await node.deploy('greet', line('L', 'hello'));
    const { id: definitionVersionId } = await node.get(IWorkflowDefinitionService).require('greet');
    const now = new Date(clock.now());
    const payload = { definition: { definitionVersionId }, workflowInstanceId: 'i', requestKey: 'once' };
    await memory.outbox.add([{ id: 'm', kind: 'start', payload, createdAt: now, availableAt: now, attempts: 0 }]);
    await clock.advance(10 * MINUTE);
    expect((await memory.instances.load('i'))?.subStatus).toBe('Pending');
    points.heal();
    await clock.advance(SECOND);
    expect([await finished(), await memory.outbox.count()]).toEqual([1, { waiting: 0, deadLetters: 0 }]);
  });

  it('W8: releases messages that it has not tried, without counting an attempt', async () => {
    const served: string[] = [];
    for (const node of [await start(), await start()]) serveWork(node, served, () => {});
    // Two nodes died with each of them: they are served one at a time, and the others given back.
    const ids = await addWork(5, 2);
    beginsAfter(memory.outbox, 'claim');
    await clock.advance(10 * MINUTE);
    expect(served).toEqual([]);
    points.heal();
    await clock.advance(2 * SECOND);
    expect(served.toSorted()).toEqual(ids.map((id) => `${id}: 2`));
  });

  it('carries out an alteration plan whose jobs were under way', async () => {
    const node = await start({ maxDeliveryAttempts: 3 });
    await node.deploy('wait', sequence('S', waitFor('E', 'go'), line('W', 'gone')));
    const client = await node.get(IWorkflowRuntime).createClient();
    const { workflowInstanceId } = await client.createAndRunInstance({ definition: 'wait' });
    beginsAfter(memory.alterations, 'startJob');
    const alterations = [{ type: 'CancelActivity', activityId: 'E' }] as const;
    const filter = { workflowInstanceIds: [workflowInstanceId] };
    const planId = await node.get(AlterationPlans).submit({ alterations, filter });
    await clock.advance(10 * MINUTE);
    expect(await deadLetters()).toBe(0);
    points.heal();
    await clock.advance(2 * SECOND);
    const plan = await node.get(AlterationPlans).find(planId!);
    expect([plan?.plan.status, plan?.jobs.map(({ status }) => status)]).toEqual(['Completed', ['Completed']]);
  });

  it('W5, W8: serves at once, uncounted, what was claimed when the answer of the store was lost', async () => {
    const served: string[] = [];
    let release = (): void => {};
    const node = await start();
    const handle = async (message: OutboxMessage) => {
      served.push(`${message.id}: ${message.attempts}`);
      if (served.length === 1) await new Promise<void>((resolve) => (release = resolve));
      await memory.outbox.delete(message.id);
    };
    node.get(OutboxProcessor).register({ kind: 'work', handle });
    const claim = memory.outbox.claim.bind(memory.outbox);
    let isDue = false;
    let lost: string[] = [];
    memory.outbox.claim = async (options) => {
      const claimed = await claim(options);
      if (!isDue) return claimed;
      isDue = false;
      lost = claimed.map(({ id }) => id);
      throw new CommitOutcomeUnknownError('lost');
    };
    // In the hands of this node, and not lost.
    const [first] = await addWork(1);
    await clock.advance(SECOND);
    await addWork(5);
    isDue = true;
    await clock.advance(3 * SECOND);
    release();
    expect(lost).toHaveLength(4);
    expect(served.toSorted()).toEqual([first, ...lost].map((id) => `${id}: 0`));
    await clock.advance(MINUTE);
    expect([served.length, await memory.outbox.count()]).toEqual([5, { waiting: 0, deadLetters: 0 }]);
  });

  it('W2: leaves a message alone that another node took meanwhile', async () => {
    const node = await start();
    const tries: string[] = [];
    node.get(OutboxProcessor).register({
      kind: 'work',
      handle: async ({ id }) => {
        tries.push(id);
        points.refuse('everything');
        await withFaultPoints(memory, points).outbox.delete(id);
      },
    });
    const [id] = await addWork(1);
    await clock.advance(MINUTE);
    // This node alone is cut off.
    const [taken] = await memory.outbox.claim({
      owner: 'other',
      limit: 1,
      leaseMs: MINUTE,
      now: new Date(clock.now()),
    });
    points.heal();
    await clock.advance(10 * SECOND);
    expect([taken?.id, tries]).toEqual([id, [id]]);
  });

  it('W8: counts no attempt for messages that a node serves while the whole machine is suspended', async () => {
    const node = await start();
    const attempts: number[] = [];
    let fail = (): void => {};
    node.get(OutboxProcessor).register({
      kind: 'work',
      handle: async (message) => {
        if (attempts.push(message.attempts) === 1)
          await new Promise<void>((_, reject) => (fail = () => reject(new Error('no'))));
        await memory.outbox.delete(message.id);
      },
    });
    await addWork(1);
    await clock.advance(SECOND);
    await clock.setTime(clock.now() + MINUTE);
    await clock.advance(SECOND);
    fail();
    await clock.advance(2 * SECOND);
    // The one failure, and no death.
    expect(attempts).toEqual([0, 1]);
  });

  it.each([
    ['fails', new Error('connection reset')],
    ['cannot be done here', new NewerFormatError('The state of its instance')],
  ])(
    'W8: leaves a message to the node that took it while this one stood still, when its own work %s',
    async (_, error) => {
      const node = await start();
      const tries: string[] = [];
      let fail = (): void => {};
      const handle = ({ id }: OutboxMessage) => {
        tries.push(id);
        return new Promise<void>((_, reject) => (fail = () => reject(error)));
      };
      node.get(OutboxProcessor).register({ kind: 'work', handle });
      const [id] = await addWork(1);
      await clock.advance(SECOND);
      // The others saw its claim end.
      const lease = { owner: 'other', leaseMs: MINUTE, now: new Date(clock.now() + MINUTE) };
      expect(await memory.outbox.claim({ ...lease, limit: 1 })).toMatchObject([{ id, attempts: 1 }]);
      fail();
      await clock.advance(30 * SECOND);
      expect([tries, (await memory.outbox.renew([id!], lease)).renewed]).toEqual([[id], [id]]);
      const { attempts, lastError } = (await memory.outbox.find(id!))!;
      expect([attempts, lastError]).toEqual([1, undefined]);
    },
  );

  it('fetches a backlog as fast as it is served, but not messages that cannot be served yet', async () => {
    const served: string[] = [];
    const node = await start();
    serveWork(node, served, () => {});
    await addWork();
    await clock.advance(SECOND);
    expect(served).toHaveLength(MESSAGES);

    let looks = 0;
    const outbox = node.get(OutboxProcessor);
    const handle = (message: OutboxMessage) => {
      looks++;
      return outbox.postpone(message, 0);
    };
    outbox.register({ kind: 'work', handle });
    await addWork();
    await clock.advance(SECOND);
    expect(looks).toBeLessThanOrEqual(16);
  });

  it('is asked a few times in a second, and the log has one line when it begins and one when it is over', async () => {
    for (const node of [await start(), await start()]) serveWork(node, [], () => {});
    points.refuse('everything');
    await addWork();
    await clock.advance(10 * SECOND);
    const before = points.reached.length;
    await clock.advance(10 * MINUTE);
    // Per node: four probes at most, and two looks at what other nodes change.
    expect((points.reached.length - before) / 600).toBeLessThan(13);
    points.heal();
    await clock.advance(MINUTE);
    const lines = warnings.mock.calls.map(([text]) => String(text));
    expect(lines.filter((text) => text.includes('The store failed.'))).toHaveLength(nodes.length);
    expect(lines.filter((text) => text.includes('answers again. It failed for 610'))).toHaveLength(nodes.length);
    expect(lines).toHaveLength(2 * nodes.length);
  });

  it('lasts as long as calls fail after fifteen seconds of retries, such as at a locked table', async () => {
    const outages = (await start()).get(StoreOutages);
    for (let n = 0; n < 4; n++) {
      outages.report(new StoreUnavailableError('canceling statement due to lock timeout'));
      await clock.advance(15 * SECOND);
      // Health checks and the log say so until then.
      expect(outages.isFailing).toBe(true);
    }
    await clock.advance(15 * SECOND);
    expect(outages.isFailing).toBe(false);
    expect(warnings.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringContaining('The store failed.'),
      expect.stringContaining('It failed for 45 seconds.'),
    ]);
  });

  it('does not keep a node from shutting down', async () => {
    const node = await start();
    serveWork(node, [], () => points.refuse('everything'));
    await addWork(1);
    await clock.advance(MINUTE);
    await node.close();
    nodes.splice(0);
    expect((await memory.outbox.count()).waiting).toBe(1);
  });

  it('does not hold up a shutdown when it is silent', async () => {
    const silent = Object.assign(Object.create(memory) as WorkflowPersistence, {
      close: () => new Promise<void>(() => {}),
    });
    const node = await startNode(silent, { clock, drainTimeoutMs: 5 * SECOND });
    const closed = node.close();
    await clock.advance(10 * SECOND);
    await closed;
    expect(warnings.mock.calls.map(([text]) => String(text))).toEqual(['The store did not close within 5000 ms.']);
  });

  it('tells the caller that its event was stored, and delivers it afterwards', async () => {
    const node = await start();
    await node.deploy('wait', sequence('S', waitFor('E', 'go'), line('W', 'gone')));
    const client = await node.get(IWorkflowRuntime).createClient();
    const { bookmarks } = await client.createAndRunInstance({ definition: 'wait' });
    beginsAfter(memory.queue, 'enqueue');
    const id = await node.get(IBookmarkQueue).enqueue({ stimulusHash: bookmarks[0]!.hash });
    expect([(await memory.queue.find(id))?.attempts, await finished()]).toEqual([0, 0]);
    await clock.advance(MINUTE);
    points.heal();
    await clock.advance(2 * SECOND);
    expect([await finished(), await memory.queue.find(id)]).toEqual([1, undefined]);
  });
});
