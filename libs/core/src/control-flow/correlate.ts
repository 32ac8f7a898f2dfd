import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';

/** Sets the correlation id of the workflow instance, by which other systems can find it. */
@Activity({
  type: 'Elsa.Correlate',
  category: 'Primitives',
  description: 'Sets the correlation id of the workflow instance, by which other systems can find it.',
})
export class Correlate extends ActivityBase {
  /** Correlation id of the instance: its business key. */
  @Input({ type: 'String', description: 'Correlation id of the instance: its business key.' }) correlationId:
    | string
    | null;

  execute(ctx: ActivityExecutionContext): void {
    ctx.workflow.correlationId = this.correlationId ?? undefined;
  }
}
