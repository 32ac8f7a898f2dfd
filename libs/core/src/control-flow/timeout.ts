import { Activity, Input, Port } from '../activities/decorators.js';
import { readTimeout } from '../definitions/activity-timeout.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { startTimeout } from '../execution/activity-timeouts.js';
import type { TimeSpanInput } from '../values/time-span.js';
import type { ActivityNode } from '../graph/activity-node.js';

/** Runs its body, and cancels it with an error (WM2060) when it takes too long. */
@Activity({
  type: 'Waymark.Timeout',
  category: 'Control Flow',
  description: 'Runs its body, and cancels it with an error (WM2060) when it takes too long.',
})
export class Timeout extends ActivityBase {
  /** How long the body may take. */
  @Input({ type: 'TimeSpan', isNonNegative: true, description: 'How long the body may take.' })
  timeSpan: TimeSpanInput | null;
  /** What has to be done in time. */
  @Port() body: ActivityNode | undefined;

  execute(ctx: ActivityExecutionContext): unknown {
    const timeoutMs = readTimeout(this.timeSpan);
    if (timeoutMs === undefined)
      throw new WorkflowExecutionError(
        'WM2062',
        `Timeout '${ctx.node.id}' needs a time span above zero: set the input 'TimeSpan', such as '00:05:00'.`,
      );
    startTimeout(ctx, timeoutMs);
    return ctx.schedule(this.body, { callback: this.onBodyCompleted });
  }

  /** Called by the engine when the body has completed. */
  onBodyCompleted(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }
}
