import { Input, Trigger, type TimeSpanInput } from '@waymark/core';
import { TimerBase } from './timer-base.js';

@Trigger({
  type: 'Elsa.Timer',
  category: 'Scheduling',
  description: 'Starts the workflow again and again at an interval; in mid-flow it waits once.',
})
export class Timer extends TimerBase {
  @Input({ type: 'TimeSpan', defaultValue: '00:01:00', isNonNegative: true, description: 'Time between two starts.' })
  interval!: TimeSpanInput;

  protected getInterval(): TimeSpanInput | null {
    return this.interval;
  }
}
