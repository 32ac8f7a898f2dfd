import { Activity, Port } from '../activities/decorators.js';
import type { ActivityJson } from '../definitions/workflow-definition.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { recoverFromFault } from '../execution/activity-invoker.js';
import { W, act, event, flow, forLoop, fork, iff, join, seq, workflow } from '../execution/testing/build-definition.js';
import { runWorkflow, type TestInstance } from '../execution/testing/run-workflow.js';

const RETRY = { retryPolicy: { maxAttempts: 3, delay: '00:00:01' } };
const timed = (json: ActivityJson, custom: Record<string, unknown> = RETRY): ActivityJson => ({
  ...json,
  customProperties: { timeout: '01:00:00', ...custom },
});
const named = (run: TestInstance, name: string) => run.bookmarks.find((b) => b.name === name)!;
const expire = (run: TestInstance) => run.run({ bookmarkId: named(run, 'Waymark.Timeout').id });
const retry = (run: TestInstance) => run.run({ bookmarkId: named(run, 'Waymark.Retry').id });
const events = (run: TestInstance) =>
  run.bookmarks
    .filter(({ name }) => name === 'Elsa.Event')
    .map(({ activityId }) => activityId)
    .sort();

/** @param first in the list of transitions */
const machine = (...first: object[]): ActivityJson =>
  act('StateMachine', 'M', {
    states: [
      { name: 'A', entry: event('Enter'), exit: event('Exit') },
      { name: 'B', entry: event('Last') },
    ],
    transitions: [...first, { from: 'A', to: 'B', trigger: event('Go'), action: event('Act') }],
  });

it('a container that timed out takes the incident of what had failed in it along', async () => {
  let isDown = true;
  const call = act('Inline', 'C', {
    run: () => {
      if (isDown) throw new Error('down');
    },
  });
  const options = { incidentStrategyType: 'ContinueWithIncidents' };
  const run = await runWorkflow(workflow(timed(seq('S', [call, W('after')])), { options }));
  expect(run.state.incidents.map(({ activityId }) => activityId)).toEqual(['C']);
  isDown = false;
  await expire(run);
  await retry(run);
  expect([run.status, run.lines, run.state.incidents, run.context.rootContext!.faultCount]).toEqual([
    'Finished',
    ['after'],
    [],
    0,
  ]);
});

/** As an alteration does: from what was stored, the failed execution runs again. */
async function repair(run: TestInstance): Promise<void> {
  await run.run({
    isChange: true,
    onBegin: (wec) => {
      wec.reopen();
      for (const ctx of wec.faultedContexts()) {
        recoverFromFault(ctx);
        wec.queue.add({ node: ctx.node, existing: ctx });
      }
    },
  });
}

/** Breaks the first time, and waits for what cleans up meanwhile. */
function breaksOnce(): ActivityJson {
  let isBroken = false;
  const first = () => !isBroken && (isBroken = true);
  const cleaning = act('Waymark.Try', 'T', { body: event('E'), finally: event('G') });
  return act('Waymark.Compensable', 'C', { body: fork('Inner', [cleaning, iff('If', first, act('Break', 'B'))]) });
}

describe.each([
  ['stored', {}],
  ['resting', { rests: true }],
  ['in one context', { isStored: false }],
])('a container that has timed out and is tried again (%s)', (_, options) => {
  const start = (root: ActivityJson) => runWorkflow(seq('Root', [root, W('end')]), options);
  const endOf = (run: TestInstance) => [run.status, run.lines];

  it('is a sequence that runs the step again at which it was', async () => {
    const run = await start(timed(seq('S', [W('a'), event('A'), event('B'), W('z')])));
    await run.trigger('A');
    for (let attempt = 1; attempt < 3; attempt++) {
      await expire(run);
      await retry(run);
      expect([events(run), run.lines]).toEqual([['B'], ['a']]);
    }
    await run.trigger('B');
    expect(endOf(run)).toEqual(['Finished', ['a', 'z', 'end']]);
  });

  it('is a For that repeats its number', async () => {
    const body = seq('Body', [event('B'), W('w', (s) => String(s.getVariable('CurrentValue')))]);
    const run = await start(timed(forLoop('L', 1, 3, body)));
    await run.trigger('B');
    await expire(run);
    await retry(run);
    for (let number = 2; number <= 3; number++) await run.trigger('B');
    expect(endOf(run)).toEqual(['Finished', ['1', '2', '3', 'end']]);
  });

  it('is a flowchart that counts no visits of the attempt that failed', async () => {
    const all = [W('s'), event('A'), event('B'), join('J', 'WaitAll'), W('z')];
    const run = await start(timed(flow('F', all, ['s->A', 's->B', 'A->J', 'B->J', 'J->z'])));
    await run.trigger('A');
    await expire(run);
    await retry(run);
    await run.trigger('B');
    expect([events(run), run.lines]).toEqual([['A'], ['s', 's']]);
    await run.trigger('A');
    expect(endOf(run)).toEqual(['Finished', ['s', 's', 'z', 'end']]);
  });

  it.each([
    ['entry', []],
    ['trigger', ['Enter']],
    ['action', ['Enter', 'Go']],
    ['exit', ['Enter', 'Go', 'Act']],
    ['next entry', ['Enter', 'Go', 'Act', 'Exit']],
  ])('is a state machine that repeats its %s', async (_name, before) => {
    const run = await start(timed(machine()));
    const all = ['Enter', 'Go', 'Act', 'Exit', 'Last'];
    for (const name of before) await run.trigger(name);
    for (let attempt = 1; attempt < 3; attempt++) {
      await expire(run);
      await retry(run);
      expect(events(run)).toEqual([all[before.length]]);
    }
    for (const name of all.slice(before.length)) await run.trigger(name);
    expect(endOf(run)).toEqual(['Finished', ['end']]);
  });

  // The sequence around it has heard of the Break, which no loop has stopped, and ends when this branch has.
  it.each([
    ['sequence', () => seq('S', [breaksOnce(), W('z')])],
    ['fork', () => fork('F', [breaksOnce(), seq('S', [event('H'), W('z')])])],
  ])('is a %s that forgets a Break of the attempt that failed', async (_name, container) => {
    const run = await start(timed(container()));
    await expire(run);
    await run.trigger('G');
    await retry(run);
    await run.trigger('E');
    await run.trigger('G');
    if (events(run).includes('H')) await run.trigger('H');
    expect(endOf(run)).toEqual(['Finished', ['z']]);
  });
});

/** Cleans up by itself. */
@Activity({ type: 'App.Cleans' })
class Cleans extends ActivityBase {
  @Port() body: ActivityNode | undefined;
  private error: Error;
  execute(ctx: ActivityExecutionContext): unknown {
    return ctx.schedule(this.body);
  }
  override onTimedOut(_ctx: ActivityExecutionContext, error: Error): boolean {
    this.error = error;
    return true;
  }
  override onCleanedUp(): void {
    throw this.error;
  }
}

describe('a container that has timed out and is tried again', () => {
  it('has as much time again where it has cleaned up by itself', async () => {
    const root = timed(act('App.Cleans', 'C', { body: event('E') }));
    const run = await runWorkflow(root, { activities: [Cleans] });
    for (let attempt = 1; attempt < 3; attempt++) {
      await expire(run);
      await retry(run);
    }
    await expire(run);
    expect([run.status, run.state.incidents.map(({ activityId }) => activityId)]).toEqual(['Faulted', ['C']]);
  });

  it.each([false, true])(
    'is a flowchart that begins at the trigger that has started it (at rest: %s)',
    async (rests) => {
      const all = [event('Other', { start: true }), event('E', { start: true }), event('A'), W('z')];
      const drawn = timed(flow('F', all, ['Other->z', 'E->A', 'A->z']));
      const run = await runWorkflow(drawn, { rests, request: { triggerActivityId: 'E' } });
      expect(events(run)).toEqual(['A']);
      await expire(run);
      await retry(run);
      expect(events(run)).toEqual(['E']);
      await run.trigger('E');
      await run.trigger('A');
      expect([run.status, run.lines]).toEqual(['Finished', ['z']]);
    },
  );

  it('is a For that repeats no number beyond which a node of the version before has gone', async () => {
    const body = seq('Body', [event('B'), W('w', (s) => String(s.getVariable('CurrentValue')))]);
    const run = await runWorkflow(timed(forLoop('L', 1, 3, body)));
    await expire(run);
    await retry(run);
    // It has left the note behind.
    run.edit(({ activityExecutionContexts }) => {
      const loop = activityExecutionContexts.find(({ scheduledActivityNodeId }) =>
        scheduledActivityNodeId.endsWith(':L'),
      )!;
      Object.assign(loop.properties, { CurrentStep: 2, RepeatsStep: 1 });
    });
    await run.trigger('B');
    await run.trigger('B');
    expect([run.status, run.lines.at(-1)]).toEqual(['Finished', '3']);
  });

  it('is a state machine that repeats its action in a version with other transitions', async () => {
    const run = await runWorkflow(timed(machine()));
    for (const name of ['Enter', 'Go']) await run.trigger(name);
    await expire(run);
    const other = timed(machine({ from: 'B', to: 'A', trigger: event('Back') }));
    const { run: moved, report } = run.migrate(workflow(other, { id: 'test-v2', version: 2 }));
    expect(report.isPossible).toBe(true);
    await retry(moved);
    expect(events(moved)).toEqual(['Act']);
    for (const name of ['Act', 'Exit', 'Last']) await moved.trigger(name);
    expect(events(moved)).toEqual(['Back']);
  });
});

describe('a container that has timed out and is repaired by hand', () => {
  const options = { incidentStrategyType: 'ContinueWithIncidents' };

  it.each([false, true])('runs the step again at which it was (at rest: %s)', async (rests) => {
    const root = fork('Root', [timed(seq('S', [event('A'), event('B'), W('z')]), {}), event('C')]);
    const run = await runWorkflow(workflow(root, { options }), { rests });
    await run.trigger('A');
    await expire(run);
    await repair(run);
    expect(events(run)).toEqual(['B', 'C']);
    await run.trigger('B');
    await run.trigger('C');
    expect([run.status, run.lines]).toEqual(['Finished', ['z']]);
  });

  it('repeats a number once, the first one as well', async () => {
    const said = W('w', (s) => String(s.getVariable('CurrentValue')));
    const loop = timed(forLoop('L', 1, 2, seq('Body', [event('B'), said])), {});
    const run = await runWorkflow(workflow(fork('Root', [loop, event('C')]), { options }));
    await expire(run);
    await repair(run);
    for (let number = 1; number <= 2; number++) await run.trigger('B');
    await run.trigger('C');
    expect([run.status, run.lines]).toEqual(['Finished', ['1', '2']]);
  });
});
