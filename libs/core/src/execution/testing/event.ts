import { Input, Output, Trigger } from '../../activities/decorators.js';
import { TriggerBase } from '../activity-base.js';
import type { ActivityExecutionContext } from '../activity-execution-context.js';

/** Waits for an event by name, like the activity of the runtime: what tests block on. */
@Trigger({ type: 'Elsa.Event' })
export class TestEvent extends TriggerBase {
  @Input({ type: 'String' }) eventName: string;
  @Output() result: unknown;

  getTriggerPayloads(): unknown[] {
    return [{ EventName: this.eventName }];
  }

  execute(ctx: ActivityExecutionContext): void {
    if (!ctx.isTriggerOfWorkflow())
      ctx.createBookmark({ stimulus: { EventName: this.eventName }, callback: this.onResumed });
  }

  onResumed(ctx: ActivityExecutionContext<{ Payload?: unknown }>): void {
    this.result = ctx.input.Payload ?? null;
  }
}
