import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, lit } from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

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
    const record = run.context.journal!.take().records.find(({ activityId }) => activityId === 't');
    expect(record!.activityState).toEqual({ Text: ' a ' });
  });
});
