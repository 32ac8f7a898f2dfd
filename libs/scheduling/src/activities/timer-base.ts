import { type ActivityExecutionContext, isPromiseLike, TriggerBase, type TriggerIndexingContext } from '@waymark/core';
import { intervalMs } from '../triggers/payload-values.js';
import { delayFor, LATEST_TIME } from './delay-until.js';
import { misfireOf } from './misfire-property.js';
import type { TimerTriggerPayload } from './payloads.js';
import { SchedulingStimulus } from './stimulus-names.js';

/**
 * Base of activities that start a workflow again and again, or wait once when reached in mid-flow. An activity of the
 * application's own only says how often, and what to do then.
 */
export abstract class TimerBase extends TriggerBase {
  /** Time span text. */
  protected abstract getInterval(ctx: ActivityExecutionContext): string | null;

  /** Runs when the time has come, before the activity completes. */
  protected onTimerElapsed?(ctx: ActivityExecutionContext): unknown;

  getTriggerPayloads(context: TriggerIndexingContext): TimerTriggerPayload[] {
    context.triggerName = SchedulingStimulus.Timer;
    const interval = this.getInterval(context.execution);
    return [{ interval, ...misfireOf(context.execution.node) }];
  }

  /** Null for an interval that the validator refuses: should it be stored all the same, it never fires. */
  override getTriggerDueAt({ interval }: TimerTriggerPayload, now: number): Date | null {
    const ms = intervalMs(interval);
    return ms === undefined ? null : new Date(Math.min(now + ms, LATEST_TIME));
  }

  execute(ctx: ActivityExecutionContext): unknown {
    if (ctx.isTriggerOfWorkflow()) return this.timerElapsed(ctx);
    delayFor(ctx, this.getInterval(ctx), {
      name: SchedulingStimulus.Timer,
      callback: this.timerElapsed,
      inputName: 'Interval',
    });
    return undefined;
  }

  /** Called by name when the bookmark is resumed. */
  timerElapsed(ctx: ActivityExecutionContext): unknown {
    const done = this.onTimerElapsed?.(ctx);
    return isPromiseLike(done) ? done.then(() => ctx.complete()) : ctx.complete();
  }
}
