import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import { IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';
import { Step, steps } from '../support/step-activity.js';

let release = (): void => undefined;

const step = (id: string): ActivityJson => ({ type: 'Test.Step', id });
const branch = (id: string) => sequence(`S${id}`, waitFor(id, id), step(`${id}1`), step(`${id}2`), step(`${id}3`));
const forkOf = (...ids: string[]) => ({ type: 'Elsa.Fork', id: 'K', branches: ids.map(branch), joinMode: 'WaitAll' });

describeOn(await testBackends(), 'bursts of two nodes beside each other, each stored half-way, on $name', (backend) => {
  let nodes: RuntimeNode[];

  const node = async (nodeName: string): Promise<RuntimeNode> => {
    // No sign of life, and no maintenance: the time stands still.
    const options = { clock: new VirtualClock(), providers: [Step], nodeName };
    const started = await startNode(await backend.create(), options);
    nodes.push(started);
    return started;
  };

  beforeEach(() => void (nodes = []));
  afterEach(async () => {
    release();
    // The store in memory is one for all tests.
    jest.restoreAllMocks();
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it('W9: leave each other their name, their input and the rest of their work', async () => {
    const [one, other] = [await node('one'), await node('other')];
    await one.deploy('both', forkOf('A', 'B'), { options: { commitStrategyName: 'ActivityExecuted' } });
    steps.on = () => undefined;
    const client = await one.get(IWorkflowRuntime).createClient();
    const { workflowInstanceId, bookmarks } = await client.createAndRunInstance({ definition: 'both' });
    const load = async () => (await one.get(WorkflowPersistence).instances.load(workflowInstanceId))!.state;
    const resume = async (on: RuntimeNode, eventName: string, input: Record<string, unknown>) =>
      (await on.get(IWorkflowRuntime).createClient(workflowInstanceId)).runInstance({
        bookmarkId: bookmarks.find(({ payload }) => (payload as { eventName: string }).eventName === eventName)!.id,
        input,
      });
    const seen: string[] = [];
    const names: (string | undefined)[] = [];
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    steps.on = async ({ activityId, input }) => {
      seen.push(`${activityId} ${JSON.stringify(input)}`);
      if (activityId === 'B3') names.push((await load()).burstId);
      if (activityId !== 'A2' || names.length > 0) return;
      begun();
      await new Promise<void>((resolve) => (release = resolve));
    };

    const held = resume(one, 'A', { from: 'a' });
    await hasBegun;
    const before = await load();
    await resume(other, 'B', { from: 'b' });
    const after = await load();
    expect(names).toEqual([before.burstId]);
    expect(after).toMatchObject({ burstId: before.burstId, burstOrigin: before.burstOrigin, input: before.input });
    release();
    await held;
    const { burstId, subStatus } = await load();
    expect([burstId, subStatus]).toEqual([undefined, 'Finished']);
    // A2 was begun, and is again: what it has done could not be stored.
    const inputs = ['A1 a', 'A2 a', 'B1 b', 'B2 b', 'B3 b', 'A2 a', 'A3 a'].map((s) => s.split(' '));
    expect(seen).toEqual(inputs.map(([id, from]) => `${id} {"from":"${from}"}`));
  });

  // Before each of these commits of the first node, counted from 0, the other one resumes a branch of its own.
  it.each([
    ['its first commit', { 0: 'B' }],
    ['its second one, and the first of the rest', { 1: 'B', 2: 'C' }],
  ])('W3: a resume is not lost when another node commits before %s', async (_title, events: Record<number, string>) => {
    const [one, other] = [await node('one'), await node('other')];
    const name = `all-${Object.keys(events).join('-')}`;
    const ids = ['A', ...Object.values(events)];
    await one.deploy(name, forkOf(...ids), { options: { commitStrategyName: 'ActivityExecuted' } });
    const done: string[] = [];
    steps.on = ({ activityId }) => void done.push(activityId);
    const client = await one.get(IWorkflowRuntime).createClient();
    const { workflowInstanceId, bookmarks } = await client.createAndRunInstance({ definition: name });
    const resume = async (on: RuntimeNode, eventName: string) =>
      (await on.get(IWorkflowRuntime).createClient(workflowInstanceId)).runInstance({
        bookmarkId: bookmarks.find(({ payload }) => (payload as { eventName: string }).eventName === eventName)!.id,
      });
    const persistence = one.get(WorkflowPersistence);
    const commit = persistence.commit.bind(persistence);
    let [commits, isMeanwhile] = [0, false];
    jest.spyOn(persistence, 'commit').mockImplementation(async (burst) => {
      const event = isMeanwhile ? undefined : events[commits++];
      isMeanwhile ||= event !== undefined;
      if (event !== undefined) await resume(other, event).finally(() => (isMeanwhile = false));
      return commit(burst);
    });

    await resume(one, 'A');
    const { subStatus } = (await persistence.instances.load(workflowInstanceId))!;
    expect([subStatus, new Set(done)]).toEqual([
      'Finished',
      new Set(ids.flatMap((id) => [`${id}1`, `${id}2`, `${id}3`])),
    ]);
  });
});
