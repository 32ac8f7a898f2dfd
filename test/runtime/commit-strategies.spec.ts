import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import { IWorkflowRuntime, periodicCommits, WorkflowPersistence, type WorkflowRuntimeOptions } from '@waymark/runtime';
import {
  type BurstCommit,
  CommitStrategies,
  resolveRuntimeOptions,
  RuntimeMaintenance,
} from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';
import { Step, steps } from '../support/step-activity.js';

let clock: VirtualClock;

const step = (id: string, commitStrategyName?: string): ActivityJson => ({
  type: 'Test.Step',
  id,
  customProperties: { commitStrategyName },
});
const committing = (commitStrategyName: string) => ({ options: { commitStrategyName } });

describeOn(await testBackends(), 'commit strategies on $name', (backend) => {
  let nodes: RuntimeNode[];
  /** One line per commit: activities that have completed, or are marked as begun. */
  let commits: string[];

  const node = async (options: WorkflowRuntimeOptions = {}): Promise<RuntimeNode> => {
    const persistence = await backend.create();
    // The store in memory is one for all nodes and tests.
    if (!Object.hasOwn(persistence, 'commit')) {
      const commit = persistence.commit.bind(persistence);
      persistence.commit = async (burst: BurstCommit) => {
        await commit(burst);
        commits.push(describeCommit(burst));
      };
    }
    const started = await startNode(persistence, { clock, providers: [Step], ...options });
    nodes.push(started);
    return started;
  };
  const start = async (on: RuntimeNode, definition: string) =>
    (await on.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition });

  beforeEach(() => {
    [nodes, commits] = [[], []];
    steps.on = () => undefined;
    clock = new VirtualClock();
  });
  afterEach(async () => {
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it.each([
    ['WorkflowExecuted', ['A B S Workflow1 Finished']],
    ['WorkflowExecuting', ['Executing', 'A B S Workflow1 Finished']],
    ['ActivityExecuted', ['Executing', 'Executing', 'A Executing', 'B S Workflow1 Finished']],
    [
      'ActivityExecuting',
      ['>Workflow1 Executing', '>S Executing', '>A Executing', 'A >B Executing', 'B S Workflow1 Finished'],
    ],
    ['NoSuchStrategy', ['A B S Workflow1 Finished']],
  ])('%s', async (name, expected) => {
    const one = await node();
    await one.deploy(`by-${name}`, sequence('S', step('A'), step('B')), committing(name));
    const { workflowInstanceId, subStatus } = await start(one, `by-${name}`);
    expect([commits, subStatus]).toEqual([expected, 'Finished']);
    const { journal, instances } = one.get(WorkflowPersistence);
    const log = await journal.readLog(workflowInstanceId);
    expect(log.map((entry) => entry.sequence)).toEqual(log.map((_, index) => index));
    expect((await journal.readRecords(workflowInstanceId)).map((record) => record.status)).toEqual(
      Array.from({ length: 4 }, () => 'Completed'),
    );
    expect((await instances.load(workflowInstanceId))!.revision).toBe(expected.length);
  });

  it.each([
    ['CommitAlways', ['>A Executing', 'A Executing', 'B S Workflow1 Finished']],
    ['Executing', ['>A Executing', 'A B S Workflow1 Finished']],
    ['Executed', ['A Executing', 'B S Workflow1 Finished']],
    ['CommitNever', ['A B S Workflow1 Finished']],
  ])('%s of one activity', async (name, expected) => {
    const one = await node();
    await one.deploy(`one-${name}`, sequence('S', step('A', name), step('B')));
    await start(one, `one-${name}`);
    expect(commits).toEqual(expected);
  });

  it('lets an activity refuse what its workflow or the host wants', async () => {
    const one = await node({ commitStrategies: { defaultWorkflow: 'ActivityExecuted' } });
    await one.deploy('refused', sequence('S', step('A', 'CommitNever'), step('B'), step('C')));
    await start(one, 'refused');
    expect(commits).toEqual(['Executing', 'Executing', 'A B Executing', 'C S Workflow1 Finished']);
  });

  it('commits periodically', async () => {
    const strategies = { workflows: [periodicCommits('EveryMinute', 'Every minute', 60_000)] };
    const one = await node({ commitStrategies: strategies });
    steps.on = () => clock.setTime(clock.now() + 25_000);
    await one.deploy(
      'periodic',
      sequence('S', ...['A', 'B', 'C', 'D'].map((id) => step(id))),
      committing('EveryMinute'),
    );
    await start(one, 'periodic');
    expect(commits).toEqual(['A B C Executing', 'D S Workflow1 Finished']);
  });

  it('keeps the application from starting with a default that does not exist', () => {
    const options = resolveRuntimeOptions({ commitStrategies: { defaultWorkflow: 'Nope' } });
    expect(() => new CommitStrategies(options)).toThrow(
      "'commitStrategies.defaultWorkflow' must be 'WorkflowExecuting',",
    );
  });

  it('W8: continues from the last commit, with the activity that was begun', async () => {
    // Its time stands still: no heartbeat.
    const dying = await node({ nodeName: 'dying', clock: new VirtualClock() });
    const other = await node({ nodeName: 'other' });
    await dying.deploy(
      'cut-off',
      sequence('S', step('A'), step('B'), line('L', 'done')),
      committing('ActivityExecuting'),
    );
    const attempts: string[] = [];
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    let release = (): void => undefined;
    steps.on = async (ctx) => {
      attempts.push(`${ctx.activityId} ${ctx.attempt}`);
      if (attempts.length !== 2) return;
      begun();
      await new Promise<void>((resolve) => (release = resolve));
    };
    const lost = start(dying, 'cut-off');
    await hasBegun;
    await clock.advance(31_000);
    const maintenance = other.get(RuntimeMaintenance);
    for (let round = 0; round < 5; round++) await maintenance.runOnce();
    await other.settled();
    expect([attempts, other.lines]).toEqual([['A 1', 'B 1', 'B 2'], ['done']]);
    // The first node was not dead after all: it finds out, and answers with what is there.
    release();
    expect((await lost).subStatus).toBe('Finished');
    expect(dying.lines).toEqual([]);
  });

  it('W2: a resume consumes its bookmark with its first commit', async () => {
    const one = await node();
    const root = sequence('S', waitFor('E', 'go'), step('A'), step('B'), waitFor('F', 'on'));
    await one.deploy('resumed', root, committing('ActivityExecuted'));
    const { workflowInstanceId, bookmarks } = await start(one, 'resumed');
    commits.length = 0;
    const client = await one.get(IWorkflowRuntime).createClient(workflowInstanceId);
    const { subStatus } = await client.runInstance({ bookmarkId: bookmarks[0]!.id });
    expect([commits, subStatus]).toEqual([['E Executing', 'A Executing', 'B Executing', 'Suspended'], 'Suspended']);
    const rows = await one.get(WorkflowPersistence).bookmarks.findMany({ workflowInstanceId });
    expect(rows.map((row) => row.payload)).toEqual([{ eventName: 'on' }]);
  });
});

function describeCommit({ instance, journal }: BurstCommit): string {
  const completed = journal.log.filter((entry) => entry.eventName === 'Completed').map((entry) => entry.activityId);
  const begun = instance.state.activityExecutionContexts.filter((context) => context.isExecuting);
  const ids = begun.map(({ scheduledActivityNodeId }) => `>${scheduledActivityNodeId.split(':').at(-1)}`);
  return [...completed, ...ids, instance.subStatus].join(' ');
}
