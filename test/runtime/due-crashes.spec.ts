import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityJson } from '@waymark/core';
import { AlterationRunner, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { OutboxProcessor } from '@waymark/runtime/adapter';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { VirtualClock } from '@waymark/testing';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const SECOND = 1000;
const T0 = Date.parse('2026-03-01T00:00:00Z');
const MOST_ATTEMPTS = 3;

let ends: (() => void)[];
/** The test is over: all bursts come to their end. */
let isOver: boolean;

/** Ends its process: here, it never returns, and the time of its node stands still. */
@Injectable()
@Activity({ namespace: 'Test' })
class Deadly extends ActivityBase {
  execute(): Promise<void> {
    return new Promise((resolve) => {
      if (isOver) return resolve();
      ends.push(resolve);
    });
  }
}

const delay = (id: string): ActivityJson => ({ type: 'Elsa.Delay', id, timeSpan: literal('00:00:02', 'TimeSpan') });

describeOn(await testBackends(...EVERY_STORE), 'a due bookmark whose resume ends its process, on $name', (backend) => {
  let nodes: RuntimeNode[];
  let clock: VirtualClock;
  let time: number;

  beforeEach(() => {
    [ends, nodes, isOver] = [[], [], false];
    time = T0;
  });
  afterEach(async () => {
    isOver = true;
    for (const end of ends) end();
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  /** The next node. Those before it stand still, as dead ones do, and their claims have ended. */
  const next = async (pollIntervalMs = SECOND): Promise<RuntimeNode> => {
    time += 31 * SECOND;
    clock = new VirtualClock(time, { patienceMs: 200 });
    const scheduling = { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions() };
    const node = await startNode(await backend.create(), {
      clock,
      nodeName: `node-${nodes.length}`,
      pollIntervalMs,
      maxDeliveryAttempts: MOST_ATTEMPTS,
      providers: [Deadly, ...schedulingProviders, scheduling],
    });
    nodes.push(node);
    return node;
  };
  const passes = async (ms: number) => {
    await clock.advance(ms);
    time = clock.now();
  };
  /** In steps in which what is due is looked for. */
  const until = async (isDone: () => Promise<boolean>) => {
    for (let step = 0; step < 20 && !(await isDone()); step++) await passes(SECOND);
  };
  const isFinished = async (on: RuntimeNode, id: string) => (await load(on, id)).subStatus === 'Finished';
  /** Its node died while it resumed it, or had not begun to. */
  const claimedByTheDead = async (on: RuntimeNode) => {
    const due = { lookAheadMs: 0, limit: 10, leaseMs: 10 * SECOND, now: new Date(time + 2 * SECOND) };
    return (await on.get(WorkflowPersistence).bookmarks.claimDue({ owner: 'dead', ...due })).bookmarks;
  };
  const start = async (on: RuntimeNode, definition: string) =>
    (await (await on.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition })).workflowInstanceId;
  const load = async (on: RuntimeNode, id: string) => (await on.get(WorkflowPersistence).instances.load(id))!;

  it('W8: is counted: the instance faults at it, and a retry waits anew', async () => {
    const first = await next();
    await first.deploy('deadly', sequence('S', delay('D'), { type: 'Test.Deadly', id: 'X' }, line('L', 'after')));
    const id = await start(first, 'deadly');
    await until(async () => ends.length === 1);
    for (let death = 1; death <= MOST_ATTEMPTS; death++) {
      await next();
      await until(async () => ends.length === 1 + death);
    }
    const last = await next();
    await until(async () => (await load(last, id)).subStatus === 'Faulted');
    const faulted = await load(last, id);
    expect([faulted.subStatus, faulted.state.incidents.map((i) => [i.activityId, i.exception?.metadata])]).toEqual([
      'Faulted',
      [['D', expect.objectContaining({ code: 'WM3008' })]],
    ]);
    expect(ends).toHaveLength(1 + MOST_ATTEMPTS);
    const { outbox, bookmarks } = last.get(WorkflowPersistence);
    expect(await outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });

    const { activityInstanceId } = faulted.state.incidents[0]!;
    const retry = { type: 'ScheduleActivity' as const, activityInstanceId };
    await last.get(AlterationRunner).run(id, [retry]);
    expect((await bookmarks.findMany({ workflowInstanceId: id })).map(({ name }) => name)).toEqual(['Elsa.Delay']);
    await until(async () => ends.length === 2 + MOST_ATTEMPTS);
    ends.at(-1)!();
    await until(() => isFinished(last, id));
    expect([(await load(last, id)).subStatus, last.lines]).toEqual(['Finished', ['after']]);
  });

  it('W8: does not take along what was due at the same time: that is resumed once, by the next node', async () => {
    const first = await next();
    await first.deploy('harmless', sequence('S', delay('D'), line('L', 'harmless')));
    await first.deploy('fatal', sequence('S', delay('D'), { type: 'Test.Deadly', id: 'X' }));
    const fatal = await start(first, 'fatal');
    // Claimed together, by a node that dies before it has resumed anything.
    const harmless = await Promise.all([1, 2, 3].map(() => start(first, 'harmless')));
    expect(await claimedByTheDead(first)).toHaveLength(4);
    const second = await next();
    const areFinished = async () => (await Promise.all(harmless.map((id) => isFinished(second, id)))).every(Boolean);
    await until(async () => ends.length === 1 && (await areFinished()));
    expect(await Promise.all(harmless.map(async (id) => (await load(second, id)).subStatus))).toEqual(
      Array.from(harmless, () => 'Finished'),
    );
    expect([second.lines, (await load(second, fatal)).subStatus]).toEqual([
      ['harmless', 'harmless', 'harmless'],
      'Suspended',
    ]);
  });

  it('is asked for once more where an older node has made a dead letter of that', async () => {
    const first = await next();
    await first.deploy('left', sequence('S', delay('D'), line('L', 'after')));
    const id = await start(first, 'left');
    const { bookmarks, outbox } = first.get(WorkflowPersistence);
    const [row] = await bookmarks.findMany({ workflowInstanceId: id });
    const at = new Date(time);
    const payload = { bookmarkId: row!.id };
    const message = { kind: 'resume-bookmark', workflowInstanceId: id, payload, createdAt: at, availableAt: at };
    await outbox.add([{ ...message, id: `due/${row!.id}`, attempts: 0 }]);
    await outbox.moveToDeadLetters(`due/${row!.id}`, 'Every node that processed it died.');
    expect(await claimedByTheDead(first)).toHaveLength(1);
    const second = await next();
    await until(() => isFinished(second, id));
    expect([second.lines, await outbox.count()]).toEqual([['after'], { waiting: 0, deadLetters: 0 }]);
  });

  it('may be the timeout of a container, which a retry runs from what it was at', async () => {
    const last = await next();
    const timed = sequence('T', line('L1', 'before'), waitFor('E', 'approved'), line('L2', 'approved'));
    await last.deploy('timed', sequence('S', { ...timed, customProperties: { timeout: '01:00:00' } }));
    const id = await start(last, 'timed');
    const { bookmarks, outbox } = last.get(WorkflowPersistence);
    const rows = await bookmarks.findMany({ workflowInstanceId: id });
    const { id: bookmarkId } = rows.find(({ name }) => name === 'Waymark.Timeout')!;
    const at = new Date(time);
    const message = { kind: 'resume-bookmark', workflowInstanceId: id, payload: { bookmarkId } };
    await outbox.add([
      { ...message, id: `due/${bookmarkId}`, createdAt: at, availableAt: at, attempts: MOST_ATTEMPTS },
    ]);
    await last.get(OutboxProcessor).poll();
    await last.get(OutboxProcessor).settled();
    const { subStatus, state } = await load(last, id);
    expect([subStatus, state.incidents.map(({ activityId }) => activityId)]).toEqual(['Faulted', ['T']]);
    const { activityInstanceId } = state.incidents[0]!;
    await last.get(AlterationRunner).run(id, [{ type: 'ScheduleActivity', activityInstanceId }]);
    const waiting = await bookmarks.findMany({ workflowInstanceId: id });
    expect([waiting.map(({ name }) => name).sort(), last.lines]).toEqual([
      ['Elsa.Event', 'Waymark.Timeout'],
      ['before'],
    ]);
  });

  it('faults later when the instance cannot be changed yet, and is not resumed meanwhile', async () => {
    const first = await next();
    await first.deploy('unchangeable', sequence('S', delay('D'), { type: 'Test.Deadly', id: 'X' }));
    const id = await start(first, 'unchangeable');
    expect(await claimedByTheDead(first)).toHaveLength(1);
    await first.close();
    nodes.pop();
    const last = await next(60 * SECOND);
    const { bookmarks, outbox, instances } = last.get(WorkflowPersistence);
    const [row] = await bookmarks.findMany({ workflowInstanceId: id });
    const at = new Date(time);
    const message = { kind: 'resume-bookmark', workflowInstanceId: id, payload: { bookmarkId: row!.id } };
    const attempts = MOST_ATTEMPTS;
    await outbox.add([{ ...message, id: `due/${row!.id}`, createdAt: at, availableAt: at, attempts }]);
    instances.load = () => Promise.reject(new Error('Damaged.'));
    await last.get(OutboxProcessor).poll();
    await last.get(OutboxProcessor).settled();
    expect(await outbox.count()).toEqual({ waiting: 1, deadLetters: 0 });
    // @ts-expect-error -- the method of the store again
    delete instances.load;
    expect((await instances.load(id))!.subStatus).toBe('Suspended');
    const isFaulted = async () => (await instances.load(id))!.subStatus === 'Faulted';
    for (let minute = 0; minute < 10 && !(await isFaulted()); minute++) await passes(60 * SECOND);
    expect([await isFaulted(), ends.length]).toEqual([true, 0]);
  });
});
