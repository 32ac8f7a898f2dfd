import { Activity, Port } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';

/** Wraps one activity as a step of a flowchart. */
@Activity({
  type: 'Elsa.FlowNode',
  category: 'Flow',
  displayName: 'Container',
  description: 'Wraps an activity, e.g. a whole sequence, as one step of a flowchart.',
})
export class FlowNode extends ActivityBase {
  /** What it runs. */
  @Port() body: ActivityNode | undefined;

  /** Called by the engine. */
  execute(ctx: ActivityExecutionContext): unknown {
    return ctx.schedule(this.body, { callback: this.onBodyCompleted });
  }

  /** Called when the body has completed. */
  onBodyCompleted(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }
}
