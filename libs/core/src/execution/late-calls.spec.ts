import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Activity, Children, Input } from '../activities/decorators.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { ActivityBase } from './activity-base.js';
import { cancelAtTimeout } from './activity-timeouts.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, event, fork, lit, parallelForEach, seq, W } from './testing/build-definition.js';
import { runWorkflow, WorkflowTest } from './testing/run-workflow.js';

/** Continues after `execute()` has returned, as code does that lacks an `await`. */
@Activity({ type: 'Test.AsksLate' })
class AsksLate extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    void nextTurn().then(() => ctx.createBookmark({ stimulus: 'late' }));
  }
}

@Activity({ type: 'Test.SchedulesAfterwards' })
class SchedulesAfterwards extends ActivityBase {
  @Children() steps: ActivityNode[];
  execute(ctx: ActivityExecutionContext): void {
    ctx.complete();
    ctx.schedule(this.steps[0]);
  }
}

/** Another branch wins, and cancels it, while it awaits something other than a bookmark. */
@Activity({ type: 'Test.IsOvertaken' })
class IsOvertaken extends ActivityBase {
  @Children() steps: ActivityNode[];
  async execute(ctx: ActivityExecutionContext): Promise<void> {
    ctx.cancel();
    await nextTurn();
    ctx.createBookmark({ stimulus: 'late' });
    ctx.schedule(this.steps[0]);
  }
}

@Activity({ type: 'Test.NotesItsInstance' })
class NotesItsInstance extends ActivityBase {
  static instance: { workflow?: ActivityExecutionContext['workflow'] };
  execute({ workflow }: ActivityExecutionContext): void {
    NotesItsInstance.instance.workflow = workflow;
  }
}

/** Holds something outside of the workflow, which cannot be released. */
@Activity({ type: 'Test.Holds' })
class Holds extends ActivityBase {
  @Input({ type: 'String' }) thing: string;
  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ stimulus: this.thing });
  }
  override onCanceled(): unknown {
    const error = new Error(`${this.thing} is not available`);
    if (this.thing === 'throws') throw error;
    return nextTurn().then(() => Promise.reject(error));
  }
}

const activities = [AsksLate, SchedulesAfterwards, IsOvertaken, Holds];

it('code that an activity did not await creates no bookmark after its end: a warning says so, and no promise is rejected', async () => {
  const rejected: unknown[] = [];
  const note = (reason: unknown): void => void rejected.push(reason);
  process.on('unhandledRejection', note);
  const run = await runWorkflow(seq('S', [act('Test.AsksLate', 'A'), W('end')]), { activities });
  await nextTurn();
  await nextTurn();
  process.off('unhandledRejection', note);
  expect(run.test.warnings).toEqual([
    expect.stringMatching(
      /^WM1047: activity 'A' \(Test\.AsksLate\) of instance '.*' has already ended, .* not stored\. .*await/,
    ),
  ]);
  expect([run.status, run.lines, run.state.bookmarks, rejected]).toEqual(['Finished', ['end'], [], []]);
});

describe('an activity that cannot release what it holds when it is cancelled', () => {
  const failure = (thing: string) =>
    expect.stringMatching(
      new RegExp(
        `^WM1094: onCanceled\\(\\) of activity '.*:H' \\(Test\\.Holds\\) of instance 'instance' failed: ${thing} is not available`,
      ),
    );
  const holding = (thing: string) => act('Test.Holds', 'H', { thing: lit(thing) });

  it.each(['throws', 'rejects'])(
    'is cancelled as the losing branch of a fork, with a warning (it %s)',
    async (thing) => {
      const run = await runWorkflow(seq('S', [fork('F', [holding(thing), event('E')], 'WaitAny'), W('end')]), {
        activities,
      });
      await run.trigger('E');
      expect([run.status, run.lines, run.state.incidents]).toEqual(['Finished', ['end'], []]);
      expect(run.test.warnings).toEqual([failure(thing)]);
    },
  );

  it.each(['throws', 'rejects'])('is cancelled with its instance (it %s)', async (thing) => {
    const run = await runWorkflow(seq('S', [holding(thing), W('end')]), { activities });
    const wec = run.test.runner.create({ graph: run.graph, instanceId: 'instance', state: run.state });
    wec.cancel();
    expect([wec.subStatus, wec.contexts.size]).toEqual(['Cancelled', 0]);
    await Promise.all(wec.takeTracked() ?? []);
    expect([run.lines, run.test.warnings]).toEqual([[], [failure(thing)]]);
  });
});

it('an activity whose onTimedOut fails is given up at its timeout all the same, with a warning', async () => {
  const run = await runWorkflow(seq('S', [act('Test.Holds', 'H', { thing: lit('lock') })]), { activities });
  const wec = run.test.runner.create({ graph: run.graph, instanceId: 'instance', state: run.state });
  const ctx = [...wec.contexts.values()].find(({ node }) => node.id === 'H')!;
  ctx.activity.onTimedOut = () => {
    throw new Error('lock is not available');
  };
  cancelAtTimeout(ctx, new Error('too late'));
  expect(run.test.warnings).toEqual([
    expect.stringMatching(/^WM4093: onTimedOut\(\) of activity '.*:H' \(Test\.Holds\) .*failed: lock is not available/),
  ]);
});

describe('an activity that completes before its code ends', () => {
  it('may schedule a child afterwards', async () => {
    const run = await runWorkflow(seq('S', [act('Test.SchedulesAfterwards', 'A', { steps: [W('child')] }), W('end')]), {
      activities,
    });
    expect([run.status, [...run.lines].sort(), run.test.warnings]).toEqual(['Finished', ['child', 'end'], []]);
  });
});

describe('an activity that was cancelled while it waited', () => {
  it('creates no bookmark and schedules no child, without a warning', async () => {
    const overtaken = act('Test.IsOvertaken', 'A', { steps: [W('child')] });
    const run = await runWorkflow(fork('F', [overtaken, event('E')], 'WaitAll'), { activities });
    expect(run.state.bookmarks).toHaveLength(1);
    expect([run.lines, run.test.warnings]).toEqual([[], []]);
  });

  it('schedules no further branches of its list', async () => {
    const instance: { workflow?: ActivityExecutionContext['workflow'] } = {};
    const turn = async (): Promise<void> => {
      const loop = [...instance.workflow!.contexts.values()].find(({ node }) => node.id === 'P');
      loop!.cancel();
    };
    const test = new WorkflowTest({ turn, activities: [NotesItsInstance] });
    NotesItsInstance.instance = instance;
    const items = Array.from({ length: 2500 }, (_, i) => i);
    const run = await test.start(
      fork(
        'F',
        [seq('S', [act('Test.NotesItsInstance', 'N'), parallelForEach('P', items, W('B'))]), event('E')],
        'WaitAll',
      ),
    );
    expect([run.lines, run.status]).toEqual([[], 'Suspended']);
  });
});
