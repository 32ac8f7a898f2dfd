import { Activity, Port } from '../activities/decorators.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, event, seq, W } from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

/** Notes when its child ended. */
@Activity({ type: 'Test.Watch' })
class Watch extends ActivityBase {
  static endedAt: number | undefined;
  @Port() body: ActivityNode | undefined;

  execute(ctx: ActivityExecutionContext): unknown {
    return ctx.schedule(this.body, { callback: this.onBodyCompleted });
  }

  onBodyCompleted(ctx: ActivityExecutionContext, child: ActivityExecutionContext): unknown {
    Watch.endedAt = child.completedAt;
    return ctx.complete();
  }
}

/** A clock that stands still unless a test moves it, and counts who asks. */
function stoppedClock() {
  const clock = { ms: Date.UTC(2026, 0, 1), reads: 0, now: () => (clock.reads++, clock.ms) };
  return clock;
}

const steps = (count: number) => Array.from({ length: count }, (_, i) => W(`w${i}`));

describe('what an engine without a journal knows of a step', () => {
  const test = (clock = stoppedClock()) =>
    new WorkflowTest({ clock: clock as never, journal: false, activities: [Watch] });
  const slow = (clock: { ms: number }) =>
    act('Inline', 'slow', { run: () => Promise.resolve().then(() => void (clock.ms += 5000)) });

  it('is the time at which it ended, if it awaited something', async () => {
    const clock = stoppedClock();
    const begin = clock.ms;
    await test(clock).start(act('Test.Watch', 'x', { body: slow(clock) }));
    expect(Watch.endedAt).toBe(begin + 5000);
  });

  it('is the time at which it began, if an earlier step was awaited', async () => {
    const clock = stoppedClock();
    const begin = clock.ms;
    const run = await test(clock).start(seq('S', [slow(clock), event('E')]));
    const [waiting] = run.state.activityExecutionContexts;
    expect([waiting!.scheduledActivityNodeId, waiting!.startedAt.getTime() - begin]).toEqual(['Workflow1:S:E', 5000]);
  });

  it('is measured by reading the clock for a few steps only', async () => {
    const clock = stoppedClock();
    await test(clock).start(seq('S', steps(1000)));
    expect(clock.reads).toBeLessThan(100);
  });

  it('includes the preceding step, also in a later burst', async () => {
    const run = await test().start(seq('S', [W('a'), event('E'), event('F')]));
    const origin = () => {
      const waiting = run.state.activityExecutionContexts[0]!;
      return [waiting.schedulingActivityId, waiting.schedulingActivityExecutionId];
    };
    expect(origin()).toEqual(['a', 'instance-3']);
    const waiting = run.state.activityExecutionContexts[0]!.id;
    await run.trigger('E');
    expect(origin()).toEqual(['E', waiting]);
  });
});
