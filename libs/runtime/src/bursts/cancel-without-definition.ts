import {
  isWaymarkError,
  JournalEvent,
  type WorkflowExecutionLogEntry,
  type WorkflowGraph,
  type WorkflowState,
} from '@waymark/core';
import type { WorkflowEngine } from '../engine/workflow-engine.js';
import type { LoadedInstance } from '../persistence/records.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { IWorkflowDefinitionService } from '../services/definition-services.js';
import { bookmarkChanges, buildCommit, type BurstExtras } from './burst-commit-builder.js';
import { endMessages } from './finish-messages.js';
import type { Outbox } from './outbox.js';
import { concernsTasks, userTaskChanges } from './user-task-changes.js';

const WORKFLOW_TYPE = 'Elsa.Workflow';

interface Services {
  readonly persistence: WorkflowPersistence;
  readonly outbox: Outbox;
  readonly engine: WorkflowEngine;
}

/** Undefined where no node has it: the instance can only end. @param isNeeded callers that ask for more than a cancellation get the error */
export async function graphToEnd(
  definitions: IWorkflowDefinitionService,
  { definitionVersionId }: LoadedInstance,
  isNeeded: boolean,
): Promise<WorkflowGraph | undefined> {
  try {
    return await definitions.graph(definitionVersionId);
  } catch (error) {
    if (isNeeded || !isWaymarkError(error, 'WM1020')) throw error;
    return undefined;
  }
}

/**
 * Cancels an instance whose version of the definition is not stored: it was deleted, or the instance was imported without it. Its
 * activities are not notified and nothing is compensated; its children are cancelled, and its parent gets its report, as of any instance.
 * @param now in milliseconds
 * @param extras what the commit uses up besides, such as the message that asks for it
 */
export async function cancelWithoutDefinition(
  { persistence, outbox, engine }: Services,
  before: LoadedInstance,
  now: number,
  extras: BurstExtras,
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
      extras: { ...extras, atAnySize: true },
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
