import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, lit } from './testing/build-definition.js';
import { type TestInstance, WorkflowTest } from './testing/run-workflow.js';

/** Changes what it was given, waits, and says what it has then. */
@Activity({ type: 'Test.Trim' })
class Trim extends ActivityBase {
  @Input() text: string;
  @Input({ isSensitive: true }) secret: string;

  execute(ctx: ActivityExecutionContext): void {
    this.text = this.text.trim();
    ctx.createBookmark({ callback: this.onResumed });
  }

  onResumed(ctx: ActivityExecutionContext): void {
    ctx.log('Resumed with', `${this.text}/${this.secret}`);
    ctx.workflow.setWorkflowOutput('text', `${this.text}/${this.secret}`);
  }
}

/** Waits twice with an input that most definitions do not set, and sets it itself if it is asked to. */
@Activity({ type: 'Test.Extra' })
class Extra extends ActivityBase {
  @Input() plain: string | null;
  @Input({ isOmittedUnset: true }) extra: string | null;
  @Input() own: string | null;

  execute(ctx: ActivityExecutionContext): void {
    if (this.own) this.extra = this.own;
    ctx.createBookmark({ callback: this.onResumed });
  }

  onResumed(ctx: ActivityExecutionContext): void {
    ctx.workflow.setWorkflowOutput('extra', this.extra);
  }
}

const recordOf = (run: TestInstance, id: string) =>
  run.context.journal!.take().records.find(({ activityId }) => activityId === id)!;

describe('an input that is omitted where it is not set', () => {
  const start = (inputs: Record<string, object>, options: object = {}) =>
    new WorkflowTest({ activities: [Extra], journal: true, ...options }).start(act('Test.Extra', 'e', inputs));

  it('is in neither the state nor the journal, and null when the activity continues', async () => {
    const run = await start({});
    expect(run.state.activityExecutionContexts[0]!.activityState).toEqual({ Plain: null, Own: null });
    expect(recordOf(run, 'e').activityState).toEqual({ Plain: null, Own: null });
    await run.trigger('e');
    expect(run.state.output).toEqual({ extra: null });
  });

  it('is in both where the definition sets it', async () => {
    const run = await start({ extra: lit('x') });
    expect(run.state.activityExecutionContexts[0]!.activityState).toMatchObject({ Extra: 'x' });
    expect(recordOf(run, 'e').activityState).toMatchObject({ Extra: 'x' });
  });

  it.each([true, false])('keeps what the activity gives it across a wait, stored in between: %s', async (isStored) => {
    const run = await start({ own: lit('set') }, { isStored });
    await run.trigger('e');
    expect(run.state.output).toEqual({ extra: 'set' });
  });
});

describe('an input that the activity itself has changed', () => {
  const modes = [true, false].flatMap((isStored) => [true, false].map((journal) => ({ isStored, journal })));
  const start = (options: object) =>
    new WorkflowTest({ activities: [Trim], ...options }).start(
      act('Test.Trim', 't', { text: lit(' a '), secret: lit('s') }),
    );

  it.each(modes)('has the changed value in the callback, stored in between or not: %o', async (mode) => {
    const run = await start(mode);
    await run.trigger('t');
    expect(run.state.output).toEqual({ text: 'a/s' });
  });

  it.each([true, false])(
    'is stored as it is now, and what is sensitive is not stored (journal: %s)',
    async (journal) => {
      const run = await start({ journal });
      expect(run.state.activityExecutionContexts[0]!.activityState).toEqual({ Text: 'a' });
    },
  );

  it('is in the journal with its evaluated value', async () => {
    const run = await start({ journal: true });
    expect(recordOf(run, 't').activityState).toEqual({ Text: ' a ' });
  });
});
