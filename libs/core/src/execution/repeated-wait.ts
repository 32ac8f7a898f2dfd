import { ActivityStatus } from '../state/workflow-state.js';
import type { Bookmark } from '../state/workflow-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';

/**
 * Name in the metadata of a bookmark under which its repetition is described. Only the library that created the bookmark reads
 * it; see `EngineOptions.repeat`.
 */
export const REPEATS = 'Repeats';

/**
 * After the callback, and not before it: an activity that has completed, or failed, waits no more. One that failed begins again
 * when it is executed anew.
 */
export function waitAgain(ctx: ActivityExecutionContext, bookmark: Bookmark): void {
  if (ctx.status !== ActivityStatus.Running) return;
  const { workflow } = ctx;
  const next = workflow.engine.repeat?.(bookmark, workflow.now());
  if (!next) return;
  const { name, callbackMethodName: callback, metadata, autoComplete } = bookmark;
  ctx.createBookmark({ name, callback, metadata, autoComplete, ...next });
}
