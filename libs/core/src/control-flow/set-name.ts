import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';

/** Sets the name of the workflow instance. */
@Activity({
  type: 'Elsa.SetName',
  category: 'Primitives',
  description: 'Sets the name of the workflow instance.',
})
export class SetName extends ActivityBase {
  /** New name of the instance. */
  @Input({ type: 'String', description: 'New name of the instance.' }) value: string | null;

  execute(ctx: ActivityExecutionContext): void {
    ctx.workflow.name = this.value ?? '';
  }
}
