import type { WorkflowExecutionContext, WorkflowState } from '@waymark/core';
import type { OutgoingMessage } from '@waymark/core/adapter';
import { type FollowParentMessage, INLINE_BURST, type ParentBookmark, reportToParent } from './messages.js';

/** What has to follow when an instance ends: its parent continues, and its children end with it when it was cancelled. */
export function finishMessages(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  before: WorkflowState | undefined,
): OutgoingMessage[] {
  if (state.status !== 'Finished') return before ? [] : followParent(wec, state);
  if (before?.subStatus === 'Cancelled') return [];
  // Only once: an instance that failed, was repaired and ended again has been reported before. A child that ends within the burst of
  // its parent is answered there: no bookmark waits for it yet.
  return endMessages(state, before?.status !== 'Finished' && !wec.transient.has(INLINE_BURST));
}

/** Not messages of the instance itself, which would be deleted together with it. */
export function endMessages(state: WorkflowState, isAwaited = true): OutgoingMessage[] {
  const messages: OutgoingMessage[] = [];
  const waiting = state.properties.ParentBookmark as ParentBookmark | undefined;
  if (isAwaited && waiting && state.parentWorkflowInstanceId)
    messages.push({ kind: 'resume', payload: reportToParent(state.parentWorkflowInstanceId, waiting, state) });
  if (state.subStatus === 'Cancelled')
    messages.push({ kind: 'cancel-children', payload: { parentInstanceId: state.id } });
  return messages;
}

/**
 * Another node may cancel the parent while its burst runs a child, and finds no child yet. Whichever is stored second, the
 * cancellation or the child, finds the other.
 */
function followParent(wec: WorkflowExecutionContext, state: WorkflowState): OutgoingMessage[] {
  const { id: workflowInstanceId, parentWorkflowInstanceId: parentInstanceId } = state;
  const depth = wec.transient.get(INLINE_BURST);
  if (!parentInstanceId || depth === undefined) return [];
  // A parent that is itself within a burst is stored when that ends.
  const isAwaited = depth === 1 && state.properties.ParentBookmark !== undefined;
  const payload: FollowParentMessage = { workflowInstanceId, parentInstanceId, isAwaited };
  return [{ kind: 'follow-parent', payload }];
}
