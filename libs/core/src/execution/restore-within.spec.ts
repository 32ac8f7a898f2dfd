import type { ActivityJson } from '../definitions/workflow-definition.js';
import { act, event, fault, flow, fork, join, lit, parallelForEach, seq } from './testing/build-definition.js';
import type { WorkflowState } from '../state/workflow-state.js';
import { atRest, TestPart } from './testing/resting-parts.js';
import { type TestInstance, WorkflowTest } from './testing/run-workflow.js';

const items = Array.from({ length: 3000 }, (_, i) => i);
const branches = (body: ActivityJson = event('E')): ActivityJson => parallelForEach('P', items, body);

/** An execution is two parts, itself and its callback; 500 of them are restored at a time, and a few around them. */
const MOST_AT_ONCE = 1020;

/** Resumes what waits at the activity, of which there may be many. @returns the most parts that were read between two pauses */
async function resumed(
  root: ActivityJson,
  activityId: string,
  whilePaused?: (run: TestInstance) => void,
): Promise<{ run: TestInstance; mostAtOnce: number }> {
  let seen = 0;
  let mostAtOnce = 0;
  let isResumed = false;
  const look = (): void => {
    mostAtOnce = Math.max(mostAtOnce, TestPart.reads - seen);
    seen = TestPart.reads;
  };
  const pause = async (): Promise<void> => {
    look();
    if (isResumed && whilePaused) whilePaused(run);
  };
  const run = await new WorkflowTest({ rests: true, yield: pause }).start(root);
  const { id } = run.bookmarks.find((bookmark) => bookmark.activityId === activityId)!;
  [seen, mostAtOnce, isResumed] = [0, 0, true];
  await run.run({ bookmarkId: id, onBegin: (wec) => (run.context = wec) });
  // Without what the test itself reads.
  return { run, mostAtOnce: Math.max(mostAtOnce, run.reads - seen) };
}

describe('what ends thousands of branches restores them part by part', () => {
  it.each<[string, ActivityJson]>([
    ['a fork that waits for one of them', fork('F', [event('stop'), branches()], 'WaitAny')],
    ['the end of the workflow', fork('F', [seq('S', [event('stop'), act('Finish', 'end')]), branches()])],
    ['a break', branches(seq('B', [event('stop'), act('Break', 'break')]))],
    [
      'a race in a flowchart',
      flow(
        'C',
        [act('Fork', 'start'), event('stop'), branches(), join('J')],
        ['start->stop', 'start->P', 'stop->J', 'P->J'],
      ),
    ],
  ])('%s', async (_, root) => {
    const { run, mostAtOnce } = await resumed(root, 'stop');
    expect([run.status, run.context.contexts.size, run.context.bookmarks.size]).toEqual(['Finished', 0, 0]);
    expect(run.context.journal!.take().records.filter(({ status }) => status === 'Canceled').length).toBeGreaterThan(
      2999,
    );
    expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
  });

  it('a timeout', async () => {
    const { run, mostAtOnce } = await resumed(
      act('Waymark.Timeout', 'T', { body: branches(), timeSpan: lit('00:01:00') }),
      'T',
    );
    expect([run.status, run.context.bookmarks.size]).toEqual(['Faulted', 0]);
    expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
  });

  it('ending one branch restores no others', async () => {
    const { run, mostAtOnce } = await resumed(fork('F', [event('stop'), branches()]), 'stop');
    expect([run.status, run.context.contexts.size]).toEqual(['Suspended', 3 + items.length]);
    expect(mostAtOnce).toBeLessThan(10);
  });

  it('a loop in a flowchart restores no branches until one reaches a join', async () => {
    const root = flow(
      'C',
      [act('Fork', 'start'), event('stop'), event('after'), branches(), join('J')],
      ['start->stop', 'start->P', 'stop->after', 'after->J', 'P->J'],
    );
    const { run, mostAtOnce } = await resumed(root, 'stop');
    expect([run.status, run.context.contexts.size]).toEqual(['Suspended', 4 + items.length]);
    expect([run.reads < 20, mostAtOnce < 20]).toEqual([true, true]);
  });

  it('a cancellation during the restoring ends the instance', async () => {
    const root = fork('F', [event('stop'), branches()], 'WaitAny');
    const { run } = await resumed(root, 'stop', ({ context }) => context.cancel());
    expect([run.status, run.context.contexts.size, run.context.bookmarks.size]).toEqual(['Cancelled', 0, 0]);
  });
});

it('what a fault leaves at rest is restored part by part before it is stored', async () => {
  let seen = 0;
  let mostAtOnce = 0;
  const look = (): void => {
    mostAtOnce = Math.max(mostAtOnce, TestPart.reads - seen);
    seen = TestPart.reads;
  };
  const test = new WorkflowTest({ yield: async () => look() });
  const { runner } = test;
  const begun = await test.start(fork('F', [seq('S', [event('stop'), fault('bad')]), branches()]));
  const { id } = begun.bookmarks.find(({ activityId }) => activityId === 'stop')!;
  const before = begun.state;
  const request = { graph: begun.graph, instanceId: 'instance', bookmarkId: id };
  const wec = await runner.run({ ...request, state: atRest(before) });
  expect([wec.subStatus, wec.contexts.awake().length]).toEqual(['Faulted', 4]);
  [seen, mostAtOnce] = [TestPart.reads, 0];
  const state = await runner.extractPaced(wec);
  look();
  expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
  expect(state.activityExecutionContexts).toHaveLength(5 + items.length);
  const whole = await runner.run({ ...request, state: before });
  const ids = (of: WorkflowState): string[] => of.activityExecutionContexts.map((context) => context.id);
  expect(ids(state)).toEqual(ids(runner.extract(whole)));
});
