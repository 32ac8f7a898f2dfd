import type { JournalChunk, WorkflowExecutionContext, WorkflowState } from '@waymark/core';
import type { BurstCommit, TriggerFiring } from '../persistence/burst-commit.js';
import {
  type LoadedInstance,
  type OutboxMessage,
  type StoredBookmark,
  toStoredBookmark,
  type WorkflowInstanceRecord,
} from '../persistence/records.js';

/** What a burst uses up or holds besides the instance itself. */
export interface BurstExtras {
  readonly consumedMessageIds?: readonly string[];
  readonly consumedQueueItemIds?: readonly string[];
  readonly firing?: TriggerFiring;
  readonly activationKey?: string;
  readonly requestKey?: string;
}

export interface BookmarkChanges {
  readonly added: readonly StoredBookmark[];
  readonly removed: readonly StoredBookmark[];
  readonly unchanged: readonly StoredBookmark[];
}

/** Scalar members repeat what the state says. */
export function toInstanceRecord(state: WorkflowState): WorkflowInstanceRecord {
  return {
    id: state.id,
    definitionId: state.definitionId,
    definitionVersionId: state.definitionVersionId,
    version: state.definitionVersion,
    parentWorkflowInstanceId: state.parentWorkflowInstanceId,
    status: state.status,
    subStatus: state.subStatus,
    isExecuting: state.isExecuting,
    correlationId: state.correlationId,
    name: state.name,
    incidentCount: state.incidents.length,
    isSystem: state.isSystem,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    finishedAt: state.finishedAt,
    state,
  };
}

/** Rows of an instance's bookmarks: only a running one can be resumed. */
export function bookmarkChanges(state: WorkflowState, before: WorkflowState | undefined): BookmarkChanges {
  const rowsOf = (s: WorkflowState | undefined) =>
    s?.status === 'Running' ? s.bookmarks.map((b) => toStoredBookmark(b, s.id, s.correlationId)) : [];
  const old = rowsOf(before);
  const now = rowsOf(state);
  if (!old.length && !now.length) return { added: [], removed: [], unchanged: [] };
  const oldIds = new Set(old.map((b) => b.id));
  const nowIds = new Set(now.map((b) => b.id));
  return {
    added: now.filter((b) => !oldIds.has(b.id)),
    removed: old.filter((b) => !nowIds.has(b.id)),
    unchanged: now.filter((b) => oldIds.has(b.id)),
  };
}

export function buildCommit(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  before: LoadedInstance | undefined,
  changes: BookmarkChanges,
  journal: JournalChunk,
  outbox: readonly OutboxMessage[],
  extras: BurstExtras,
): BurstCommit {
  const removedBookmarkIds = changes.removed.map((b) => b.id);
  const removed = new Set(removedBookmarkIds);
  return {
    instance: toInstanceRecord(state),
    expectedRevision: before?.revision,
    addedBookmarks: changes.added,
    removedBookmarkIds,
    consumedBookmarkIds: wec.consumedBookmarkIds.filter((id) => removed.has(id)),
    journal,
    outbox,
    consumedMessageIds: extras.consumedMessageIds ?? [],
    queue: [],
    consumedQueueItemIds: extras.consumedQueueItemIds ?? [],
    firing: extras.firing,
    activationKey: extras.activationKey,
    requestKey: extras.requestKey,
  };
}
