import {
  type ActivityExecutionContext,
  type TimeSpanInput,
  TriggerBase,
  type TriggerIndexingContext,
} from '@waymark/core';
import { isPromiseLike } from '@waymark/core/adapter';
import { firstTimerOccurrence } from '../triggers/first-occurrence.js';
import { delayFor } from './delay-until.js';
import type { TimerTriggerPayload } from './payloads.js';
import { SchedulingStimulus } from './stimulus-names.js';
import { timingOf } from './timing-properties.js';

/**
 * Base of activities that start a workflow again and again, or wait once when reached in mid-flow. An activity of the
 * application's own only says how often, and what to do then.
 */
export abstract class TimerBase extends TriggerBase {
  /** Time span text, or milliseconds. */
  protected abstract getInterval(ctx: ActivityExecutionContext): TimeSpanInput | null;

  /** Runs when the time has come, before the activity completes. */
  protected onTimerElapsed?(ctx: ActivityExecutionContext): unknown;

  getTriggerPayloads(context: TriggerIndexingContext): TimerTriggerPayload[] {
    context.triggerName = SchedulingStimulus.Timer;
    const interval = this.getInterval(context.execution);
    return [{ interval, ...timingOf(context) }];
  }

  override getTriggerDueAt(payload: TimerTriggerPayload, now: number): Date | null {
    return firstTimerOccurrence(payload, now);
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
