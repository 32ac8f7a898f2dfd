import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { recoverFromFault } from './activity-invoker.js';
import { ScheduleChildSignal } from './signals.js';
import {
  W,
  act,
  chain,
  complete,
  event,
  fault,
  flow,
  forEach,
  fork,
  iff,
  parallel,
  seq,
  workflow,
} from './testing/build-definition.js';
import { runWorkflow } from './testing/run-workflow.js';

@Activity({ type: 'App.Bookmarks' })
class Bookmarks extends ActivityBase {
  @Input({ type: 'Boolean', defaultValue: true }) autoBurn: boolean;

  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ stimulus: 'a', callback: this.onResumed, autoBurn: this.autoBurn });
    ctx.createBookmark({ stimulus: 'b', callback: 'onOther' });
    ctx.createBookmark({ stimulus: 'c' });
  }

  onResumed(ctx: ActivityExecutionContext): void {
    ctx.workflow.engine.writeLine?.('resumed', ctx);
  }

  onOther(ctx: ActivityExecutionContext): void {
    ctx.workflow.engine.writeLine?.('other', ctx);
  }
}

@Activity({ type: 'App.FailsOnce' })
class FailsOnce extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ stimulus: 'a', callback: this.onFailed });
    ctx.createBookmark({ stimulus: 'b', callback: this.onGood });
  }

  onFailed(): never {
    throw new Error('The first of two answers is wrong.');
  }

  onGood(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }
}

@Activity({ type: 'App.Closure' })
class Closure extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ callback: () => {} });
  }
}

@Activity({ type: 'App.Never' })
class Never extends ActivityBase {
  override canExecute(): boolean {
    return false;
  }
  execute(): void {}
}

const activities = [Bookmarks, Closure, FailsOnce, Never];
const continues = { options: { incidentStrategyType: 'ContinueWithIncidentsStrategy' } };
const statuses = (records: { activityId: string; status: string }[]) =>
  Object.fromEntries(records.map((r) => [r.activityId, r.status]));

describe('bookmarks', () => {
  it('waits for several and burns each separately', async () => {
    const run = await runWorkflow(seq('S', [act('App.Bookmarks', 'B'), W('end')]), { activities });
    expect(run.bookmarks).toHaveLength(3);
    const [a, b] = run.bookmarks;
    await run.run({ bookmarkId: a!.id });
    await run.run({ bookmarkId: b!.id });
    expect(run.lines).toEqual(['resumed', 'other']);
    expect(run.bookmarks.map((x) => x.payload)).toEqual(['c']);
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    expect(run.lines).toEqual(['resumed', 'other', 'end']);
    expect(run.status).toBe('Finished');
  });

  it('keeps one that does not burn', async () => {
    const run = await runWorkflow(act('App.Bookmarks', 'B', { autoBurn: false }), { activities });
    const a = run.bookmarks[0]!.id;
    await run.run({ bookmarkId: a });
    await run.run({ bookmarkId: a });
    expect(run.lines).toEqual(['resumed', 'resumed']);
    expect(run.bookmarks).toHaveLength(3);
  });

  it('refuses an unknown one', async () => {
    const run = await runWorkflow(event('E'));
    await expect(run.run({ bookmarkId: 'nowhere' })).rejects.toMatchObject({ code: 'WM2021' });
  });

  it('faults on a callback that cannot be found again', async () => {
    const run = await runWorkflow(act('App.Closure', 'C'), { activities });
    expect(run.state.incidents[0]!.exception).toMatchObject({ type: 'InvalidCallbackError' });
  });

  it('completes at once if the activity is the trigger', async () => {
    const root = chain('F', [W('a'), event('E', { start: true }), W('b')]);
    expect((await runWorkflow(root, { request: { triggerActivityId: 'E' } })).lines).toEqual(['b']);
  });

  it('leaves an activity pending whose precondition does not hold', async () => {
    const run = await runWorkflow(act('App.Never', 'N'), { activities });
    expect(run.status).toBe('Suspended');
    expect(run.state.activityExecutionContexts[0]).toMatchObject({ status: 'Pending' });
  });
});

describe('faults', () => {
  it('takes its incident along when what has failed is resumed at another bookmark', async () => {
    const root = fork('F', [act('App.FailsOnce', 'X'), event('E')]);
    const run = await runWorkflow(workflow(root, continues), { activities });
    const [a, b] = run.bookmarks;
    await run.run({ bookmarkId: a!.id });
    expect(run.state.incidents).toHaveLength(1);
    await run.run({ bookmarkId: b!.id });
    expect(run.state.incidents).toEqual([]);
    expect(run.state.activityExecutionContexts.map(({ faultCount }) => faultCount)).not.toContain(1);
  });

  it('ends the workflow: Fault strategy', async () => {
    const run = await runWorkflow(seq('S', [fault('F', 'Boom'), W('never')]));
    expect([run.state.status, run.status, run.lines]).toEqual(['Finished', 'Faulted', []]);
    expect(run.state.incidents).toMatchObject([
      {
        activityId: 'F',
        message: 'Boom',
        exception: { metadata: { code: 'E1', category: 'General', type: 'System' } },
      },
    ]);
  });

  it('does not run queued activities', async () => {
    expect((await runWorkflow(parallel('P', [fault('F'), W('never')]))).lines).toEqual([]);
  });

  it('lets other branches continue: ContinueWithIncidents', async () => {
    const run = await runWorkflow(
      workflow(seq('S', [parallel('P', [fault('F1'), fault('F2'), W('fine')]), W('never')]), continues),
    );
    expect([run.status, run.lines]).toEqual(['Suspended', ['fine']]);
    expect(run.state.incidents.map((i) => i.message)).toEqual(['F1', 'F2']);
    expect([...run.context.contexts.values()].find((c) => c.activityId === 'P')!.faultCount).toBe(2);
  });

  it('keeps a flowchart from completing, in both modes', async () => {
    for (const flowchartMode of ['counter', 'token'] as const) {
      const run = await runWorkflow(
        workflow(flow('F', [act('Start', 'S'), fault('X'), W('w')], ['S->X', 'S->w']), continues),
        { flowchartMode },
      );
      expect([run.status, run.lines]).toEqual(['Suspended', ['w']]);
    }
  });

  it('is recovered when the activity runs again', async () => {
    let fails = true;
    const step = W('X', () => { if (fails) throw new Error('not yet'); return 'done'; }); // prettier-ignore
    const run = await runWorkflow(workflow(chain('F', [step, W('after')]), continues));
    const faulted = run.context.faultedContexts()[0]!;
    expect(run.state.incidents[0]!.message).toContain("input 'Text'");
    fails = false;
    await run.run({ activityHandle: { activityInstanceId: faulted.id } });
    expect([run.status, run.lines, run.state.incidents]).toEqual(['Finished', ['done', 'after'], []]);
  });

  it('faults on an unknown activity type', async () => {
    const run = await runWorkflow(act('App.Gone', 'G'));
    expect(run.state.incidents[0]!.exception).toMatchObject({
      type: 'ActivityNotFoundError',
      message: expect.stringContaining("'App.Gone'") as string,
    });
    const stored = await runWorkflow(act('NotFoundActivity', 'N', { missingTypeName: 'App.Lost' }));
    expect(stored.state.incidents[0]!.message).toContain("'App.Lost'");
  });

  it('recovers nothing that is not faulted', async () => {
    const run = await runWorkflow(event('E'));
    recoverFromFault(run.context.rootContext!);
    expect(run.context.rootContext!.status).toBe('Running');
  });
});

describe('Complete, End and Finish', () => {
  it('Complete ends the workflow with its outcomes, wherever it stands', async () => {
    const root = seq('S', [forEach('E', [1, 2], seq('B', [W('w'), complete('C', 'A', 'B'), W('never')])), W('never')]);
    const run = await runWorkflow(root);
    expect([run.status, run.lines]).toEqual(['Finished', ['w']]);
    expect(run.context.rootContext!.outcomes).toEqual(['A', 'B']);
  });

  it('Complete completes what surrounds it, other branches are cancelled', async () => {
    const run = await runWorkflow(seq('S', [fork('F', [event('E'), seq('B', [complete('C')])])]));
    expect(statuses(run.context.journal!.take().records)).toEqual({
      Workflow1: 'Completed',
      S: 'Completed',
      F: 'Completed',
      B: 'Completed',
      E: 'Canceled',
      C: 'Completed',
    });
  });

  it('Complete completes loops and flowcharts around it, from the inside out and each once', async () => {
    const nested = flow('F', [W('w'), complete('C', 'X'), W('never')], ['w->C', 'C->never']);
    const run = await runWorkflow(seq('S', [forEach('E', [1, 2], nested), W('after')]));
    const { log } = run.context.journal!.take();
    const ended = log.filter((e) => e.eventName === 'Completed' || e.eventName === 'Canceled');
    expect(ended.map((e) => `${e.activityId} ${e.eventName}`)).toEqual([
      'w Completed',
      'C Completed',
      'F Completed',
      'E Completed',
      'S Completed',
      'Workflow1 Completed',
    ]);
    expect([run.status, run.lines]).toEqual(['Finished', ['w']]);
  });

  it.each([
    ['text with a comma', 'A,B', ['A,B']],
    ['JSON text', '["A"]', ['["A"]']],
    ['a list', ['A', 'B'], ['A', 'B']],
    ['nothing', null, ['Done']],
    ['a number', 5, ['Done']],
  ])('Complete with %s', async (_, value, expected) => {
    const outcomes = { typeName: null, expression: { type: 'Delegate', value: () => value } };
    expect((await runWorkflow(act('Complete', 'C', { outcomes }))).context.rootContext!.outcomes).toEqual(expected);
  });

  it('End ends the flowchart only', async () => {
    const inner = flow('F', [W('a'), act('End', 'End'), event('E'), act('Start', 'S')], ['S->E', 'S->a', 'a->End']);
    const run = await runWorkflow(seq('S', [inner, W('after')]));
    expect([run.status, run.lines]).toEqual(['Finished', ['a', 'after']]);
  });

  it('Finish ends everything', async () => {
    const run = await runWorkflow(
      seq('S', [fork('F', [event('E'), seq('B', [W('a'), act('Finish', 'Fin'), W('never')])]), W('never')]),
    );
    expect([run.status, run.lines, run.state.bookmarks]).toEqual(['Finished', ['a'], []]);
    expect(run.state.scheduledActivities).toEqual([]);
  });

  it('Finish completes what surrounds it, and cancels the other branches', async () => {
    const run = await runWorkflow(seq('S', [fork('F', [event('E'), seq('B', [act('Finish', 'Fin')])]), W('never')]));
    const { log, records } = run.context.journal!.take();
    expect(statuses(records)).toEqual({
      Workflow1: 'Completed',
      S: 'Completed',
      F: 'Completed',
      B: 'Completed',
      E: 'Canceled',
      Fin: 'Completed',
    });
    expect(log.slice(-6).map((e) => `${e.eventName} ${e.activityId}`)).toEqual([
      'Completed Fin',
      'Canceled E',
      'Completed B',
      'Completed F',
      'Completed S',
      'Completed Workflow1',
    ]);
    expect(run.context.contexts.size).toBe(0);
  });
});

describe('cancelling', () => {
  it('a workflow cancels its activities', async () => {
    const run = await runWorkflow(seq('S', [fork('F', [event('A'), event('B')]), W('never')]));
    run.context.cancel();
    expect([run.status, run.bookmarks]).toEqual(['Cancelled', []]);
    expect(run.context.contexts.size).toBe(0);
  });

  it.each([
    ['Sequence', seq('S', [event('E'), W('skipped')])],
    ['Parallel', parallel('P', [event('E'), W('w')])],
    ['Fork', fork('F', [event('E'), W('w')])],
    ['If', iff('If', true, event('E'))],
    ['ForEach', forEach('Each', [1, 2], event('E'))],
    ['Flowchart', chain('C', [event('E'), W('skipped')])],
  ])('the cancellation of one activity does not leave %s waiting forever', async (_, container) => {
    const run = await runWorkflow(seq('Root', [container, W('end')]));
    const waiting = [...run.context.contexts.values()].find((c) => c.activityId === 'E')!;
    waiting.cancel();
    await run.test.runner.drain(run.context);
    expect(run.status).toBe('Finished');
    expect(run.lines.at(-1)).toBe('end');
    expect(run.lines).not.toContain('skipped');
  });
});

describe('running a child on request', () => {
  it.each([
    ['Sequence', seq('C', [W('a'), event('E'), W('b')]), ['a', 'a']],
    ['Flowchart', chain('C', [W('a'), event('E'), W('b')]), ['a', 'a']],
    ['Parallel', parallel('C', [W('a'), event('E')]), ['a', 'a']],
    ['Fork', fork('C', [W('a'), event('E')]), ['a', 'a']],
  ])('%s continues from there', async (_, root, lines) => {
    const run = await runWorkflow(root);
    const container = [...run.context.contexts.values()].find((c) => c.activityId === 'C')!;
    expect(container.sendSignal(new ScheduleChildSignal('a'))).toBe(true);
    await run.test.runner.drain(run.context);
    expect(run.lines).toEqual(lines);
    expect(run.waitingAt()).toContain('E');
  });

  it.each([
    ['Sequence', seq('C', [W('a'), event('E'), W('b')]), 'E', ['a', 'a', 'b', 'end']],
    ['Flowchart', chain('C', [W('a'), event('E'), W('b')]), 'E E', ['a', 'a', 'b', 'b', 'end']],
    ['Parallel', parallel('C', [W('a'), event('E')]), 'E', ['a', 'a', 'end']],
  ])('%s continues from an activity that a burst names', async (_, container, waiting, lines) => {
    const run = await runWorkflow(seq('Root', [container, W('end')]));
    await run.run({ activityHandle: { activityId: 'a' } });
    expect(run.waitingAt().join(' ')).toBe(waiting);
    await run.trigger('E');
    expect([run.status, run.lines]).toEqual(['Finished', lines]);
  });

  it('runs again a faulted branch that a burst names, and its container completes', async () => {
    const root = seq('Root', [iff('If', true, fault('F')), W('end')]);
    const run = await runWorkflow(workflow(root, continues));
    await run.run({ activityHandle: { activityId: 'F' } });
    const executions = [...run.context.contexts.values()].filter((c) => c.activityId === 'F');
    expect(executions.map((c) => c.callback?.method)).toEqual(['onBranchCompleted', 'onBranchCompleted']);
  });
});
