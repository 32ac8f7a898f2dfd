import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Activity, Children } from '../activities/decorators.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, event, fork, parallelForEach, seq, W } from './testing/build-definition.js';
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

const activities = [AsksLate, SchedulesAfterwards, IsOvertaken];

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
