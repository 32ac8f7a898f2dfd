import { Activity, Port } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { nestedSlots } from '../execution/restore-state.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { slotOfId } from '../graph/variable-slots.js';
import { syntheticName } from '../activities/synthetic-name.js';
import { completedRoot, completeRoot, forgetRoot } from './completed-root.js';
import { setMember } from '../values/plain-object.js';

/**
 * A workflow used as an activity: runs it inside the same instance. Its inputs and outputs are variables of its own
 * scope, under the names they have inside; so two uses keep their data apart.
 */
@Activity({
  type: 'Elsa.Workflows.Management.Activities.WorkflowDefinitionActivity.WorkflowDefinitionActivity',
  category: 'WorkflowDefinitionActivity',
  description: 'Runs another workflow as one activity of this one.',
  isBrowsable: false,
})
export class WorkflowDefinitionActivity extends ActivityBase {
  /** First activity of the other workflow. */
  @Port({ isBrowsable: false }) root: ActivityNode | undefined;

  execute(ctx: ActivityExecutionContext): unknown {
    const completed = completedRoot(ctx);
    if (completed) return this.complete(ctx, completed.result);
    if (ctx.node.nestedWorkflow) {
      const own = nestedSlots(ctx.node, this.inputValues(ctx));
      ctx.slots = ctx.slots ? [...own, ...ctx.slots] : own;
      this.forgetInputs(ctx);
    }
    return ctx.schedule(this.root, { callback: this.onRootCompleted });
  }

  /** Called when the other workflow has completed. @param result the outcomes, when an activity inside completed the workflow by name */
  onRootCompleted(ctx: ActivityExecutionContext, _child: ActivityExecutionContext, result: unknown): unknown {
    return this.complete(ctx, result);
  }

  override onTimedOut(ctx: ActivityExecutionContext): void {
    forgetRoot(ctx);
  }

  private complete(ctx: ActivityExecutionContext, result: unknown): unknown {
    return completeRoot(ctx, result, () => {
      for (const { name } of ctx.node.nestedWorkflow?.outputs ?? []) {
        const value = ctx.slots && slotOfId(ctx.slots, name)?.value;
        if (value !== undefined && value !== null) ctx.setOutput(name, value);
      }
    });
  }

  /** What is kept in memory only: inputs of activities are stored as well. */
  private forgetInputs({ node }: ActivityExecutionContext): void {
    const forgotten = new Set(node.nestedWorkflow!.memoryNames.map(syntheticName));
    if (forgotten.size === 0) return;
    for (const { name, propertyName } of node.inputs)
      if (forgotten.has(name)) (this as unknown as Record<string, unknown>)[propertyName] = null;
  }

  private inputValues(ctx: ActivityExecutionContext): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    const inputs = new Map(ctx.node.inputs.map((input) => [input.name, input]));
    for (const name of ctx.node.nestedWorkflow!.inputNames) {
      const input = inputs.get(syntheticName(name));
      if (input) setMember(values, name, (this as unknown as Record<string, unknown>)[input.propertyName]);
    }
    return values;
  }
}
