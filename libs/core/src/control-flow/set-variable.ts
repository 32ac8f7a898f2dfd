import { Activity, Input } from '../activities/decorators.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { assign, type ActivityScope } from '../execution/activity-scope.js';

@Activity({
  type: 'Elsa.SetVariable',
  category: 'Primitives',
  description: 'Assigns a value to a variable.',
})
export class SetVariable extends ActivityBase {
  @Input({
    type: 'UnregisteredClrType:Elsa.Workflows.Memory.Variable, Elsa.Workflows.Core',
    isWrapped: false,
    uiHint: 'variable-picker',
  })
  variable: { readonly id?: string; readonly name?: string } | null | undefined;

  @Input({ type: 'Object' }) value: unknown;

  execute(ctx: ActivityExecutionContext): void {
    const id = this.variable?.id;
    const slot = id === undefined ? undefined : (ctx.expressionScope as ActivityScope).findById(id);
    if (!slot)
      throw new WorkflowExecutionError(
        'WM2032',
        `Variable '${id ?? ''}' not found. Choose a variable that is declared by '${ctx.node.id}' or one of its containers.`,
      );
    assign(slot, this.value);
  }
}
