import { Activity, Input, Port } from '../activities/decorators.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../values/promise-like.js';
import { isBreaking } from './breaking.js';
import { LoopActivity } from './loop-activity.js';
import { loopItems } from './loop-items.js';

/** Runs its body for every item of a list in parallel. */
@Activity({
  type: 'Elsa.ParallelForEach',
  category: 'Looping',
  displayName: 'Parallel for Each',
  description: 'Runs its body for every item of a list in parallel.',
})
export class ParallelForEach extends LoopActivity {
  /** The list. */
  @Input({ type: 'Object' }) items: unknown;
  /** What runs for each item. */
  @Port() body: ActivityNode | undefined;

  execute(ctx: ActivityExecutionContext): unknown {
    const items = loopItems(this.items, ctx.node.id);
    return isPromiseLike(items)
      ? items.then((all) => this.scheduleAll(ctx, all as unknown[]))
      : this.scheduleAll(ctx, items);
  }

  /** Completes by itself when all have: the engine completes an activity that has nothing left to wait for. */
  onBodyCompleted(ctx: ActivityExecutionContext): unknown {
    return isBreaking(ctx) ? ctx.complete() : undefined;
  }

  private scheduleAll(ctx: ActivityExecutionContext, items: readonly unknown[]): void {
    const { body } = this;
    if (!body) return;
    items.forEach((value, index) =>
      ctx.schedule(body, {
        callback: this.onBodyCompleted,
        tag: index,
        variables: { CurrentIndex: index, CurrentValue: value ?? null },
      }),
    );
  }
}
