import { Activity, Input, Port } from '../activities/decorators.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../values/promise-like.js';
import { isBreaking } from './breaking.js';
import { LoopActivity } from './loop-activity.js';

/** Repeats its body while a condition holds. */
@Activity({
  type: 'Elsa.While',
  category: 'Looping',
  description: 'Repeats its body while a condition holds.',
})
export class While extends LoopActivity {
  /** Evaluated before every run of the body. */
  @Input({
    type: 'Boolean',
    uiHint: 'singleline',
    autoEvaluate: false,
    description: 'Evaluated before every run of the body.',
  })
  condition: boolean | null;
  /** What runs while the condition is true. */
  @Port() body: ActivityNode | undefined;

  execute(ctx: ActivityExecutionContext): unknown {
    return this.iterate(ctx);
  }

  /** Called by the engine when the body has completed. */
  onBodyCompleted(ctx: ActivityExecutionContext): unknown {
    return isBreaking(ctx) ? ctx.complete() : this.iterate(ctx);
  }

  private iterate(ctx: ActivityExecutionContext): unknown {
    // Without a body nothing could ever change the condition.
    if (!this.body) return ctx.complete();
    const holds = ctx.evaluateInput('Condition');
    return isPromiseLike(holds) ? holds.then((h) => this.goOn(ctx, h)) : this.goOn(ctx, holds);
  }

  private goOn(ctx: ActivityExecutionContext, holds: unknown): unknown {
    return holds === true ? ctx.schedule(this.body, { callback: this.onBodyCompleted }) : ctx.complete();
  }
}
