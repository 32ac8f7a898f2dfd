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
import { inChunks } from '../persistence/in-chunks.js';
import { BookmarkTakenError, InstanceExecutingError } from '../services/instance-errors.js';
import type { ImportStateOptions } from '../services/instance-services.js';
import { InstanceLocks } from '../bursts/instance-locks.js';
import { countingOn, isStillThere, numbered, requireReplaceable } from './replaced-instance.js';

/** Bookmarks that are looked for at a time. */
const LOOKUP = 1000;

/** An instance, and where it waits. */
interface WaitingInstance {
  readonly id: string;
  readonly bookmarks: readonly { readonly id: string }[];
}

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
    private readonly locks: InstanceLocks,
  ) {}

  /**
   * Asked for all that are imported together, before the first of them is stored.
   * @throws BookmarkTakenError when one has a bookmark with the id of another one, of this server or among them
   */
  async requireOwnBookmarks(states: readonly WaitingInstance[]): Promise<void> {
    const owners = new Map<string, string>();
    // Of an instance that is there twice, the last one counts.
    for (const { id, bookmarks } of new Map(states.map((state) => [state.id, state])).values())
      for (const bookmark of bookmarks) {
        const other = owners.get(bookmark.id);
        if (other !== undefined) throw new BookmarkTakenError(bookmark.id, id, other);
        owners.set(bookmark.id, id);
      }
    await inChunks([...owners.keys()], LOOKUP, async (ids) => {
      for (const { id, workflowInstanceId } of await this.persistence.bookmarks.findMany({ ids })) {
        const own = owners.get(id)!;
        if (own !== workflowInstanceId) throw new BookmarkTakenError(id, own, workflowInstanceId);
      }
    });
  }

  /**
   * Takes the place of an instance with the same id, unless it runs and has gone on since.
   * @param journal what the other server recorded of it
   * @throws BookmarkTakenError, InstanceMovedOnError, InstanceExecutingError
   */
  async importState(
    given: WorkflowState,
    journal: JournalChunk = { log: [], records: [] },
    options: ImportStateOptions = {},
  ): Promise<void> {
    const { id } = given;
    // Its commit would be refused, and it would be repeated from the imported state.
    if (this.locks.burstOf(id)) throw new InstanceExecutingError(id);
    const turn = this.locks.enter(id);
    if (turn) await turn;
    try {
      await this.importInTurn(given, journal, options);
    } finally {
      this.locks.leave(id);
    }
  }

  private async importInTurn(
    given: WorkflowState,
    journal: JournalChunk,
    { replace = false }: ImportStateOptions,
  ): Promise<void> {
    const file = numbered(withoutRecordMarks(given), journal);
    const before = await this.persistence.instances.load(file.id);
    if (before) requireReplaceable(before.state, file, replace);
    const state = before ? countingOn(file, before.state) : file;
    const changes = bookmarkChanges(state, before?.state);
    await this.requireOwnBookmarks([{ id: state.id, bookmarks: changes.added }]);
    const patterns = this.patterns.unannounced(changes.added);
    const { newId } = this.engine;
    const payloadOf = ({ payload }: StoredBookmark) => payload;
    const mayReopen = before !== undefined;
    const tasks = concernsTasks(changes)
      ? userTaskChanges({ state, changes, outgoing: [], mayReopen, payloadOf, newId })
      : undefined;
    const outbox = this.outbox.prepare(tasks?.messages ?? []);
    const burst = {
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
      takesBackMessages: before !== undefined && !isStillThere(before.state, file),
    };
    try {
      await this.persistence.commit(burst);
    } catch (error) {
      // Another import may have stored a bookmark with that id since: the store says no more than that the key is taken.
      await this.requireOwnBookmarks([{ id: state.id, bookmarks: changes.added }]);
      throw error;
    }
    if (outbox.length > 0) this.outbox.deliverSoon(outbox);
    this.patterns.announced(patterns);
    await this.events.emit(
      WorkflowEvent.BookmarksIndexed,
      new WorkflowBookmarksIndexed(state.id, changes.added, changes.removed, changes.unchanged),
    );
  }
}
