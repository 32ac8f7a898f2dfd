import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { slotOfId } from '../graph/variable-slots.js';
import { assign } from '../execution/activity-scope.js';

/** Sets an output of the workflow, also when that is used as an activity. */
@Activity({
  type: 'Elsa.SetOutput',
  category: 'Composition',
  description: 'Sets an output of the workflow, also when that is used as an activity.',
})
export class SetOutput extends ActivityBase {
  /** Name of the output. */
  @Input({ type: 'String', displayName: 'Output', uiHint: 'output-picker', description: 'Name of the output.' })
  outputName: string | null;
  /** Its value. */
  @Input({ type: 'Object', description: 'Value of the output.' }) outputValue: unknown;

  execute(ctx: ActivityExecutionContext): void {
    const name = this.outputName ?? '';
    const owner = ownerOf(name, ctx);
    if (!owner) return ctx.workflow.setWorkflowOutput(name, this.outputValue);
    owner.setOutput(name, this.outputValue);
    // The variable that it has for its output survives a suspension, which the output itself does not. The workflow may declare another one of
    // that name for itself.
    const slot = owner.slots && slotOfId(owner.slots, name);
    if (slot?.variable.isEncrypted) ctx.hide('OutputValue');
    if (slot) assign(slot, this.outputValue, ctx.workflow.secrets);
  }
}

/**
 * The nearest workflow used as an activity that declares such an output. Other activities around do not count: If, for
 * one, has a `Result` of its own, and so may the workflow.
 */
function ownerOf(name: string, ctx: ActivityExecutionContext): ActivityExecutionContext | undefined {
  for (let c = ctx.parent; c?.parent; c = c.parent)
    if (c.node.nestedWorkflow?.outputs.some((output) => output.name === name)) return c;
  return undefined;
}
