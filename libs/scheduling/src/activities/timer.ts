import { Input, Trigger, type TimeSpanInput } from '@waymark/core';
import { TimerBase } from './timer-base.js';

/** Starts the workflow at an interval; in the middle of a workflow, waits once. */
@Trigger({
  type: 'Elsa.Timer',
  category: 'Scheduling',
  description: 'Starts the workflow at an interval; in the middle of a workflow, waits once.',
})
export class Timer extends TimerBase {
  /** Time between two starts. */
  @Input({ type: 'TimeSpan', defaultValue: '00:01:00', isNonNegative: true, description: 'Time between two starts.' })
  interval!: TimeSpanInput;

  /** The interval as the definition gives it. */
  protected getInterval(): TimeSpanInput | null {
    return this.interval;
  }
}
