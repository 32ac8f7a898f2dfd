import { Activity, Input } from '../activities/decorators.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { assign, type ActivityScope } from '../execution/activity-scope.js';

/** Assigns a value to a variable. */
@Activity({
  type: 'Elsa.SetVariable',
  category: 'Primitives',
  description: 'Assigns a value to a variable.',
})
export class SetVariable extends ActivityBase {
  /** The variable, by id or name. */
  @Input({
    type: 'UnregisteredClrType:Elsa.Workflows.Memory.Variable, Elsa.Workflows.Core',
    description: 'The variable, by id or name.',
    isWrapped: false,
    uiHint: 'variable-picker',
  })
  variable: { readonly id?: string; readonly name?: string } | null | undefined;

  /** Its value. */
  @Input({ type: 'Object', description: 'Value to assign.' }) value: unknown;

  execute(ctx: ActivityExecutionContext): void {
    const { id, name } = this.variable ?? {};
    const scope = ctx.expressionScope as ActivityScope;
    // Old files have variables without ids: those can only be meant by name.
    const slot = id ? scope.findById(id) : name ? scope.findByName(name) : undefined;
    if (!slot)
      throw new WorkflowExecutionError(
        'WM2032',
        `Variable '${id || (name ?? '')}' not found. Choose a variable that is declared by '${ctx.node.id}' or one of its containers.`,
      );
    // The record of this activity would have the value besides.
    if (slot.variable.isEncrypted) ctx.hide('Value');
    assign(slot, this.value, ctx.workflow.secrets);
  }
}
