import { TIMEOUT_BOOKMARK } from '../definitions/activity-timeout.js';
import { ActivityTimeoutError } from '../errors/execution-errors.js';
import type { Bookmark } from '../state/workflow-state.js';
import { warnOfTimeout } from './fault-handlers.js';
import { forgetFaultsBelow } from './recover-from-faults.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';

/** Databases hold no later time, and no application waits that long. */
export const LATEST_TIME = 253_402_300_799_000;
/** Name of the bookmark's metadata that says how long it was, for the error. */
const TIMEOUT_MS = 'timeoutMs';

/** Property of an execution that only cleans up before it fails by its timeout: it has as long as it needs. */
const TIMED_OUT = 'IsTimedOut';

/** Has the execution end in time, if it does not already. What completes before takes the bookmark with it. */
export function startTimeout(ctx: ActivityExecutionContext, timeoutMs: number): void {
  if (timeoutOf(ctx) || ctx.existingProperties?.[TIMED_OUT] === true) return;
  ctx.createBookmark({
    name: TIMEOUT_BOOKMARK,
    includeActivityInstanceId: true,
    dueAt: new Date(Math.min(ctx.workflow.now() + Math.ceil(timeoutMs), LATEST_TIME)),
    metadata: { [TIMEOUT_MS]: String(Math.ceil(timeoutMs)) },
  });
}

/** A failed execution may stand for long, until it is repaired. The next attempt has its own time. */
export function endTimeout(ctx: ActivityExecutionContext): void {
  if (ctx.existingProperties?.[TIMED_OUT] !== undefined) delete ctx.properties[TIMED_OUT];
  const bookmark = timeoutOf(ctx);
  if (!bookmark) return;
  ctx.workflow.bookmarks.delete(bookmark.id);
  ctx.forgetBookmarkId(bookmark.id);
}

/** The time is over. @throws ActivityTimeoutError, unless there is something to clean up before */
export function endInTime(ctx: ActivityExecutionContext, { metadata }: Bookmark): unknown {
  const error = new ActivityTimeoutError(ctx.node.id, Number(metadata?.[TIMEOUT_MS] ?? 0));
  if (ctx.activity.onTimedOut?.(ctx, error) === true) {
    ctx.properties[TIMED_OUT] = true;
    return ctx.activity.onCleanedUp!(ctx);
  }
  forgetFaultsBelow(ctx);
  ctx.cancelChildren();
  ctx.removeBookmarks();
  throw error;
}

/**
 * Of an execution that is given up at its timeout without being run: all that it contains is cancelled, and another attempt repeats what it
 * was at. What a scope has to undo is left to that attempt.
 * @returns a promise when more than a thousand waiting executions are cancelled
 */
export function cancelAtTimeout(ctx: ActivityExecutionContext, error: Error): unknown {
  try {
    if (ctx.activity.isScope?.(ctx) !== true) ctx.activity.onTimedOut?.(ctx, error);
  } catch (failure) {
    // An instance that cannot be given up would keep its message without end.
    warnOfTimeout(ctx, failure);
  }
  return ctx.cancelChildren();
}

/** A timeout ends a wait; it is not a wait itself. */
export function isTimeoutAlone(ctx: ActivityExecutionContext): boolean {
  // Not in the signature: the published type does not have them.
  const { bookmarkIds, workflow } = ctx;
  if (bookmarkIds?.size !== 1) return false;
  for (const id of bookmarkIds) return workflow.bookmarks.get(id)?.name === TIMEOUT_BOOKMARK;
  return false;
}

function timeoutOf({ bookmarkIds, workflow }: ActivityExecutionContext): Bookmark | undefined {
  for (const id of bookmarkIds ?? []) {
    const bookmark = workflow.bookmarks.get(id);
    if (bookmark?.name === TIMEOUT_BOOKMARK) return bookmark;
  }
  return undefined;
}
