import { Activity, Input, Output, Port } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { recordOutput } from '../execution/record-output.js';
import type { ActivityNode } from '../graph/activity-node.js';

/** Runs one of two branches, depending on a condition. */
@Activity({
  type: 'Elsa.If',
  category: 'Branching',
  description: 'Runs one of two branches, depending on a condition.',
})
export class If extends ActivityBase {
  /** Which branch runs. */
  @Input({ type: 'Boolean', uiHint: 'singleline', description: 'Decides which branch runs.' }) condition:
    | boolean
    | null;
  /** What the condition was. */
  @Output({ type: 'Boolean', description: 'Value of the condition.' }) result?: boolean;
  /** What runs where the condition is true. */
  @Port() then: ActivityNode | undefined;
  /** What runs where it is false. */
  @Port() else: ActivityNode | undefined;

  execute(ctx: ActivityExecutionContext): unknown {
    this.result = this.condition === true;
    return ctx.schedule(this.result ? this.then : this.else, { callback: this.onBranchCompleted });
  }

  /** Called by the engine when a branch has completed. */
  onBranchCompleted(ctx: ActivityExecutionContext): unknown {
    // Outputs do not outlive a suspension, inputs do.
    recordOutput(ctx, 'Result', this.condition === true);
    return ctx.complete();
  }
}
