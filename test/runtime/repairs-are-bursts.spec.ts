import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import { AlterationRunner, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { type BurstCommit, InstanceRetries, RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';
import { Step, steps } from '../support/step-activity.js';

let clock: VirtualClock;

const step = (id: string): ActivityJson => ({ type: 'Test.Step', id });

describeOn(await testBackends(), 'the burst of a retry by hand on $name', (backend) => {
  let nodes: RuntimeNode[];
  let commits: BurstCommit[];

  const node = async (nodeName: string, itsClock = clock): Promise<RuntimeNode> => {
    const persistence = await backend.create();
    // The store in memory is one for all nodes and tests.
    if (!Object.hasOwn(persistence, 'commit')) {
      const commit = persistence.commit.bind(persistence);
      persistence.commit = async (burst: BurstCommit) => {
        await commit(burst);
        commits.push(burst);
      };
    }
    const started = await startNode(persistence, { clock: itsClock, providers: [Step], nodeName });
    nodes.push(started);
    return started;
  };

  /** Faulted at its first step; what follows is what the retry runs. */
  async function failed(on: RuntimeNode, name: string, rest: ActivityJson[], options = {}): Promise<string> {
    await on.deploy(name, sequence('S', step('First'), ...rest), { options });
    steps.on = () => Promise.reject(new Error('down'));
    const client = await on.get(IWorkflowRuntime).createClient();
    const { workflowInstanceId, subStatus } = await client.createAndRunInstance({ definition: name });
    expect(subStatus).toBe('Faulted');
    steps.on = () => undefined;
    commits.length = 0;
    return workflowInstanceId;
  }
  const stateOf = async (on: RuntimeNode, id: string) => (await on.get(WorkflowPersistence).instances.load(id))!;

  beforeEach(() => {
    [nodes, commits] = [[], []];
    clock = new VirtualClock();
  });
  afterEach(async () => {
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it('is stored half-way as the commit strategy says', async () => {
    const one = await node('one');
    const id = await failed(one, 'by-strategy', [step('A'), step('B')], { commitStrategyName: 'ActivityExecuted' });
    const { isSuccessful } = await one.get(InstanceRetries).retry(id);
    expect(isSuccessful).toBe(true);
    expect(commits.map(({ instance }) => instance.subStatus)).toEqual(['Executing', 'Executing', 'Finished']);
  });

  it('is stored half-way where its journal would grow in memory', async () => {
    const one = await node('one');
    const loop = {
      type: 'Elsa.For',
      id: 'L',
      start: literal(1, 'Int32'),
      end: literal(6_000, 'Int32'),
      body: step('A'),
    };
    const id = await failed(one, 'long', [loop]);
    await one.get(InstanceRetries).retry(id);
    expect(commits.length).toBeGreaterThan(1);
    for (const { journal } of commits) expect(journal.log.length).toBeLessThan(12_000);
    expect((await stateOf(one, id)).subStatus).toBe('Finished');
  });

  it('ends when the instance is cancelled', async () => {
    const one = await node('one');
    const loop = { type: 'Elsa.While', id: 'L', condition: literal(true, 'Boolean'), body: step('A') };
    const id = await failed(one, 'endless', [loop]);
    let cancelling: Promise<unknown> | undefined;
    steps.on = async ({ activityId }) => {
      if (activityId === 'A') cancelling ??= (await one.get(IWorkflowRuntime).createClient(id)).cancel();
    };
    await one.get(AlterationRunner).run(id, [{ type: 'ScheduleActivity', activityId: 'First' }]);
    await cancelling;
    expect((await stateOf(one, id)).subStatus).toBe('Cancelled');
  });

  it('W8: is continued from its last commit when its node dies', async () => {
    // Its time stands still: no heartbeat.
    const dying = await node('dying', new VirtualClock());
    const other = await node('other');
    const id = await failed(dying, 'cut-off', [step('A'), step('B'), line('L', 'done')], {
      commitStrategyName: 'ActivityExecuting',
    });
    const attempts: string[] = [];
    let [begun, release] = [(): void => undefined, (): void => undefined];
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    steps.on = async (ctx) => {
      attempts.push(ctx.activityId);
      if (attempts.filter((each) => each === 'B').length > 1 || ctx.activityId !== 'B') return;
      begun();
      await new Promise<void>((resolve) => (release = resolve));
    };
    const lost = dying.get(InstanceRetries).retry(id);
    await hasBegun;
    await clock.advance(31_000);
    const maintenance = other.get(RuntimeMaintenance);
    for (let round = 0; round < 5; round++) await maintenance.runOnce();
    await other.settled();
    release();
    expect([attempts, other.lines]).toEqual([['First', 'A', 'B', 'B'], ['done']]);
    // It was not dead after all: it finds out, and leaves what is there.
    expect((await lost).isSuccessful).toBe(true);
    expect([dying.lines, (await stateOf(other, id)).subStatus]).toEqual([[], 'Finished']);
  });
});
