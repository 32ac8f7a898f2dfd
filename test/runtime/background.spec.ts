import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson, Input, Output } from '@waymark/core';
import {
  AlterationRunner,
  BackgroundActivityAbandonedError,
  IBookmarkResumer,
  IEventPublisher,
  IWorkflowRuntime,
  WorkflowPersistence,
} from '@waymark/runtime';
import { OutboxProcessor, RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { failingOnce, FailNext, failNext, fork } from '../support/child-nodes.js';
import { describeOn } from '../support/describe-on.js';
import {
  line,
  literal,
  type RuntimeNode,
  type RuntimeNodeOptions,
  sequence,
  startNode,
  waitFor,
} from '../support/runtime-node.js';

/** What the activity did, seen from outside of the workflow. */
interface Run {
  readonly attempt: number;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly end: (error?: Error) => void;
}

let runs: Run[] = [];
let begun: (() => void)[] = [];
/** Resolves when the activity has begun so many times. */
const begins = async (times: number): Promise<void> => {
  while (runs.length < times) await new Promise<void>((resolve) => begun.push(resolve));
};

@Injectable()
@Activity({ namespace: 'Test', kind: 'Job', outcomes: ['Small', 'Large'] })
class Resize extends ActivityBase {
  @Input({ type: 'Int32' }) size!: number;
  @Output({ type: 'Int32' }) result?: number;

  async execute(ctx: ActivityExecutionContext): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve());
      runs.push({ attempt: ctx.attempt, key: ctx.idempotencyKey, signal: ctx.signal, end });
      for (const notify of begun.splice(0)) notify();
    });
    ctx.setVariable('seen', `by ${ctx.activityId}`);
    ctx.log('Resized', `to ${this.size}`);
    this.result = this.size * 2;
    ctx.completeWithOutcomes(this.size > 9 ? 'Large' : 'Small');
  }
}

@Injectable()
@Activity({ namespace: 'Test', kind: 'Task' })
class AskLater extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ name: 'Answer', stimulus: 'q1', callback: this.onAnswer });
  }

  onAnswer(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }
}

/** Leaves more behind than outputs. */
@Injectable()
@Activity({ namespace: 'Test', kind: 'Job' })
class Label extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    ctx.setVariable('label', 'declared by nothing else');
    ctx.workflow.correlationId = 'order-7';
    ctx.workflow.name = 'Labelled';
    ctx.workflow.setWorkflowOutput('Label', 'L7');
  }
}

const resize = (more: Record<string, unknown> = {}): ActivityJson => ({
  type: 'Test.Resize',
  id: 'R',
  size: literal(21, 'Int32'),
  result: { typeName: 'Int32', memoryReference: { id: 'v1' } },
  ...more,
});
const variables = [
  { id: 'v1', name: 'resized', typeName: 'Int32' },
  { id: 'v2', name: 'seen', typeName: 'String' },
];
const showing = (id: string): ActivityJson => ({
  ...line(id, ''),
  text: { typeName: 'String', expression: { type: 'Variable', value: { id: 'v1' } } },
});

const SECOND = 1000;

describeOn(await testBackends(), 'background activities on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];

  const node = async (options: RuntimeNodeOptions = {}): Promise<RuntimeNode> => {
    const started = await startNode(await backend.create(), {
      clock,
      providers: [Resize, AskLater, Label, FailNext],
      ...options,
    });
    nodes.push(started);
    return started;
  };
  const start = async (on: RuntimeNode, definition: string) =>
    (await on.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition });
  const load = async (on: RuntimeNode, id: string) => (await on.get(WorkflowPersistence).instances.load(id))!;

  beforeEach(() => {
    clock = new VirtualClock();
    [runs, begun, nodes] = [[], [], []];
  });
  afterEach(async () => {
    for (const run of runs) run.end();
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it('suspends, runs outside of the burst, and continues with the result', async () => {
    const one = await node();
    await one.deploy('resize', { ...sequence('S', resize(), showing('After')), variables });
    const { workflowInstanceId, subStatus, bookmarks } = await start(one, 'resize');
    expect([subStatus, bookmarks.map((b) => [b.name, b.autoComplete])]).toEqual([
      'Suspended',
      [['BackgroundActivity', false]],
    ]);
    await begins(1);
    expect(runs[0]).toMatchObject({ attempt: 1, key: `${workflowInstanceId}/R/3` });
    // Whoever else resumes the bookmark does not do the work.
    await one.get(IBookmarkResumer).resumeById(bookmarks[0]!.id);
    expect((await load(one, workflowInstanceId)).subStatus).toBe('Suspended');
    runs[0]!.end();
    await one.settled();
    expect((await load(one, workflowInstanceId)).subStatus).toBe('Finished');
    expect(one.lines).toEqual(['42']);
    const { journal, outbox } = one.get(WorkflowPersistence);
    const [record] = (await journal.readRecords(workflowInstanceId)).filter((r) => r.activityId === 'R');
    expect(record).toMatchObject({ status: 'Completed', outputs: { Result: 42 }, payload: { Outcomes: ['Large'] } });
    const events = (await journal.readLog(workflowInstanceId)).filter((e) => e.activityId === 'R');
    const turns = ['Started', 'Suspended', 'Resumed', 'Suspended', 'Resumed'];
    expect(events.map((e) => e.eventName)).toEqual([...turns, 'Resized', 'Completed']);
    expect((await outbox.count()).waiting).toBe(0);
  });

  it('sets a variable as it is now, too, when it undoes a step that has seen it before', async () => {
    const one = await node();
    const shown: ActivityJson = {
      ...line('L', ''),
      text: { typeName: 'String', expression: { type: 'Variable', value: { id: 'v2' } } },
    };
    const step = { type: 'Waymark.Compensable', id: 'C', body: line('B', 'booked'), undo: resize() };
    const body = sequence('T1', step, { type: 'Elsa.Fault', id: 'F' });
    const root = sequence('S', { type: 'Waymark.Try', id: 'T', body, catch: line('K', 'caught') }, shown);
    await one.deploy('undone', { ...root, variables });
    const { workflowInstanceId } = await start(one, 'undone');
    await begins(1);
    runs[0]!.end();
    await one.settled();
    expect([(await load(one, workflowInstanceId)).subStatus, one.lines]).toEqual([
      'Finished',
      ['booked', 'caught', 'by R'],
    ]);
  });

  it('brings back a variable that it has declared, the correlation id, the name and outputs of the workflow', async () => {
    const one = await node();
    const shown: ActivityJson = {
      ...line('L', ''),
      text: { typeName: 'String', expression: { type: 'Variable', value: { id: 'labelVariable' } } },
    };
    await one.deploy('label', sequence('S', { type: 'Test.Label', id: 'J' }, shown));
    const { workflowInstanceId } = await start(one, 'label');
    await one.settled();
    expect(one.lines).toEqual(['declared by nothing else']);
    const { correlationId, name, state } = await load(one, workflowInstanceId);
    expect([correlationId, name, state.output]).toEqual(['order-7', 'Labelled', { Label: 'L7' }]);
  });

  it('runs a task in the background only when it is asked to, with bookmarks of its own', async () => {
    const one = await node();
    const ask = (id: string, runAsynchronously: boolean): ActivityJson => ({
      type: 'Test.AskLater',
      id,
      customProperties: { runAsynchronously },
    });
    await one.deploy('ask-inline', sequence('S', ask('A', false)));
    await one.deploy('ask-later', sequence('S', ask('A', true), line('L', 'answered')));
    expect((await start(one, 'ask-inline')).bookmarks.map((b) => b.name)).toEqual(['Answer']);
    const { workflowInstanceId, bookmarks } = await start(one, 'ask-later');
    expect(bookmarks.map((b) => b.name)).toEqual(['BackgroundActivity']);
    await one.settled();
    const { state } = await load(one, workflowInstanceId);
    expect(state.bookmarks.map((b) => [b.name, b.callbackMethodName])).toEqual([['Answer', 'onAnswer']]);
    await one.get(IBookmarkResumer).resume('Answer', 'q1', { workflowInstanceId });
    expect(one.lines).toEqual(['answered']);
  });

  it('faults, and is tried again by its policy', async () => {
    const one = await node();
    const customProperties = { retryPolicy: { maxAttempts: 2, delay: '00:00:05' } };
    await one.deploy('retried', { ...sequence('S', resize({ customProperties })), variables });
    const { workflowInstanceId } = await start(one, 'retried');
    await begins(1);
    runs[0]!.end(new RangeError('too large'));
    await one.settled();
    const [retry] = (await load(one, workflowInstanceId)).state.bookmarks;
    await one.get(IBookmarkResumer).resumeById(retry!.id);
    await begins(2);
    expect(runs[1]!.attempt).toBe(2);
    runs[1]!.end(new RangeError('still too large'));
    await one.settled();
    const { subStatus, state } = await load(one, workflowInstanceId);
    expect([subStatus, state.incidents.map((i) => [i.activityId, i.message])]).toEqual([
      'Faulted',
      [['R', 'still too large']],
    ]);
  });

  it('W8: is taken over within the lease when its node dies, and never while it lives', async () => {
    const theirs = new VirtualClock();
    const dying = await node({ nodeName: 'dying', clock: theirs });
    const other = await node({ nodeName: 'other' });
    await dying.deploy('taken', { ...sequence('S', resize(), showing('After')), variables });
    const { workflowInstanceId } = await start(dying, 'taken');
    await begins(1);
    // It lives for a minute: each look of the other node finds the message claimed.
    for (let second = 0; second < 60; second += 2) {
      await theirs.advance(2 * SECOND);
      await clock.advance(2 * SECOND);
      expect(await other.get(OutboxProcessor).poll()).toBe(0);
    }
    // Its time stands still from now on: it renews nothing any more.
    await clock.advance(31 * SECOND);
    await other.get(RuntimeMaintenance).runOnce();
    await begins(2);
    expect([runs[1]!.attempt, runs[1]!.key === runs[0]!.key]).toEqual([2, true]);
    runs[1]!.end();
    await other.settled();
    expect((await load(other, workflowInstanceId)).subStatus).toBe('Finished');
    // Back from the dead: what it did counts no more.
    runs[0]!.end();
    await dying.get(OutboxProcessor).settled();
    expect([other.lines, dying.lines]).toEqual([['42'], []]);
  });

  it('W8: is aborted on a node that was cut off, without faulting the instance', async () => {
    const theirs = new VirtualClock();
    const cutOff = await node({ nodeName: 'cut off', clock: theirs });
    const other = await node({ nodeName: 'other' });
    await cutOff.deploy('called off', { ...sequence('S', resize(), showing('After')), variables });
    const { workflowInstanceId } = await start(cutOff, 'called off');
    await begins(1);
    await clock.advance(31 * SECOND);
    await other.get(RuntimeMaintenance).runOnce();
    await begins(2);
    // It is back, and learns that another node has its work.
    await theirs.advance(10 * SECOND);
    expect(runs[0]!.signal.aborted).toBe(true);
    runs[0]!.end(new Error('as a request ends that is called off'));
    await cutOff.get(OutboxProcessor).settled();
    expect((await load(other, workflowInstanceId)).subStatus).toBe('Suspended');
    runs[1]!.end();
    await other.settled();
    const { subStatus, incidentCount } = await load(other, workflowInstanceId);
    expect([subStatus, incidentCount, other.lines]).toEqual(['Finished', 0, ['42']]);
  });

  it('is notified when its instance is cancelled, here or on another node', async () => {
    const [one, two] = [await node({ nodeName: 'one' }), await node({ nodeName: 'two' })];
    await one.deploy('cancelled', { ...sequence('S', resize()), variables });
    const cancel = async (on: RuntimeNode, id: string) => (await on.get(IWorkflowRuntime).createClient(id)).cancel();
    const here = await start(one, 'cancelled');
    await begins(1);
    await cancel(one, here.workflowInstanceId);
    expect(runs[0]!.signal.aborted).toBe(true);
    const there = await start(one, 'cancelled');
    await begins(2);
    await cancel(two, there.workflowInstanceId);
    expect(runs[1]!.signal.aborted).toBe(false);
    await clock.advance(2 * SECOND);
    expect(runs[1]!.signal.aborted).toBe(true);
    for (const run of runs) run.end();
    await one.settled();
    for (const { workflowInstanceId } of [here, there])
      expect((await load(one, workflowInstanceId)).subStatus).toBe('Cancelled');
    expect((await one.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
  });

  it('is looked at less and less often while its instance is faulted, and begins anew as soon as that is repaired', async () => {
    const one = await node();
    failNext();
    const failing = sequence('B', waitFor('E', 'break'), failingOnce);
    await one.deploy('broken', { ...fork(resize(), failing), variables });
    const { workflowInstanceId } = await start(one, 'broken');
    await begins(1);
    await one.get(IEventPublisher).publish('break');
    const { subStatus, state } = await load(one, workflowInstanceId);
    expect([subStatus, state.incidents.map(({ activityId }) => activityId)]).toEqual(['Faulted', ['X']]);
    const { outbox } = one.get(WorkflowPersistence);
    let looks = 0;
    const { postpone } = outbox;
    outbox.postpone = (...given) => (looks++, postpone.apply(outbox, given));
    runs[0]!.end();
    // Twice a minute, in a day it would be 2880 times.
    for (let minute = 0; minute < 1440; minute += 5) {
      await clock.advance(300 * SECOND);
      await one.get(OutboxProcessor).poll();
      await one.get(OutboxProcessor).settled();
    }
    outbox.postpone = postpone;
    expect(looks).toBeLessThan(50);
    const { activityInstanceId } = state.incidents[0]!;
    await one.get(AlterationRunner).run(workflowInstanceId, [{ type: 'ScheduleActivity', activityInstanceId }]);
    await begins(2);
    runs[1]!.end();
    await one.settled();
    expect((await load(one, workflowInstanceId)).subStatus).toBe('Finished');
  });

  it('becomes an incident when every node that serves it dies', async () => {
    const first = await node({ nodeName: 'first', clock: new VirtualClock() });
    await first.deploy('deadly', { ...sequence('S', resize()), variables });
    const { workflowInstanceId } = await start(first, 'deadly');
    await begins(1);
    const { outbox } = first.get(WorkflowPersistence);
    for (let death = 0; death < 4; death++) {
      await clock.advance(60 * SECOND);
      const now = new Date(clock.now());
      await outbox.claim({ owner: `dead-${death}`, limit: 1, leaseMs: 30 * SECOND, now });
    }
    await clock.advance(60 * SECOND);
    const last = await node({ nodeName: 'last', maxDeliveryAttempts: 4 });
    await last.settled();
    const { subStatus, state } = await load(last, workflowInstanceId);
    expect(subStatus).toBe('Faulted');
    expect(state.incidents[0]!.exception).toMatchObject({ type: BackgroundActivityAbandonedError.name });
    expect(runs).toHaveLength(1);
  });
});
