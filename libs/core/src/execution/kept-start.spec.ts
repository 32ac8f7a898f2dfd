import { describe, expect, it } from '@jest/globals';
import { Activity } from '../activities/decorators.js';
import { type ActivityJson } from '../definitions/workflow-definition.js';
import type { WorkflowState } from '../state/workflow-state.js';
import { deserialize, serialize } from '../values/storage-codec.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, event, flow, fork, seq, W, whileLoop, workflow } from './testing/build-definition.js';
import { type TestInstance, WorkflowTest } from './testing/run-workflow.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

const seen: unknown[] = [];

/** Fails as often as it says, and notes the input of its burst. */
@Activity({ type: 'App.Fails' })
class Fails extends ActivityBase {
  static times = 1;
  execute(ctx: ActivityExecutionContext): void {
    seen.push(ctx.input.Payload);
    if (Fails.times-- > 0) throw new Error('not yet');
  }
}

/** Notes by which trigger its burst was started. */
@Activity({ type: 'App.StartedBy' })
class StartedBy extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    seen.push(`started by ${ctx.workflow.triggerActivityId}`);
  }
}

const RETRY = { retryPolicy: { maxAttempts: 3, delay: '00:00:01' } };
const tryIt = (body: ActivityJson, more: Record<string, unknown> = RETRY) =>
  act('Waymark.Try', 'T', { body, finally: W('end') }, more);
const started = (...after: ActivityJson[]) => seq('S', [event('E', { start: true }), act('App.Fails', 'F'), ...after]);
const START = { triggerActivityId: 'E', input: { Payload: 'first' } };

async function start(root: ActivityJson, times = 1, rests = false): Promise<TestInstance> {
  seen.length = 0;
  Fails.times = times;
  return new WorkflowTest({ activities: [Fails, StartedBy], rests }).start(workflow(root), START);
}
const retry = (run: TestInstance) =>
  run.run({ bookmarkId: run.bookmarks.find(({ name }) => name === 'Waymark.Retry')!.id });
const kept = ({ state: { triggerActivityId, input } }: TestInstance) => [triggerActivityId, input];

/** What the host stores when a burst is long, after its first activity. */
async function storedHalfway(run: TestInstance, activityId: string, input = {}): Promise<WorkflowState> {
  let halfway: WorkflowState | undefined;
  const onCheckpoint = async (wec: WorkflowExecutionContext): Promise<void> => {
    wec.burstId = 'burst';
    wec.keepsInput = true;
    halfway ??= deserialize<WorkflowState>(serialize(run.test.runner.extract(wec)));
  };
  const { id: bookmarkId } = run.bookmarks.find((bookmark) => bookmark.activityId === activityId)!;
  await run.run({ bookmarkId, input, checkpointEvery: 1, onCheckpoint });
  return halfway!;
}

describe('a start by a trigger within which something fails', () => {
  it.each([false, true])(
    'passes its trigger again, with its input, when it is retried (at rest: %s)',
    async (rests) => {
      const run = await start(tryIt(started(W('after'))), 2, rests);
      for (let attempt = 0; attempt < 2; attempt++) {
        expect([run.status, ...kept(run)]).toEqual(['Suspended', 'E', { Payload: 'first' }]);
        await retry(run);
      }
      expect([run.status, run.lines, seen, ...kept(run)]).toEqual([
        'Finished',
        ['end', 'end', 'after', 'end'],
        ['first', 'first', 'first'],
        undefined,
        {},
      ]);
    },
  );

  it('begins at the trigger of its flowchart again', async () => {
    const body = flow(
      'C',
      [W('other'), event('E', { start: true }), act('App.Fails', 'F'), W('after')],
      ['E->F', 'F->after'],
    );
    const run = await start(tryIt({ ...body, start: 'other' } as ActivityJson));
    await retry(run);
    expect([run.status, run.lines]).toEqual(['Finished', ['end', 'after', 'end']]);
  });

  it('leaves its trigger and its input to the retry when another branch continues before', async () => {
    const other = seq('O', [event('Other'), act('App.Fails', 'G')]);
    const run = await start(fork('K', [tryIt(started()), other]));
    await run.trigger('Other', 'other');
    expect([run.status, ...kept(run)]).toEqual(['Suspended', 'E', { Payload: 'first' }]);
    await retry(run);
    expect([run.status, seen]).toEqual(['Finished', ['first', 'other', 'first']]);
  });

  it('is left to the retry by a burst of another branch that another node continues', async () => {
    const other = seq('O', [event('Other'), act('App.Fails', 'G'), act('App.StartedBy', 'H')]);
    const run = await start(fork('K', [tryIt(started()), other]));
    const halfway = await storedHalfway(run, 'Other', { Payload: 'other' });
    run.edit((state) => Object.assign(state, halfway));
    seen.length = 0;
    await run.run({});
    // Its own input, as well: F fails before the burst is stored for the first time, and G is the first that it runs afterwards.
    expect([seen, ...kept(run)]).toEqual([['other', 'started by undefined'], 'E', { Payload: 'first' }]);
    await retry(run);
    expect([run.status, seen.at(-1)]).toEqual(['Finished', 'first']);
  });

  it.each([2, 3])(
    'leaves its own input to a burst of another branch beside which it is retried (failures: %j)',
    async (times) => {
      const other = seq('O', [event('Other'), W('o'), act('App.Fails', 'G'), act('App.StartedBy', 'H')]);
      const run = await start(fork('K', [tryIt(started()), other]), times);
      Fails.times = 0;
      const halfway = await storedHalfway(run, 'Other', { Payload: 'other' });
      run.edit((state) => Object.assign(state, halfway));
      Fails.times = times - 2;
      await retry(run);
      Fails.times = 0;
      seen.length = 0;
      await run.run({});
      expect(seen).toEqual(['other', 'started by undefined']);
      if (times === 3) await retry(run);
      expect(run.status).toBe('Finished');
    },
  );

  it('is left to the retry by resumes of other branches that share a burst, each with its own input', async () => {
    const branch = (id: string) =>
      seq(`S${id}`, [event(id), act('App.Fails', `F${id}`), act('App.StartedBy', `B${id}`)]);
    const run = await start(fork('K', [tryIt(started()), branch('P'), branch('Q')]));
    seen.length = 0;
    await run.trigger('P', 'p');
    const { id } = run.bookmarks.find(({ activityId }) => activityId === 'Q')!;
    await run.resumeNext(id, { Payload: 'q' });
    expect([seen, ...kept(run)]).toEqual([
      ['p', 'started by undefined', 'q', 'started by undefined'],
      'E',
      { Payload: 'first' },
    ]);
    await retry(run);
    expect([run.status, seen.at(-1)]).toEqual(['Finished', 'first']);
  });

  it('is not kept by such a burst for what fails after the retry was given up', async () => {
    // The race ends the Try that waits for its retry; then a loop begins it again, and it fails again.
    const scope = tryIt(seq('B', [event('E', { start: true }), act('App.Fails', 'F')]));
    const root = whileLoop('L', true, seq('S', [fork('K', [scope, event('P')], 'WaitAny'), event('Q')]));
    const run = await start(root, 3);
    expect(kept(run)).toEqual(['E', { Payload: 'first' }]);
    await run.trigger('P');
    await run.resumeNext(run.bookmarks.find(({ activityId }) => activityId === 'Q')!.id);
    await run.trigger('E', 'second');
    expect(kept(run)).toEqual([undefined, {}]);
  });

  it('is known as repeated to a node that takes its retry over', async () => {
    const again: boolean[] = [];
    const run = await start(tryIt(seq('S', [W('before'), event('E', { start: true }), act('App.Fails', 'F')])));
    const halfway = await storedHalfway(run, 'T');
    run.edit((state) => Object.assign(state, halfway));
    await run.run({ onBegin: (wec) => again.push(wec.repeatsStart) });
    expect([run.status, again]).toEqual(['Finished', [true]]);
  });

  it('is not kept where what failed comes after the trigger', async () => {
    const root = seq('S', [event('E', { start: true }), act('App.Fails', 'F', {}, RETRY)]);
    const run = await start(root);
    expect([run.status, ...kept(run)]).toEqual(['Suspended', undefined, {}]);
    await retry(run);
    expect([run.status, seen]).toEqual(['Finished', ['first', undefined]]);
  });
});
