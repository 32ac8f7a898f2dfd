import type { WorkflowStatus } from '@waymark/core';
import type { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowEvent, type WorkflowExecuted } from '../events/workflow-events.js';

/** Events of a commit in their order. */
const EXECUTED: readonly WorkflowEvent[] = [
  WorkflowEvent.WorkflowExecuted,
  WorkflowEvent.WorkflowStateCommitted,
  WorkflowEvent.WorkflowFinished,
];
const EXECUTED_FIRST: readonly WorkflowEvent[] = [WorkflowEvent.WorkflowStarted, ...EXECUTED];
const HALFWAY: readonly WorkflowEvent[] = [WorkflowEvent.WorkflowStateCommitted];
const HALFWAY_FIRST: readonly WorkflowEvent[] = [WorkflowEvent.WorkflowStarted, ...HALFWAY];

/** What a commit announces. Most events have no listener: without a listener this is nothing to wait for. */
export function emitExecuted(
  emitter: WorkflowEventEmitter,
  status: WorkflowStatus,
  isFirst: boolean,
  isHalfway: boolean,
  executed: () => WorkflowExecuted,
): void | Promise<void> {
  const all = isHalfway ? (isFirst ? HALFWAY_FIRST : HALFWAY) : isFirst ? EXECUTED_FIRST : EXECUTED;
  let heard: WorkflowEvent[] | undefined;
  for (const event of all)
    if (emitter.isHeard(event) && (event !== WorkflowEvent.WorkflowFinished || status === 'Finished'))
      (heard ??= []).push(event);
  if (heard) return emitAll(emitter, heard, executed());
}

async function emitAll(
  emitter: WorkflowEventEmitter,
  events: readonly WorkflowEvent[],
  executed: WorkflowExecuted,
): Promise<void> {
  for (const event of events) await emitter.emit(event, executed);
}
