import type { OutgoingMessage, WorkflowExecutionContext, WorkflowState } from '@waymark/core';
import {
  childReport,
  INLINE_BURST,
  type ParentBookmark,
  REPORT_KEY,
  type ResumeMessage,
} from '../dispatch/messages.js';

/** What has to follow when an instance ends: its parent goes on, and its children end with it when it was cancelled. */
export function finishMessages(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  before: WorkflowState | undefined,
): OutgoingMessage[] {
  if (state.status !== 'Finished' || before?.status === 'Finished') return [];
  const messages: OutgoingMessage[] = [];
  const waiting = state.properties.ParentBookmark as ParentBookmark | undefined;
  // A child that ends within the parent's own burst is answered there: nobody waits for it yet.
  if (waiting && state.parentWorkflowInstanceId && !wec.transient.has(INLINE_BURST)) {
    const payload: ResumeMessage = {
      workflowInstanceId: state.parentWorkflowInstanceId,
      name: waiting.name,
      hash: waiting.hash,
      idempotencyKey: `${REPORT_KEY}${state.id}`,
      input: childReport(state.id, state.status, state.subStatus, state.output),
    };
    messages.push({ kind: 'resume', payload });
  }
  if (state.subStatus === 'Cancelled')
    messages.push({ kind: 'cancel-children', payload: { parentInstanceId: state.id } });
  return messages;
}
