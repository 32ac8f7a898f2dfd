import { amountOf } from '../../../../test/support/depth.js';
import { restingLists } from '../state/resting-state.js';
import type { ActivityJson } from '../definitions/workflow-definition.js';
import { serialize } from '../values/storage-codec.js';
import { extractState } from './extract-state.js';
import { event, fork, parallel, parallelForEach, seq, W } from './testing/build-definition.js';
import { type TestInstance, WorkflowTest } from './testing/run-workflow.js';

const items = Array.from({ length: 200 }, (_, i) => i);

async function begun(root: ActivityJson, rests = true): Promise<TestInstance> {
  return new WorkflowTest({ rests, journal: false }).start(root);
}

describe('a burst that resumes one of many branches', () => {
  const branchesOf = (of: readonly number[]) =>
    parallelForEach('P', [...of], seq('B', [event('E'), W('w', (s) => String(s.getVariable('CurrentValue')))]));
  const branches = branchesOf(items);

  it('restores that branch, what is around it and its bookmark, and nothing else', async () => {
    const run = await begun(seq('S', [branches, W('end')]));
    const ids = run.bookmarks.map(({ id }) => id);
    // Workflow, sequence, loop, sequence of the branch, event; callbacks of four of them; the bookmark.
    expect((await run.run({ bookmarkId: ids[50]! })).reads).toBeLessThanOrEqual(12);
    // It does not depend on how many there are, or on which it is.
    expect((await run.run({ bookmarkId: ids[199]! })).reads).toBeLessThanOrEqual(12);
    expect(run.lines).toEqual(['50', '199']);
    expect(run.context.contexts.size).toBe(3 + 2 * 198);
  });

  it('leaves the state that a burst leaves which restores all of it', async () => {
    // Each of them is resumed, and each burst of the other instance restores all.
    const some = items.slice(0, amountOf(items.length, 4));
    const root = seq('S', [branchesOf(some), W('end')]);
    const [run, whole] = [await begun(root), await begun(root, false)];
    for (const index of [3, Math.floor(0.75 * some.length), 0, some.length - 1]) {
      const id = whole.bookmarks[index % whole.bookmarks.length]!.id;
      await run.run({ bookmarkId: id });
      await whole.run({ bookmarkId: id });
      expect(run.state).toEqual(whole.state);
    }
    for (const { id } of whole.bookmarks) await run.run({ bookmarkId: id });
    expect([run.status, run.lines.at(-1), run.lines.length]).toEqual(['Finished', 'end', some.length + 1]);
  });

  it('restores the others where it ends them, and records each', async () => {
    const race = fork(
      'F',
      items.map((i) => event(`E${i}`)),
      'WaitAny',
    );
    const run = await new WorkflowTest({ rests: true }).start(race);
    const bookmark = run.bookmarks[7]!;
    await run.run({ bookmarkId: bookmark.id });
    expect(run.status).toBe('Finished');
    const canceled = run.context.journal!.take().records.filter(({ status }) => status === 'Canceled');
    expect(canceled).toHaveLength(items.length - 1);
  });

  it('cancels the whole instance', async () => {
    const run = await begun(branches);
    await run.run({ bookmarkId: run.bookmarks[5]!.id });
    expect(run.context.contexts.awake().length).toBeLessThan(5);
    run.context.cancel();
    expect([run.context.contexts.size, run.context.bookmarks.size, run.status]).toEqual([0, 0, 'Cancelled']);
  });

  it('finds any execution and any bookmark by its id', async () => {
    const run = await begun(branches);
    const { activityExecutionContexts, bookmarks } = run.state;
    await run.run({ bookmarkId: bookmarks[9]!.id });
    const { context } = run;
    const other = bookmarks[100]!;
    expect(context.bookmarks.get(other.id)).toEqual(other);
    const ctx = context.contexts.get(other.activityInstanceId)!;
    expect([ctx.parent?.activityId, ctx.bookmarkIds]).toEqual(['B', new Set([other.id])]);
    expect(ctx.parent!.parent!.parent).toBe(context.rootContext);
    expect(ctx.parent!.siblings!.list()).toHaveLength(199);
    expect(context.contexts.values().map(({ id }) => id)).toEqual(
      activityExecutionContexts
        .map(({ id }) => id)
        .reverse()
        .filter((id) => context.contexts.get(id)),
    );
    expect([...context.bookmarks.keys()]).toEqual(bookmarks.map(({ id }) => id).filter((_, index) => index !== 9));
    expect([...context.bookmarks.entries()].every(([id, bookmark]) => bookmark.id === id)).toBe(true);
  });

  it('takes further resumes along as a burst does that has restored all', async () => {
    const run = await begun(branches);
    const [first, second] = run.bookmarks;
    await run.run({ bookmarkId: first!.id });
    const { runner } = run.test;
    await runner.resumeNext(run.context, { graph: run.graph, instanceId: 'instance', bookmarkId: second!.id });
    expect(run.lines).toEqual(['0', '1']);
    expect(run.context.contexts.size).toBe(2 + 2 * 198);
  });
});

describe('a state with many branches', () => {
  it('has plain lists for all who read it', async () => {
    const run = await begun(
      parallel(
        'P',
        items.map((i) => event(`E${i}`)),
      ),
    );
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    const state = extractState(run.context);
    expect(restingLists(state)?.bookmarks).toHaveLength(199);
    expect(serialize({ ...state })).toBe(serialize(run.state));
    // What was read may have been changed: from now on it is a state like any other.
    expect(restingLists(state)).toBeUndefined();
    expect(state.bookmarks).toHaveLength(199);
  });

  it('is restored as a whole by a burst without a bookmark, and for another version', async () => {
    const run = await begun(
      parallel(
        'P',
        items.map((i) => event(`E${i}`)),
      ),
    );
    await run.run({});
    expect(run.context.contexts.resting).toBeUndefined();
    expect(run.context.contexts.size).toBe(202);
  });
});
