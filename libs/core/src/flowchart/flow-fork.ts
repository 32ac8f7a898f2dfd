import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { DONE } from '../state/outcomes.js';

/** Follows several paths of a flowchart at the same time. */
@Activity({
  type: 'Elsa.FlowFork',
  category: 'Branching',
  displayName: 'Fork (flow)',
  description: 'Follows several paths of a flowchart at the same time.',
})
export class FlowFork extends ActivityBase {
  /** Names of the outcomes, all of which are taken. Without any, it is Done: editors leave an empty list behind. */
  @Input({
    type: 'List<String>',
    uiHint: 'dynamic-outcomes',
    description: 'Names of the outcomes, all of which are followed.',
  })
  branches: readonly string[] | null;

  execute(ctx: ActivityExecutionContext): unknown {
    return ctx.completeWithOutcomes(...(this.branches?.length ? this.branches : [DONE]));
  }
}
