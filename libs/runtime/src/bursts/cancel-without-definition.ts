import { JournalEvent, type WorkflowExecutionLogEntry, type WorkflowState } from '@waymark/core';
import type { WorkflowEngine } from '../engine/workflow-engine.js';
import type { LoadedInstance } from '../persistence/records.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { bookmarkChanges, buildCommit } from './burst-commit-builder.js';
import { endMessages } from './finish-messages.js';
import type { Outbox } from './outbox.js';
import { concernsTasks, userTaskChanges } from './user-task-changes.js';

const WORKFLOW_TYPE = 'Elsa.Workflow';

interface Services {
  readonly persistence: WorkflowPersistence;
  readonly outbox: Outbox;
  readonly engine: WorkflowEngine;
}

/**
 * Ends an instance whose version of the definition is not stored: it was deleted, or the instance was imported without it. No activity can
 * be notified, and nothing of it can be undone; what waits for the instance, and its children, are notified as of any other.
 * @param now in milliseconds
 */
export async function cancelWithoutDefinition(
  { persistence, outbox, engine }: Services,
  before: LoadedInstance,
  now: number,
): Promise<void> {
  const { state, entry } = cancelled(before.state, new Date(now));
  const changes = bookmarkChanges(state, before.state);
  const tasks = concernsTasks(changes)
    ? userTaskChanges({
        state,
        changes,
        outgoing: [],
        mayReopen: false,
        payloadOf: ({ payload }) => payload,
        newId: engine.newId,
      })
    : undefined;
  const messages = outbox.prepare([...endMessages(state), ...(tasks?.messages ?? [])]);
  await persistence.commit(
    buildCommit({
      state,
      before,
      changes,
      usedBookmarkIds: [],
      patterns: [],
      journal: { log: entry ? [entry] : [], records: [] },
      outbox: messages,
      extras: { atAnySize: true },
      userTasks: tasks?.changes,
      executedBy: undefined,
      releasesActivationKey: false,
    }),
  );
  outbox.deliverSoon(messages);
}

function cancelled(
  { burstId: _burst, burstOrigin: _origin, ...before }: WorkflowState,
  at: Date,
): { readonly state: WorkflowState; readonly entry: WorkflowExecutionLogEntry | undefined } {
  const root = before.activityExecutionContexts.at(-1);
  const sequence = before.executionLogSequence + 1;
  const state: WorkflowState = {
    ...before,
    status: 'Finished',
    subStatus: 'Cancelled',
    isExecuting: false,
    bookmarks: [],
    completionCallbacks: [],
    scheduledActivities: [],
    activityExecutionContexts: root ? [{ ...root, status: 'Canceled', isExecuting: false, completedAt: at }] : [],
    executionLogSequence: sequence,
    updatedAt: at,
    finishedAt: at,
  };
  const nodeId = root?.scheduledActivityNodeId;
  const entry = root && {
    sequence,
    activityInstanceId: root.id,
    activityId: nodeId!,
    activityNodeId: nodeId!,
    activityType: WORKFLOW_TYPE,
    activityTypeVersion: 1,
    timestamp: at,
    eventName: JournalEvent.WorkflowCancelled,
    message: 'The definition of the instance is not stored, so no activity was notified.',
  };
  return { state, entry };
}
