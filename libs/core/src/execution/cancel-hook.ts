import { toErrorLike } from '../errors/waymark-error.js';
import { isPromiseLike } from '../values/promise-like.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { readableError } from './readable-error.js';

/**
 * Lets an activity that was cancelled release what it holds outside of the workflow. What that throws is logged (`WM1094`): the activity has
 * ended whatever it throws, and an instance could not be cancelled while the service that it releases is unavailable.
 */
export function callOnCanceled(ctx: ActivityExecutionContext): void {
  if (!ctx.activity.onCanceled) return;
  const call = (): unknown => ctx.activity.onCanceled!(ctx);
  const warn = (error: unknown): void => warnOfFailure(ctx, error);
  try {
    // A burst that restored it from a stored state may not have needed its inputs so far.
    const ready = ctx.isRestored ? ctx.workflow.invoker.restoreInputs(ctx) : undefined;
    const done = ready ? ready.then(call) : call();
    if (isPromiseLike(done)) void ctx.workflow.track(Promise.resolve(done).catch(warn));
  } catch (error) {
    warn(error);
  }
}

function warnOfFailure({ node, workflow }: ActivityExecutionContext, error: unknown): void {
  const { message } = toErrorLike(readableError(error));
  workflow.engine.warn?.(
    `WM1094: onCanceled() of activity '${node.nodeId}' (${node.type}) of instance '${workflow.id}' failed: ` +
      `${workflow.secrets.shownError(message)}. The activity is cancelled. Release by hand what it holds outside of the workflow.`,
  );
}
