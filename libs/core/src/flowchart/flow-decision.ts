import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';

/** Follows one of two paths of a flowchart, depending on a condition. */
@Activity({
  type: 'Elsa.FlowDecision',
  category: 'Branching',
  displayName: 'Decision',
  description: 'Follows one of two paths of a flowchart, depending on a condition.',
  outcomes: ['True', 'False'],
})
export class FlowDecision extends ActivityBase {
  /** Which outcome is taken: `True` or `False`. */
  @Input({ type: 'Boolean', uiHint: 'singleline', description: 'Decides which outcome is followed: True or False.' })
  condition: boolean | null;

  execute(ctx: ActivityExecutionContext): unknown {
    return ctx.completeWithOutcomes(this.condition === true ? 'True' : 'False');
  }
}
