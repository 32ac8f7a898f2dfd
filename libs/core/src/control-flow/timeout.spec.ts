import { W, act, event, lit, parallel, seq } from '../execution/testing/build-definition.js';
import { runWorkflow, type TestInstance } from '../execution/testing/run-workflow.js';
import type { ActivityJson } from '../definitions/workflow-definition.js';

const tryIt = (body: ActivityJson, members: Record<string, unknown> = {}) =>
  act('Waymark.Try', 'T', { body, ...members });
const timeout = (body: ActivityJson, span: unknown = '00:05:00') =>
  act('Waymark.Timeout', 'Limit', { body, timeSpan: lit(span) });
const timed = (json: ActivityJson, span: unknown, custom = {}) => ({
  ...json,
  customProperties: { ...custom, timeout: span },
});
const code = W('code', (s) => String((s.getVariable('Error') as { code: string }).code));
const timer = (run: TestInstance) => run.bookmarks.find((b) => b.name === 'Waymark.Timeout');
const expire = (run: TestInstance) => run.run({ bookmarkId: timer(run)!.id });
const MINUTES_5 = 300_000;

describe('Timeout', () => {
  it('cancels its body with an error that can be caught', async () => {
    const run = await runWorkflow(
      seq('S', [tryIt(timeout(parallel('P', [event('E'), W('w')])), { catch: code }), W('z')]),
    );
    expect(timer(run)!.dueAt!.getTime() - timer(run)!.createdAt.getTime()).toBeLessThanOrEqual(MINUTES_5);
    expect(run.bookmarks).toHaveLength(2);
    await expire(run);
    expect([run.status, run.lines, run.bookmarks]).toEqual(['Finished', ['w', 'WM2060', 'z'], []]);
  });

  it('leaves no timer when the body is done in time', async () => {
    const run = await runWorkflow(seq('S', [timeout(event('E')), event('F')]));
    await run.trigger('E');
    expect(run.waitingAt()).toEqual(['F']);
    expect((await runWorkflow(timeout(W('w')))).status).toBe('Finished');
    expect((await runWorkflow(act('Waymark.Timeout', 'L', { timeSpan: lit('00:01:00') }))).bookmarks).toEqual([]);
  });

  it('lets the body clean up before the error is caught', async () => {
    const inner = act('Waymark.Try', 'I', { body: event('E'), finally: seq('F', [event('G'), W('f')]) });
    const run = await runWorkflow(tryIt(timeout(inner), { catch: code }));
    await expire(run);
    expect(run.waitingAt()).toEqual(['G']);
    await run.trigger('G');
    expect([run.status, run.lines]).toEqual(['Finished', ['f', 'WM2060']]);
    const uncaught = await runWorkflow(timeout(act('Waymark.Try', 'I', { body: event('E'), finally: W('f2') })));
    await expire(uncaught);
    expect([uncaught.status, uncaught.lines]).toEqual(['Faulted', ['f2']]);
  });

  it.each([null, 'soon', '00:00:00', '-00:01:00'])('refuses %j', async (span) => {
    const run = await runWorkflow(timeout(W('w'), span));
    expect(run.state.incidents[0]!.exception!.type).toMatch(/WorkflowExecutionError|InputEvaluationError/);
  });
});

describe('the custom property timeout', () => {
  it('ends an activity that waits too long', async () => {
    const run = await runWorkflow(timed(event('E'), '00:05:00'));
    expect(run.bookmarks.map((b) => b.name)).toEqual(['Elsa.Event', 'Waymark.Timeout']);
    await expire(run);
    expect([run.status, run.bookmarks]).toEqual(['Faulted', []]);
    expect(run.state.incidents[0]!).toMatchObject({ activityId: 'E', exception: { metadata: { code: 'WM2060' } } });
  });

  it('does not count as a wait: containers complete as usual', async () => {
    const run = await runWorkflow(seq('S', [timed(parallel('P', [event('E'), event('F')]), '00:05:00'), W('z')]));
    await run.trigger('E');
    expect(run.bookmarks.map((b) => b.name)).toEqual(['Waymark.Timeout', 'Elsa.Event']);
    await run.trigger('F');
    expect([run.status, run.lines]).toEqual(['Finished', ['z']]);
    expect((await runWorkflow(timed(W('w'), '00:05:00'))).bookmarks).toEqual([]);
  });

  it('starts again for each attempt', async () => {
    const policy = { retryPolicy: { maxAttempts: 2, delay: '00:00:01' } };
    const run = await runWorkflow(timed(event('E'), '00:05:00', policy));
    const first = timer(run)!.id;
    await expire(run);
    expect(run.bookmarks.map((b) => b.name)).toEqual(['Waymark.Retry']);
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    expect(timer(run)!.id).not.toBe(first);
    await run.trigger('E');
    expect(run.status).toBe('Finished');
  });

  it('stays one over several waits of one execution', async () => {
    const run = await runWorkflow(timed(seq('S', [event('E'), event('F')]), '00:05:00'));
    const { id } = timer(run)!;
    await run.trigger('E');
    expect(timer(run)!.id).toBe(id);
    await expire(run);
    expect([run.status, run.bookmarks]).toEqual(['Faulted', []]);
  });
});
