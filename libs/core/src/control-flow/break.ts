import { Activity } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { afterRestoring } from '../execution/restore-within.js';
import { BreakSignal } from '../execution/signals.js';
import { isPromiseLike } from '../values/promise-like.js';
import { leaveBy } from './breaking.js';

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
    const leave = (): unknown => {
      const left = signal.scope?.ctx ?? signal.loop;
      return left ? afterRestoring(left, () => leaveBy(signal, ctx)) : leaveBy(signal, ctx);
    };
    return isPromiseLike(sent) ? sent.then(leave) : leave();
  }
}
