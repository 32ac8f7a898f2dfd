import { Activity, Input, Output, Port } from '../activities/decorators.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isBreaking } from './breaking.js';
import { LoopActivity } from './loop-activity.js';

/** Index of the current iteration. */
const INDEX = 'CurrentIndex';

/** Runs its body for every item of a list, one after the other. */
@Activity({
  type: 'Elsa.ForEach',
  category: 'Looping',
  description: 'Runs its body for every item of a list, one after the other.',
})
export class ForEach extends LoopActivity {
  /** The list. */
  @Input({ type: 'List<Object>', uiHint: 'dropdown', description: 'The list.' }) items: readonly unknown[] | null;
  /** The current item. */
  @Output({ type: 'Object', description: 'The current item.' }) currentValue: unknown;
  /** What runs for each item. */
  @Port() body: ActivityNode | undefined;

  execute(ctx: ActivityExecutionContext): unknown {
    if (!this.items)
      throw new WorkflowExecutionError(
        'WM2037',
        `ForEach '${ctx.node.id}' has no list of items: the input 'Items' is null. Give a list; an empty one is allowed.`,
      );
    // Run again after a fault of its own, it continues with the item at which it failed.
    return this.iterate(ctx, (ctx.properties[INDEX] as number | undefined) ?? 0);
  }

  /** Called by the engine when the body has completed. */
  onBodyCompleted(ctx: ActivityExecutionContext): unknown {
    return isBreaking(ctx) ? ctx.complete() : this.iterate(ctx, (ctx.properties[INDEX] as number) + 1);
  }

  private iterate(ctx: ActivityExecutionContext, index: number): unknown {
    const items = this.items ?? [];
    if (index >= items.length) return ctx.complete();
    const value = items[index] ?? null;
    ctx.properties[INDEX] = index;
    ctx.setOutput('CurrentValue', value);
    if (!this.body) return ctx.complete();
    return ctx.schedule(this.body, {
      callback: this.onBodyCompleted,
      variables: { CurrentIndex: index, CurrentValue: value },
    });
  }
}
