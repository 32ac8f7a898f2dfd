import { serialize } from '../values/storage-codec.js';
import { eachInParts } from './in-parts.js';
import { extractInParts, extractState } from './extract-state.js';
import { restoreInParts } from './restore-state.js';
import { event, parallelForEach, seq, W } from './testing/build-definition.js';
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

  it('is taken to be stored in parts, as if it had been taken at once', async () => {
    const { pause, count } = pauses();
    expect(serialize(await extractInParts(run.context, pause))).toBe(serialize(extractState(run.context)));
    expect(count()).toBeGreaterThan(5);
  });

  it('is restored in parts, as if it had been restored at once', async () => {
    const { runner } = run.test;
    const wec = new WorkflowExecutionContext('instance', run.graph, runner.engine, runner.invoker);
    const { pause, count } = pauses();
    await restoreInParts(wec, run.state, runner.types, pause);
    expect(serialize(extractState(wec))).toBe(serialize(run.state));
    expect(count()).toBeGreaterThan(5);
  });

  it('ends as it would have ended', async () => {
    await run.run({ bookmarkId: run.bookmarks[700]!.id });
    expect(run.lines).toHaveLength(1);
    expect(run.bookmarks).toHaveLength(items.length - 1);
  });

  it('is not changed by a cancellation while it is taken: that follows on what was stored', async () => {
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

it('a short list is processed without a pause, and a long one in order', async () => {
  const { pause, count } = pauses();
  const seen: number[] = [];
  await eachInParts(items.slice(0, 500), (item) => seen.push(item), pause);
  expect([seen.length, count()]).toEqual([500, 0]);
  await eachInParts(items.slice(500), (item) => seen.push(item), pause);
  expect(seen).toEqual(items);
});
