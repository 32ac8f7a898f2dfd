import type { WorkflowState } from '@waymark/core';
import { countAwake, listLengths, restingLists } from '@waymark/core/adapter';

/** So many branches and more: each pass over them takes milliseconds, and a burst makes a dozen of them. */
const MANY_BRANCHES = 1000;

/** Returns true if others get their turn between two passes over the state, so that one instance does not hold up all of the process. */
export function isLarge(state: WorkflowState): boolean {
  const lists = restingLists(state);
  // What is at rest is looked at by none of these passes.
  if (lists) return countAwake(lists) >= MANY_BRANCHES;
  const { activityExecutionContexts, bookmarks } = listLengths(state);
  return activityExecutionContexts >= MANY_BRANCHES || bookmarks >= MANY_BRANCHES;
}
