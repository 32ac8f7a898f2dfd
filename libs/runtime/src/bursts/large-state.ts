import type { WorkflowState } from '@waymark/core';

/** So many branches and more: each pass over them takes milliseconds, and a burst makes a dozen of them. */
const MANY_BRANCHES = 1000;

/** True: others get their turn between two passes over the state, so that one instance does not hold up all of the process. */
export function isLarge({ activityExecutionContexts, bookmarks }: WorkflowState): boolean {
  return activityExecutionContexts.length >= MANY_BRANCHES || bookmarks.length >= MANY_BRANCHES;
}
