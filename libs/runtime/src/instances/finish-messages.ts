import type { OutgoingMessage, WorkflowExecutionContext, WorkflowState } from '@waymark/core';
import { INLINE_BURST, type ParentBookmark, reportToParent } from '../dispatch/messages.js';

/** What has to follow when an instance ends: its parent goes on, and its children end with it when it was cancelled. */
export function finishMessages(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  before: WorkflowState | undefined,
): OutgoingMessage[] {
  if (state.status !== 'Finished' || before?.status === 'Finished') return [];
  // A child that ends within the parent's own burst is answered there: nobody waits for it yet.
  return endMessages(state, !wec.transient.has(INLINE_BURST));
}

/** They are not the instance's own messages, which would go when it is deleted. */
export function endMessages(state: WorkflowState, isAwaited = true): OutgoingMessage[] {
  const messages: OutgoingMessage[] = [];
  const waiting = state.properties.ParentBookmark as ParentBookmark | undefined;
  if (isAwaited && waiting && state.parentWorkflowInstanceId)
    messages.push({ kind: 'resume', payload: reportToParent(state, waiting) });
  if (state.subStatus === 'Cancelled')
    messages.push({ kind: 'cancel-children', payload: { parentInstanceId: state.id } });
  return messages;
}
