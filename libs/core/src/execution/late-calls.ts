import { ActivityStatus } from '../state/workflow-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';

/**
 * Returns true if the activity has ended, so that a bookmark of it would be lost with the burst, or stay behind without its activity. Mostly the
 * call comes from code that the activity did not await. It is logged, and not thrown: such an error would reach no code, and end the
 * process. One that was cancelled while it waited for something else has done nothing wrong.
 */
export function isTooLateForBookmarks(ctx: ActivityExecutionContext): boolean {
  if (!ctx.isFinal) return false;
  if (ctx.status !== ActivityStatus.Canceled)
    ctx.workflow.engine.warn?.(
      `WM1047: activity '${ctx.node.id}' (${ctx.node.type}) of instance '${ctx.workflow.id}' has already ended, so its new bookmark is not ` +
        'stored. Create it before execute(), or the callback, has returned and before the activity completes: await or return every promise.',
    );
  return true;
}
