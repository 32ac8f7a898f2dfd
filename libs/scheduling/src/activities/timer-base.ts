import {
  type ActivityExecutionContext,
  type TimeSpanInput,
  TriggerBase,
  type TriggerIndexingContext,
} from '@waymark/core';
import { isPromiseLike } from '@waymark/core/adapter';
import { firstTimerOccurrence } from '../triggers/first-occurrence.js';
import { storedSpan } from '../triggers/payload-values.js';
import { delayFor } from './delay-until.js';
import type { TimerTriggerPayload } from './payloads.js';
import { SchedulingStimulus } from './stimulus-names.js';
import { timingOf } from './timing-properties.js';

/**
 * Base class of activities that start a workflow repeatedly, or wait once in the middle of a workflow. Your own activity
 * defines the interval and what to do when it elapses.
 */
export abstract class TimerBase extends TriggerBase {
  /** Returns the interval as time span text, or in milliseconds. */
  protected abstract getInterval(ctx: ActivityExecutionContext): TimeSpanInput | null;

  /** Called when the interval has elapsed, before the activity completes. */
  protected onTimerElapsed?(ctx: ActivityExecutionContext): unknown;

  getTriggerPayloads(context: TriggerIndexingContext): TimerTriggerPayload[] {
    context.triggerName = SchedulingStimulus.Timer;
    const interval = this.getInterval(context.execution);
    return [{ interval: storedSpan(interval), ...timingOf(context) }];
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
