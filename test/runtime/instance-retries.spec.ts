import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import {
  type Alteration,
  type AlterationResult,
  AlterationRunner,
  BulkPlans,
  type BulkPlan,
  IWorkflowRuntime,
  RuntimeGate,
  WorkflowPersistence,
} from '@waymark/runtime';
import { InstanceRetries, OutboxProcessor } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

/** Fails the first time. Then it waits, once the test lets it. */
@Activity({ type: 'Test.FailsThenWaits' })
class FailsThenWaits extends ActivityBase {
  static held: Promise<void>;
  static begun: () => void;

  async execute(ctx: ActivityExecutionContext): Promise<void> {
    if (ctx.attempt === 1) throw new Error('the first time');
    FailsThenWaits.begun();
    await FailsThenWaits.held;
    ctx.createBookmark({ name: 'Go', callback: this.onGo });
  }

  onGo(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }
}

/** More than one step. */
const MANY = 120;

describeOn(await testBackends(), 'retries of many instances on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  let definition: string;
  let run = 0;

  beforeEach(() => {
    clock = new VirtualClock('2026-03-01T00:00:00Z');
    nodes = [];
    definition = `failing-${++run}`;
  });
  afterEach(async () => {
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  const node = async (): Promise<RuntimeNode> => {
    const started = await startNode(await backend.create(), { clock, providers: [FailsThenWaits] });
    nodes.push(started);
    return started;
  };
  const storeOf = (on: RuntimeNode) => on.get(WorkflowPersistence);
  const start = (on: RuntimeNode, count: number, definitionId = definition) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const client = await on.get(IWorkflowRuntime).createClient();
        await client.createAndRunInstance({ definition: definitionId });
        return client.workflowInstanceId;
      }),
    );
  const faulty = async (on: RuntimeNode, count: number): Promise<string[]> => {
    await on.deploy(definition, sequence('S', { type: 'Elsa.Fault', id: 'F' }, line('L', 'on')));
    return start(on, count);
  };
  const attemptsOf = async (on: RuntimeNode, id: string): Promise<number> => {
    const { state } = (await storeOf(on).instances.load(id))!;
    return Math.max(...state.activityExecutionContexts.map(({ attempt = 1 }) => attempt));
  };
  const planOf = async (on: RuntimeNode, id: string): Promise<BulkPlan> => (await on.get(BulkPlans).find(id))!;

  it('retries go step by step, and count what was done', async () => {
    const only = await node();
    const ids = await faulty(only, MANY);
    const planId = await only.get(InstanceRetries).submit(ids);
    await only.settled();
    const counts = { selected: MANY, visited: MANY, changed: MANY, failed: 0, failures: [] };
    expect(await planOf(only, planId)).toMatchObject({ status: 'Completed', isSelected: true, ...counts });
    expect(await storeOf(only).outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    for (const id of [ids[0]!, ids.at(-1)!]) expect(await attemptsOf(only, id)).toBe(2);
  });

  it('retries name those that could not be retried, and do the others', async () => {
    const only = await node();
    const ids = await faulty(only, 3);
    await storeOf(only).instances.delete([ids[1]!]);
    const planId = await only.get(InstanceRetries).submit(ids);
    await only.settled();
    const failures = [{ id: ids[1], code: 'WM3001', message: expect.stringContaining(ids[1]!) }];
    expect(await planOf(only, planId)).toMatchObject({ visited: 3, changed: 2, failed: 1, failures });
    for (const id of [ids[0]!, ids[2]!]) expect(await attemptsOf(only, id)).toBe(2);
  });

  it('retries leave an instance alone that waits', async () => {
    const only = await node();
    await only.deploy(definition, sequence('S', waitFor('E', 'go'), line('L', 'on')));
    const [id] = await start(only, 1);
    const before = await storeOf(only).instances.load(id!);
    const planId = await only.get(InstanceRetries).submit([id!]);
    await only.settled();
    expect(await storeOf(only).instances.load(id!)).toEqual(before);
    expect(await planOf(only, planId)).toMatchObject({ visited: 1, changed: 0, failed: 0 });
  });

  type Retry = (on: RuntimeNode, id: string) => Promise<AlterationResult>;
  const byInstance: Retry = (on, id) => on.get(InstanceRetries).retry(id);
  const named: Alteration = { type: 'ScheduleActivity', activityId: 'A', onlyFaulted: true };
  const byActivity: Retry = (on, id) => on.get(AlterationRunner).run(id, [named]);

  for (const { which, retry } of [
    { which: 'the instance', retry: byInstance },
    { which: 'the activity', retry: byActivity },
  ])
    for (const count of [1, 2])
      it(`retries of ${which} that come at once on ${count} nodes run what failed once more`, async () => {
        const [first, second = first] = [await node(), ...(count === 2 ? [await node()] : [])];
        await first.deploy(definition, sequence('S', { type: 'Test.FailsThenWaits', id: 'A' }, line('L', 'on')));
        const [id] = await start(first, 1);
        let release!: () => void;
        FailsThenWaits.held = new Promise((resolve) => (release = resolve));
        const begun = new Promise<void>((resolve) => (FailsThenWaits.begun = resolve));
        const one = retry(first, id!);
        await begun;
        const other = retry(second, id!);
        // It has looked at what is stored as well.
        await storeOf(second).instances.load(id!);
        release();
        const results = await Promise.all([one, other]);
        expect(results.map(({ isSuccessful }) => isSuccessful)).toEqual([true, true]);
        expect(results.map(({ log }) => log.logEntries.length).toSorted((a, b) => a - b)).toEqual([0, 1]);
        const { state } = (await storeOf(first).instances.load(id!))!;
        expect([state.subStatus, state.bookmarks.length, await attemptsOf(first, id!)]).toEqual(['Suspended', 1, 2]);
        const log = await storeOf(first).journal.readLog(id!);
        expect(log.filter(({ eventName }) => eventName === 'Altered')).toHaveLength(1);
      });

  it('retries that name an activity twice run it once', async () => {
    const only = await node();
    await only.deploy(definition, sequence('S', { type: 'Test.FailsThenWaits', id: 'A' }, line('L', 'on')));
    const [id] = await start(only, 1);
    [FailsThenWaits.held, FailsThenWaits.begun] = [Promise.resolve(), () => undefined];
    const { isSuccessful } = await only.get(AlterationRunner).run(id!, [named, named]);
    const { state } = (await storeOf(only).instances.load(id!))!;
    const executions = state.activityExecutionContexts.filter(({ scheduledActivityNodeId: of }) => of.endsWith(':A'));
    expect([isSuccessful, state.bookmarks.length, executions.length]).toEqual([true, 1, 1]);
  });

  it('retries of an activity that the workflow does not have are refused', async () => {
    const only = await node();
    const [id] = await faulty(only, 1);
    const retry: Alteration = { type: 'ScheduleActivity', activityId: 'Unknown', onlyFaulted: true };
    expect((await only.get(AlterationRunner).run(id!, [retry])).isSuccessful).toBe(false);
  });

  it('retries are continued by another node when one dies within a step', async () => {
    const points = new FaultPoints({ at: 'bulkPlans.advance#2', fault: 'dies before' });
    const persistence = await backend.create();
    // With a clock of its own: what a dead node has begun does not end, and time that is moved would wait for it.
    const doomed = await startNode(withFaultPoints(persistence, points), { clock: new VirtualClock(clock.now()) });
    const ids = await faulty(doomed, MANY);
    const planId = await doomed.get(InstanceRetries).submit(ids);
    await points.died;
    const heir = await node();
    expect(await planOf(heir, planId)).toMatchObject({ status: 'Running', visited: 100, changed: 100 });
    await clock.advance(120_000);
    await heir.settled();
    expect(await planOf(heir, planId)).toMatchObject({ status: 'Completed', visited: MANY, changed: MANY });
    await persistence.close();
  });

  it('retries of a step that was noted are not repeated where the answer of the store was lost', async () => {
    const points = new FaultPoints({ at: 'bulkPlans.advance#1', fault: 'loses the answer' });
    const only = await startNode(withFaultPoints(await backend.create(), points), { clock });
    nodes.push(only);
    const ids = await faulty(only, MANY);
    const planId = await only.get(InstanceRetries).submit(ids);
    for (let minute = 0; minute < 3; minute++) {
      await clock.advance(60_000);
      await only.settled();
    }
    expect(await planOf(only, planId)).toMatchObject({ status: 'Completed', visited: MANY, changed: MANY });
    expect(await storeOf(only).outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    for (const id of [ids[0]!, ids.at(-1)!]) expect(await attemptsOf(only, id)).toBe(2);
  });

  it('retries wait while the runtime is paused, and continue afterwards', async () => {
    const only = await node();
    const ids = await faulty(only, 2);
    const gate = only.get(RuntimeGate);
    gate.pause();
    const planId = await only.get(InstanceRetries).submit(ids);
    await only.get(OutboxProcessor).settled();
    expect(await planOf(only, planId)).toMatchObject({ status: 'Pending', visited: 0 });
    gate.resume();
    await clock.advance(60_000);
    await only.settled();
    expect(await planOf(only, planId)).toMatchObject({ status: 'Completed', visited: 2, changed: 2 });
  });

  it('retries end when the plan is cancelled', async () => {
    const only = await node();
    const ids = await faulty(only, 2);
    const gate = only.get(RuntimeGate);
    gate.pause();
    const planId = await only.get(InstanceRetries).submit(ids);
    await only.get(OutboxProcessor).settled();
    expect(await only.get(BulkPlans).cancel(planId)).toBe(true);
    gate.resume();
    await clock.advance(60_000);
    await only.settled();
    expect(await planOf(only, planId)).toMatchObject({ status: 'Cancelled', visited: 0 });
    expect(await attemptsOf(only, ids[0]!)).toBe(1);
    expect(await storeOf(only).outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });
});
