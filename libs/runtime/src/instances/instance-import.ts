import { Injectable } from '@nestjs/common';
import type { WorkflowState, JournalChunk } from '@waymark/core';

import { BookmarkPatterns } from '../patterns/bookmark-patterns.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowBookmarksIndexed, WorkflowEvent } from '../events/workflow-events.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { StoredBookmark } from '../persistence/records.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { Outbox } from '../bursts/outbox.js';
import { concernsTasks, userTaskChanges } from '../bursts/user-task-changes.js';
import { bookmarkChanges } from '../bursts/burst-commit-builder.js';
import { toInstanceRecord } from '../persistence/records.js';

/** Returns a state without its marks of what is recorded: on another server, records may be missing or different. */
export function withoutRecordMarks({ migration: _undoable, ...state }: WorkflowState): WorkflowState {
  return {
    ...state,
    activityExecutionContexts: state.activityExecutionContexts.map((context) => {
      const unmarked = { ...context };
      delete unmarked.isRecorded;
      return unmarked;
    }),
  };
}

/** Stores an instance that ran elsewhere. */
@Injectable()
export class InstanceImport {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly events: WorkflowEventEmitter,
    private readonly patterns: BookmarkPatterns,
    private readonly outbox: Outbox,
    private readonly engine: WorkflowEngine,
  ) {}

  /** Takes the place of an instance with the same id. @param journal what the other server recorded of it */
  async importState(given: WorkflowState, journal: JournalChunk = { log: [], records: [] }): Promise<void> {
    const state = withoutRecordMarks(given);
    const before = await this.persistence.instances.load(state.id);
    const changes = bookmarkChanges(state, before?.state);
    const patterns = this.patterns.unannounced(changes.added);
    const { newId } = this.engine;
    const payloadOf = ({ payload }: StoredBookmark) => payload;
    const mayReopen = before !== undefined;
    const tasks = concernsTasks(changes)
      ? userTaskChanges({ state, changes, outgoing: [], mayReopen, payloadOf, newId })
      : undefined;
    const outbox = this.outbox.prepare(tasks?.messages ?? []);
    await this.persistence.commit({
      instance: toInstanceRecord(state),
      expectedRevision: before?.revision,
      addedBookmarks: changes.added,
      removedBookmarkIds: changes.removed.map((b) => b.id),
      consumedBookmarkIds: [],
      patterns,
      journal,
      outbox,
      consumedMessageIds: [],
      queue: [],
      consumedQueueItemIds: [],
      userTasks: tasks?.changes,
    });
    if (outbox.length > 0) this.outbox.deliverSoon(outbox);
    this.patterns.announced(patterns);
    await this.events.emit(
      WorkflowEvent.BookmarksIndexed,
      new WorkflowBookmarksIndexed(state.id, changes.added, changes.removed, changes.unchanged),
    );
  }
}
