import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson } from '@waymark/core';
import { IStimulusSender, IWorkflowSchedules, type WorkflowPersistence } from '@waymark/runtime';
import { InstanceRetries, type WorkflowInstanceSummary } from '@waymark/runtime/adapter';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

@Activity({ type: 'Test.FailsFirst' })
class FailsFirst extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    if (ctx.attempt === 1) throw new Error('the first time');
    return ctx.complete();
  }
}

const T0 = '2026-03-01T10:00:00Z';
const SECOND = 1000;
const NODES = 2;
/** Nodes that write to a server may be behind the clock: it is moved on by a little, this often at most. */
const STEPS = 40;

describeOn(await testBackends(), 'overlapping occurrences on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  let store: WorkflowPersistence;
  let counter = 0;
  afterAll(() => backend.drop());
  beforeEach(async () => {
    clock = new VirtualClock(T0);
    nodes = [];
    for (let i = 0; i < NODES; i++) {
      store = await backend.create();
      const providers = [
        ...schedulingProviders,
        FailsFirst,
        { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions({ pollIntervalMs: 5 * SECOND }) },
      ];
      nodes.push(await startNode(store, { clock, providers }));
    }
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
  });

  /** Every ten seconds it starts an instance that waits for an event. */
  async function deploy(overlap: string, validUntil?: string, ...before: ActivityJson[]): Promise<string> {
    const definitionId = `every-ten-seconds-${++counter}`;
    const timer = {
      type: 'Elsa.Timer',
      id: 'T',
      customProperties: { canStartWorkflow: true, overlap, ...(validUntil && { validUntil }) },
      interval: literal('00:00:10', 'TimeSpan'),
    };
    const wait = { type: 'Elsa.Event', id: 'E', eventName: literal(`end of ${definitionId}`) };
    await nodes[0]!.deploy(definitionId, sequence('S', timer, ...before, wait));
    return definitionId;
  }
  const instancesOf = async (definitionId: string): Promise<WorkflowInstanceSummary[]> =>
    (await store.instances.findMany({ definitionIds: [definitionId] }, { by: 'Created', direction: 'Ascending' }))
      .items;
  const seen = async (definitionId: string): Promise<string[]> =>
    (await instancesOf(definitionId)).map((i) => i.subStatus);
  /** Advances to that time, and waits for what nodes do about it. */
  async function expectAfter(ms: number, definitionId: string, expected: string[]): Promise<void> {
    await clock.advance(ms);
    for (let i = 0; i < STEPS && (await seen(definitionId)).join() !== expected.join(); i++) await clock.advance(10);
    expect(await seen(definitionId)).toEqual(expected);
  }
  const end = (definitionId: string): Promise<unknown> =>
    nodes[1]!.get(IStimulusSender).send('Elsa.Event', { eventName: `end of ${definitionId}` });
  const scheduleOf = async (definitionId: string) =>
    (await nodes[1]!.get(IWorkflowSchedules).list({ workflowDefinitionIds: [definitionId] })).items[0]!;

  it('overlapping occurrences start further instances when they are allowed', async () => {
    const id = await deploy('allow');
    await expectAfter(10 * SECOND, id, ['Suspended']);
    await expectAfter(10 * SECOND, id, ['Suspended', 'Suspended']);
  });

  it('overlapping occurrences are left out when they are skipped', async () => {
    const id = await deploy('skip');
    await expectAfter(10 * SECOND, id, ['Suspended']);
    await clock.advance(10 * SECOND);
    for (let i = 0; i < STEPS && (await scheduleOf(id)).lastFiring?.result === 'Started'; i++) await clock.advance(10);
    expect((await scheduleOf(id)).lastFiring).toMatchObject({ result: 'Refused' });
    await end(id);
    await expectAfter(10 * SECOND, id, ['Finished', 'Suspended']);
  });

  it('overlapping occurrences wait for each other when they are queued', async () => {
    const id = await deploy('queue');
    await expectAfter(10 * SECOND, id, ['Suspended']);
    await expectAfter(13 * SECOND, id, ['Suspended']);
    const { overdueMs, failure } = await scheduleOf(id);
    expect([Math.floor(overdueMs! / SECOND), failure]).toEqual([3, undefined]);
    await end(id);
    await expectAfter(SECOND, id, ['Finished', 'Suspended']);
    await end(id);
    await expectAfter(8 * SECOND, id, ['Finished', 'Finished', 'Suspended']);
  });

  it('overlapping occurrences that were due by the end and are queued start after it, and no later ones do', async () => {
    const validUntil = new Date(clock.now() + 25 * SECOND).toISOString();
    const id = await deploy('queue', validUntil);
    await expectAfter(10 * SECOND, id, ['Suspended']);
    await expectAfter(30 * SECOND, id, ['Suspended']);
    await end(id);
    await expectAfter(SECOND, id, ['Finished', 'Suspended']);
    expect((await scheduleOf(id)).nextTimes).toEqual([]);
    await end(id);
    await expectAfter(60 * SECOND, id, ['Finished', 'Finished']);
  });

  it('overlapping occurrences are those of an instance that was retried, too', async () => {
    const id = await deploy('skip', undefined, { type: 'Test.FailsFirst', id: 'F' });
    await expectAfter(10 * SECOND, id, ['Faulted']);
    const retry = (instance: WorkflowInstanceSummary) => nodes[1]!.get(InstanceRetries).retry(instance.id);
    const [first] = await instancesOf(id);
    expect(await retry(first!)).toMatchObject({ isSuccessful: true });
    expect(await seen(id)).toEqual(['Suspended']);
    await clock.advance(10 * SECOND);
    for (let i = 0; i < STEPS && (await scheduleOf(id)).lastFiring?.result === 'Started'; i++) await clock.advance(10);
    expect([(await scheduleOf(id)).lastFiring?.result, await seen(id)]).toEqual(['Refused', ['Suspended']]);
    await end(id);
    await expectAfter(10 * SECOND, id, ['Finished', 'Faulted']);
    await expectAfter(10 * SECOND, id, ['Finished', 'Faulted', 'Faulted']);
    const [, left, right] = await instancesOf(id);
    expect(await retry(right!)).toMatchObject({ isSuccessful: true });
    const refused = await retry(left!);
    expect(refused).toMatchObject({ isSuccessful: false });
    expect(refused.log.logEntries.map(({ message }) => message)).toEqual([
      expect.stringMatching(`WM7005: Workflow instance "${left!.id}" .*"${right!.id}" runs, which holds "trigger:`),
    ]);
    expect(await seen(id)).toEqual(['Finished', 'Faulted', 'Suspended']);
  });

  it('overlapping occurrences cancel the one before, and never what another node has started for the same one', async () => {
    const id = await deploy('cancelPrevious');
    await expectAfter(10 * SECOND, id, ['Suspended']);
    await expectAfter(10 * SECOND, id, ['Cancelled', 'Suspended']);
    await expectAfter(10 * SECOND, id, ['Cancelled', 'Cancelled', 'Suspended']);
    const { id: schedule } = await scheduleOf(id);
    const fired = await nodes[0]!.get(IWorkflowSchedules).fire(schedule, `key of ${id}`);
    const again = nodes[0]!.get(IWorkflowSchedules).fire(schedule, `key of ${id}`);
    await expect(again).rejects.toMatchObject({ code: 'WM7007' });
    expect((await instancesOf(id)).filter((i) => i.status === 'Running').map((i) => i.id)).toEqual([
      fired.workflowInstanceId,
    ]);
  });
});
