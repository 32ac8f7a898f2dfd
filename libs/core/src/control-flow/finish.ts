import { Activity } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { afterRestoringAll } from '../execution/restore-within.js';

/** Ends the whole workflow at once. */
@Activity({
  type: 'Elsa.Finish',
  category: 'Primitives',
  description: 'Ends the whole workflow at once.',
  isTerminal: true,
})
export class Finish extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    return afterRestoringAll(ctx.workflow, () => this.end(ctx));
  }

  private end(ctx: ActivityExecutionContext): void {
    // Completes first and without telling its container, or it would be cancelled with all the others.
    ctx.callback = undefined;
    ctx.complete();
    ctx.workflow.finishNow(ctx);
  }
}
