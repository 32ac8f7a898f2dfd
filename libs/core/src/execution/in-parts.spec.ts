import { serialize } from '../values/storage-codec.js';
import { Activity } from '../activities/decorators.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { eachInParts } from '../values/in-parts.js';
import { extractInParts, extractState } from './extract-state.js';
import { restoreInParts } from './restore-state.js';
import { act, event, parallelForEach, seq, W } from './testing/build-definition.js';
import { type TestInstance, WorkflowTest } from './testing/run-workflow.js';
import { WorkflowExecutionContext } from './workflow-execution-context.js';

const items = Array.from({ length: 1500 }, (_, i) => i);

/** Counts its pauses, and does something in the first one. */
function pauses(meanwhile?: () => void) {
  let count = 0;
  const pause = async (): Promise<void> => {
    if (++count === 1) meanwhile?.();
  };
  return { pause, count: () => count };
}

describe('a large instance', () => {
  // One for all: to start it takes a second or two. It is as good after a bookmark was resumed, and the last one cancels it.
  let run: TestInstance;
  beforeAll(async () => {
    const test = new WorkflowTest();
    run = await test.start(seq('S', [parallelForEach('P', items, seq('B', [event('E'), W('w')])), W('end')]));
  });

  it('is prepared for storage in parts with the same result as at once', async () => {
    const { pause, count } = pauses();
    expect(serialize(await extractInParts(run.context, pause))).toBe(serialize(extractState(run.context)));
    expect(count()).toBeGreaterThan(5);
  });

  it('is restored in parts with the same result as at once', async () => {
    const { runner } = run.test;
    const wec = new WorkflowExecutionContext('instance', run.graph, runner.engine, runner.invoker);
    const { pause, count } = pauses();
    await restoreInParts(wec, run.state, runner.types, pause);
    expect(serialize(extractState(wec))).toBe(serialize(run.state));
    expect(count()).toBeGreaterThan(5);
  });

  it('ends in the same way as a small one', async () => {
    await run.run({ bookmarkId: run.bookmarks[700]!.id });
    expect(run.lines).toHaveLength(1);
    expect(run.bookmarks).toHaveLength(items.length - 1);
  });

  it('is not changed by a cancellation while it is prepared for storage: the cancellation is applied to the stored state', async () => {
    const before = serialize(run.state);
    const { pause } = pauses(() => {
      run.context.cancel({ isAbandoned: true });
      run.context.cancel();
    });
    expect(serialize(await extractInParts(run.context, pause))).toBe(before);
    // A deletion leaves nothing to be undone, whatever else cancels.
    expect(run.context.missedCancel).toEqual({ isAbandoned: true });
    run.context.cancel();
    expect(run.status).toBe('Cancelled');
  });
});

/** Once, when it runs first: most branches are scheduled then, and do not run yet. */
@Activity({ type: 'Test.TakesItsInstance' })
class TakesItsInstance extends ActivityBase {
  static taken: { inParts: string; atOnce: string; queued: number; pauses: number } | undefined;

  async execute({ workflow }: ActivityExecutionContext): Promise<void> {
    if (TakesItsInstance.taken) return;
    const { pause, count } = pauses();
    const atOnce = serialize(extractState(workflow));
    const inParts = serialize(await extractInParts(workflow, pause));
    TakesItsInstance.taken = { inParts, atOnce, queued: workflow.queue.size, pauses: count() };
  }
}

it('an instance with many scheduled branches is taken in parts, as if it had been taken at once', async () => {
  const test = new WorkflowTest({ activities: [TakesItsInstance] });
  await test.start(parallelForEach('P', items, act('Test.TakesItsInstance', 'T')));
  const { inParts, atOnce, queued, pauses } = TakesItsInstance.taken!;
  expect(queued).toBeGreaterThan(1000);
  expect(inParts).toBe(atOnce);
  // Of contexts, callbacks and scheduled branches; the last ones are three parts.
  expect(pauses).toBeGreaterThan(3);
});

it('the branches of a long list are scheduled in turns of the event loop, in their order', async () => {
  let turns = 0;
  const turn = async (): Promise<void> => void turns++;
  const test = new WorkflowTest({ turn });
  const body = W('B', (scope) => String(scope.getVariable('CurrentValue')));
  const run = await test.start(
    parallelForEach(
      'P',
      Array.from({ length: 3500 }, (_, i) => i),
      body,
    ),
  );
  expect(run.status).toBe('Finished');
  expect(run.lines.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 3500 }, (_, i) => i));
  const scheduling = turns;
  turns = 0;
  await test.start(parallelForEach('P', [1, 2], W('B')));
  expect([scheduling, turns]).toEqual([3, 0]);
});

it('a short list is processed without a pause, and a long one in order', async () => {
  const { pause, count } = pauses();
  const seen: number[] = [];
  await eachInParts(items.slice(0, 500), (item) => seen.push(item), pause);
  expect([seen.length, count()]).toEqual([500, 0]);
  await eachInParts(items.slice(500), (item) => seen.push(item), pause);
  expect(seen).toEqual(items);
});
