import type { compileVariable } from '../graph/compile-variable.js';
import { type Entry, readEntry, RestingPart, restingLists } from '../state/resting-state.js';
import { ActivityStatus, type WorkflowState } from '../state/workflow-state.js';
import type { BurstRequest } from './burst-request.js';
import { openBookmark } from './encrypted-parts.js';
import { RECORDED } from './rare-context-parts.js';
import { RestingBookmarks } from './resting-bookmarks.js';
import { RestingContexts, type RestingParts } from './resting-contexts.js';
import { restoreContext, restoreInstance, Restoring, toCallback } from './restore-state.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

/**
 * The parts of a state of which only those are to be restored that its burst needs. Undefined: all of it is to be restored, because it is
 * for another version, was put together by a burst of this process, or belongs to none that resumes a bookmark.
 */
export function restingParts(
  state: WorkflowState,
  { bookmarkId, graph }: Pick<BurstRequest, 'bookmarkId' | 'graph'>,
): RestingParts | undefined {
  // A start that is kept asks for each bookmark whether it is one of its own.
  const lists = bookmarkId === undefined || state.triggerActivityId !== undefined ? undefined : restingLists(state);
  if (!lists || state.definitionVersionId !== graph.definition.id) return undefined;
  const { activityExecutionContexts, bookmarks, completionCallbacks } = lists;
  if (!areAtRest(activityExecutionContexts) || !areAtRest(bookmarks) || !areAtRest(completionCallbacks))
    return undefined;
  return { contexts: activityExecutionContexts.toReversed(), bookmarks, callbacks: completionCallbacks };
}

/**
 * Brings a stored state back but for its executions and bookmarks, each of which is restored when something asks for it.
 * @throws NewerFormatError, before anything is changed
 */
export function restoreResting(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  parts: RestingParts,
  types: Parameters<typeof compileVariable>[1],
): void {
  restoreInstance(wec, state);
  wec.bookmarks = new RestingBookmarks(parts.bookmarks, (bookmark) => openBookmark(wec, bookmark));
  const restoring = new Restoring(types);
  const resting = new RestingContexts(parts, (s, index) => {
    const ctx = restoreContext(wec, s, restoring, index);
    if (!ctx) return undefined;
    if (s.isRecorded && wec.journal) ctx.recordedParts = RECORDED;
    for (const { id } of resting.bookmarksOf(s.id)) if (wec.bookmarks.has(id)) ctx.addBookmarkId(id);
    const callback = resting.callbackOf(s.id);
    if (callback && ctx.parent && ctx.status !== ActivityStatus.Canceled)
      ctx.callback = toCallback(readEntry(callback));
    const children = resting.childrenOf(s.id);
    if (children) ctx.children.resting = children;
    return ctx;
  });
  wec.contexts.resting = resting;
  wec.asksAtEnd = true;
  // The root is a member of the instance, and what has no container would be asked for by none.
  for (const { id, ownerId } of parts.contexts) if (ownerId === undefined) resting.wake(id);
}

const areAtRest = <T>(entries: readonly Entry<T>[]): entries is readonly RestingPart<T>[] =>
  entries.every((entry) => entry instanceof RestingPart);
