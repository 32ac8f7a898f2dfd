import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';

/** Gives the workflow instance a name. */
@Activity({
  type: 'Elsa.SetName',
  category: 'Primitives',
  description: 'Gives the workflow instance a name.',
})
export class SetName extends ActivityBase {
  /** New name of the instance. */
  @Input({ type: 'String' }) value: string | null;

  execute(ctx: ActivityExecutionContext): void {
    ctx.workflow.name = this.value ?? '';
  }
}
