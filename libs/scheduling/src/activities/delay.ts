import { Activity, ActivityBase, type ActivityExecutionContext, Input, type TimeSpanInput } from '@waymark/core';
import { delayFor } from './delay-until.js';

/** Waits for the given time. */
@Activity({
  type: 'Elsa.Delay',
  category: 'Scheduling',
  description: 'Waits for the given time.',
})
export class Delay extends ActivityBase {
  /** How long to wait. */
  @Input({ type: 'TimeSpan', defaultValue: '00:01:00', isNonNegative: true, description: 'How long to wait.' })
  timeSpan!: TimeSpanInput;

  execute(ctx: ActivityExecutionContext): void {
    delayFor(ctx, this.timeSpan);
  }
}
