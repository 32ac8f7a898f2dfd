import { Activity, Input, Port } from '../activities/decorators.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../values/promise-like.js';
import { isBreaking } from './breaking.js';
import { LoopActivity } from './loop-activity.js';
import { loopItems } from './loop-items.js';

/** Branches that are scheduled before others may get their turn: a millisecond. */
const ITEMS_OF_PART = 1000;

/** Runs its body for every item of a list in parallel. */
@Activity({
  type: 'Elsa.ParallelForEach',
  category: 'Looping',
  displayName: 'Parallel for Each',
  description: 'Runs its body for every item of a list in parallel.',
})
export class ParallelForEach extends LoopActivity {
  /** The list. */
  @Input({ type: 'Object', description: 'The list.' }) items: unknown;
  /** What runs for each item. */
  @Port() body: ActivityNode | undefined;

  execute(ctx: ActivityExecutionContext): unknown {
    const items = loopItems(this.items, ctx.node.id);
    return isPromiseLike(items)
      ? items.then((all) => this.scheduleAll(ctx, all as unknown[]))
      : this.scheduleAll(ctx, items);
  }

  /**
   * Called when the body has completed for an item. It does nothing: the engine completes an activity that has nothing left to
   * wait for.
   */
  onBodyCompleted(ctx: ActivityExecutionContext): unknown {
    return isBreaking(ctx) ? ctx.complete() : undefined;
  }

  /** With a pause between parts of a long list: a hundred thousand branches took a quarter of a second. */
  private scheduleAll(ctx: ActivityExecutionContext, items: readonly unknown[], begin = 0): void | Promise<void> {
    const { body } = this;
    if (!body) return;
    const end = Math.min(begin + ITEMS_OF_PART, items.length);
    for (let index = begin; index < end; index++)
      ctx.schedule(body, {
        callback: this.onBodyCompleted,
        tag: index,
        variables: { CurrentIndex: index, CurrentValue: items[index] ?? null },
      });
    if (end === items.length) return;
    const turn = ctx.workflow.engine.turn?.();
    if (!turn) return this.scheduleAll(ctx, items, end);
    return Promise.resolve(turn).then(() => this.scheduleAll(ctx, items, end));
  }
}
