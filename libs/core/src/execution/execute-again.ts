import { ExecutedAgainError } from '../errors/execution-errors.js';
import { ActivityStatus } from '../state/workflow-state.js';
import { isPromiseLike } from '../values/promise-like.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { cancelAtTimeout } from './activity-timeouts.js';
import { forgetFaultsBelow, recoverFromFaults } from './recover-from-faults.js';

/**
 * Executes an activity anew, as a repair by hand does. One that failed continues from there, with the children that it has. One that waits
 * repeats what it was at, as after a timeout: beside itself, it would take its steps twice.
 * @param hasFailed it stood failed, though its fault may have been recovered since
 * @returns a promise when more than a thousand waiting executions are cancelled for it
 */
export function executeAgain(
  ctx: ActivityExecutionContext,
  hasFailed = ctx.status === ActivityStatus.Faulted,
): Promise<void> | undefined {
  if (hasFailed) {
    recoverFromFaults(ctx.workflow, [ctx]);
    return queueAgain(ctx);
  }
  forgetFaultsBelow(ctx);
  const cancelled = cancelAtTimeout(ctx, new ExecutedAgainError(ctx.node.id));
  return isPromiseLike(cancelled) ? Promise.resolve(cancelled).then(() => queueAgain(ctx)) : queueAgain(ctx);
}

/** Queued twice, it would run again after it has completed. */
function queueAgain(ctx: ActivityExecutionContext): undefined {
  const { queue } = ctx.workflow;
  // It makes them anew: left there, a task would be open twice, and a resume meant for the failed attempt would continue this one.
  ctx.removeBookmarks();
  ctx.attemptsBefore = ctx.attempt++;
  queue.dropRunsOf(ctx);
  queue.add({ node: ctx.node, existing: ctx });
  return undefined;
}
