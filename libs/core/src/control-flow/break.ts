import { Activity } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { afterRestoring } from '../execution/restore-within.js';
import { BreakSignal } from '../execution/signals.js';
import { isPromiseLike } from '../values/promise-like.js';

/** Leaves the nearest loop. */
@Activity({
  type: 'Elsa.Break',
  category: 'Looping',
  description: 'Leaves the nearest loop.',
  isTerminal: true,
})
export class Break extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    const signal = new BreakSignal();
    const sent = ctx.sendSignal(signal);
    const leave = (): unknown =>
      signal.loop ? afterRestoring(signal.loop, () => this.leave(ctx, signal)) : this.leave(ctx, signal);
    return isPromiseLike(sent) ? sent.then(leave) : leave();
  }

  /** Containers on the way complete one after the other; where one of them would not, the loop ends nevertheless. */
  private leave(ctx: ActivityExecutionContext, { loop }: BreakSignal): unknown {
    const done = ctx.complete();
    return isPromiseLike(done) ? done.then(() => loop?.complete()) : loop?.complete();
  }
}
