import type { ActivityJson } from '../definitions/workflow-definition.js';
import { W, act, event, fault, seq } from '../execution/testing/build-definition.js';
import { runWorkflow, type TestInstance } from '../execution/testing/run-workflow.js';

const RETRY = { retryPolicy: { maxAttempts: 2, delay: '00:00:01' } };
const timed = (json: ActivityJson, custom: Record<string, unknown> = RETRY): ActivityJson => ({
  ...json,
  customProperties: { timeout: '01:00:00', ...custom },
});
const tryIt = (id: string, body: ActivityJson, members: Record<string, unknown> = {}) =>
  act('Waymark.Try', id, { body, ...members });
const step = (id: string, body: ActivityJson = W(id), undo: ActivityJson | undefined = W(`u-${id}`)) =>
  act('Waymark.Compensable', id, { body, undo });
const named = (run: TestInstance, name: string) => run.bookmarks.find((b) => b.name === name)!;
const expire = (run: TestInstance) => run.run({ bookmarkId: named(run, 'Waymark.Timeout').id });
const retry = (run: TestInstance) => run.run({ bookmarkId: named(run, 'Waymark.Retry').id });
const endOf = (run: TestInstance) => [run.status, run.lines, run.state.incidents.map((i) => i.activityId)];
const booking = (undo?: ActivityJson) => seq('B', [step('Book', W('book'), undo ?? W('release')), event('Paid')]);
const code = W('code', (s) => String((s.getVariable('Error') as { code: string } | null)?.code));

describe.each([
  ['stored', {}],
  ['resting', { rests: true }],
  ['in one context', { isStored: false }],
])('a scope that has timed out (%s)', (_, options) => {
  const start = (root: ActivityJson) => runWorkflow(seq('Root', [root, W('end')]), options);
  it('undoes its steps and runs its finally before it is tried again', async () => {
    const run = await start(timed(tryIt('T', booking(), { finally: code })));
    await expire(run);
    expect(run.lines).toEqual(['book', 'release', 'WM2060']);
    await retry(run);
    await run.trigger('Paid');
    expect(endOf(run)).toEqual(['Finished', ['book', 'release', 'WM2060', 'book', 'undefined', 'end'], []]);
  });

  it('waits for its undos before it is tried again', async () => {
    const run = await start(timed(tryIt('T', booking(seq('U', [event('Released'), W('release')])))));
    await expire(run);
    expect(run.waitingAt()).toEqual(['Released']);
    await run.trigger('Released');
    expect([run.lines, run.bookmarks.map(({ name }) => name)]).toEqual([['book', 'release'], ['Waymark.Retry']]);
    await retry(run);
    await expire(run);
    await run.trigger('Released');
    expect(endOf(run)).toEqual(['Faulted', ['book', 'release', 'book', 'release'], ['T']]);
  });

  it('hands the error to the scope around it when it has cleaned up, and its own catch does not see it', async () => {
    const inner = timed(tryIt('T', booking(), { catch: W('not here'), finally: W('f') }), {});
    const run = await start(tryIt('Outer', inner, { catch: code }));
    await expire(run);
    expect(endOf(run)).toEqual(['Finished', ['book', 'release', 'f', 'WM2060', 'end'], []]);
  });

  it('fails with its timeout instead of its catch when it was about to handle an error', async () => {
    const failing = seq('B', [step('Book', W('book'), seq('U', [event('Released'), W('release')])), fault('F')]);
    const scope = timed(tryIt('T', seq('W', [event('E'), failing]), { catch: W('caught'), finally: code }));
    const run = await start(scope);
    await run.trigger('E');
    await expire(run);
    await run.trigger('Released');
    expect([run.lines, run.bookmarks.map(({ name }) => name)]).toEqual([
      ['book', 'release', 'WM2060'],
      ['Waymark.Retry'],
    ]);
  });

  it('leaves to the scope around it what its finally has completed', async () => {
    const scope = timed(tryIt('T', W('b'), { finally: seq('F', [step('Note'), event('E')]) }));
    const run = await start(tryIt('Outer', seq('O', [scope, fault('F1')]), { catch: W('caught') }));
    await expire(run);
    await retry(run);
    await run.trigger('E');
    expect(endOf(run)).toEqual(['Finished', ['b', 'Note', 'b', 'Note', 'u-Note', 'u-Note', 'caught', 'end'], []]);
  });

  it('may be a Compensable, whose inner steps are undone', async () => {
    const run = await start(tryIt('Outer', timed(step('C', booking())), { finally: W('f') }));
    await expire(run);
    expect([run.lines, run.bookmarks.map(({ name }) => name)]).toEqual([['book', 'release'], ['Waymark.Retry']]);
    await retry(run);
    await expire(run);
    expect(endOf(run)).toEqual(['Faulted', ['book', 'release', 'book', 'release', 'f'], ['Outer']]);
  });
});

describe.each(['Waymark.Compensate', 'Waymark.Confirm'])('a %s that has timed out', (type) => {
  const waiting = seq('U', [event('Released'), W('release')]);
  const both = [step('One', W('one'), W('first')), act('Waymark.Compensable', 'Two', { body: W('two') })];
  const root = (custom: Record<string, unknown>) => {
    const branches = { undo: waiting, confirm: waiting };
    const steps = type === 'Waymark.Confirm' ? [{ ...both[0]!, confirm: W('first') }, both[1]!] : both;
    const [one, two] = steps.map((each) => (each.id === 'Two' ? { ...each, ...branches } : each));
    // What it begins with is the one that waits.
    const order = type === 'Waymark.Confirm' ? [two!, one!] : [one!, two!];
    const body = seq('B', [...order, timed(act(type, 'X'), custom), W('after')]);
    return seq('Root', [tryIt('T', body, { catch: W('caught'), finally: W('f') }), W('end')]);
  };

  it('fails though what it waits for does not end', async () => {
    const run = await runWorkflow(root({}));
    expect(run.waitingAt()).toEqual(['Released', 'X']);
    await expire(run);
    await run.trigger('Released');
    expect(run.lines).toContain('caught');
    expect([run.lines.includes('after'), run.lines.filter((text) => text === 'release')]).toEqual([false, ['release']]);
    expect(run.status).toBe('Finished');
  });

  it('does the rest when it is tried again', async () => {
    const run = await runWorkflow(root(RETRY));
    await expire(run);
    expect(run.bookmarks.map(({ name }) => name).sort()).toEqual(['Elsa.Event', 'Waymark.Retry']);
    await retry(run);
    await run.trigger('Released');
    expect([run.status, run.lines.slice(2).sort()]).toEqual(['Finished', ['after', 'end', 'f', 'first', 'release']]);
  });
});

describe('a scope that has timed out and is cancelled', () => {
  it.each([false, true])('undoes its steps nevertheless (at rest: %s)', async (rests) => {
    const scope = timed(tryIt('T', booking(seq('U', [event('Released'), W('release')])), { finally: W('f') }));
    const run = await runWorkflow(seq('Root', [scope, W('end')]), { rests });
    await expire(run);
    await run.run({ bookmarkId: run.bookmarks[0]!.id, onBegin: (wec) => wec.cancel() });
    expect(endOf(run)).toEqual(['Cancelled', ['book', 'release', 'f'], []]);
  });

  it.each([{}, RETRY])('is not tried again and does not fail where it is a Compensable (%j)', async (custom) => {
    const scope = timed(step('C', booking(seq('U', [event('Released'), W('release')]))), custom);
    const run = await runWorkflow(seq('Root', [scope, W('end')]));
    await expire(run);
    await run.run({ bookmarkId: run.bookmarks[0]!.id, onBegin: (wec) => wec.cancel() });
    expect([...endOf(run), run.waitingAt()]).toEqual(['Cancelled', ['book', 'release'], [], []]);
  });

  it('is not tried again where its timer was still there', async () => {
    const scope = timed(tryIt('T', booking(seq('U', [event('Released'), W('release')]))));
    const run = await runWorkflow(seq('Root', [scope, W('end')]));
    await run.run({
      bookmarkId: run.bookmarks.find(({ activityId }) => activityId === 'Paid')!.id,
      onBegin: (wec) => wec.cancel(),
    });
    await expire(run);
    expect(run.waitingAt()).toEqual(['Released']);
    await run.trigger('Released');
    expect(endOf(run)).toEqual(['Cancelled', ['book', 'release'], []]);
  });
});
