import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { BreakSignal } from '../execution/signals.js';
import { isPromiseLike } from '../values/promise-like.js';

const IS_BREAKING = 'IsBreaking';

/** A Break was reached below this activity. Kept in the properties: the activity may be suspended before it unwinds. */
export function isBreaking(ctx: ActivityExecutionContext): boolean {
  return ctx.properties[IS_BREAKING] === true;
}

export function markBreaking(ctx: ActivityExecutionContext): void {
  ctx.properties[IS_BREAKING] = true;
}

/** The attempt in which it was reached is over. */
export function forgetBreak(ctx: ActivityExecutionContext): void {
  if (ctx.existingProperties?.[IS_BREAKING] !== undefined) delete ctx.properties[IS_BREAKING];
}

/**
 * Completes what has sent a Break. Containers on the way complete one after the other; where one of them would not, such as one with
 * other branches, the loop ends nevertheless, or the scope that has to be left before it.
 */
export function leaveBy({ loop, scope }: BreakSignal, sender: ActivityExecutionContext): unknown {
  const end = (): unknown => (scope ? scope.leave() : loop?.complete());
  const done = sender.complete();
  return isPromiseLike(done) ? done.then(end) : end();
}
