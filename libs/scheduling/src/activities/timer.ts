import { Input, Trigger } from '@waymark/core';
import { TimerBase } from './timer-base.js';

@Trigger({
  type: 'Elsa.Timer',
  category: 'Scheduling',
  description: 'Starts the workflow again and again at an interval; in mid-flow it waits once.',
})
export class Timer extends TimerBase {
  @Input({ type: 'TimeSpan', defaultValue: '00:01:00', description: 'Time between two starts.' })
  interval: string | null;

  protected getInterval(): string | null {
    return this.interval;
  }
}
