import type { JournalChunk, WorkflowState } from '@waymark/core';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import type { BookmarkPattern, StoredBookmark } from '../persistence/records.js';
import type { IndexedTriggers } from '../services/trigger-services.js';

/** Names under which events are emitted through @nestjs/event-emitter, always after the commit they tell of (W1). */
export const WorkflowEvent = {
  TriggersIndexed: 'waymark.triggers.indexed',
  BookmarksIndexed: 'waymark.bookmarks.indexed',
  BookmarkPatternsChanged: 'waymark.bookmarks.patterns-changed',
  WorkflowStarted: 'waymark.workflow.started',
  WorkflowExecuted: 'waymark.workflow.executed',
  WorkflowFinished: 'waymark.workflow.finished',
  WorkflowStateCommitted: 'waymark.workflow.committed',
  WorkflowInstancesDeleted: 'waymark.workflow.deleted',
  RunTaskRequested: 'waymark.task.requested',
  DefinitionPublished: 'waymark.definition.published',
  DefinitionRetracted: 'waymark.definition.retracted',
  DefinitionDraftSaved: 'waymark.definition.draft-saved',
  DefinitionsDeleted: 'waymark.definition.deleted',
  DefinitionsChanged: 'waymark.definition.changed',
} as const;
export type WorkflowEvent = (typeof WorkflowEvent)[keyof typeof WorkflowEvent];

/** Trigger rows of a definition changed (or were found at start-up: then all are `added`). */
export class WorkflowTriggersIndexed {
  constructor(readonly indexed: IndexedTriggers) {}
}

/** Bookmark rows of an instance changed. */
export class WorkflowBookmarksIndexed {
  constructor(
    readonly workflowInstanceId: string,
    readonly added: readonly StoredBookmark[],
    readonly removed: readonly StoredBookmark[],
    readonly unchanged: readonly StoredBookmark[],
  ) {}
}

/** Instances of other nodes wait at patterns that this node did not know. */
export class BookmarkPatternsChanged {
  /** @param patterns all there are */
  constructor(readonly patterns: readonly BookmarkPattern[]) {}
}

/**
 * A burst was committed. `WorkflowStarted`, `WorkflowFinished` and `WorkflowStateCommitted` carry the same; the last one tells
 * of commits in the middle of a burst, too.
 */
export class WorkflowExecuted {
  constructor(
    readonly workflowInstanceId: string,
    readonly state: WorkflowState,
    readonly journal: JournalChunk,
  ) {}
}

export class WorkflowInstancesDeleted {
  constructor(readonly workflowInstanceIds: readonly string[]) {}
}

/** Work for the host: do it, then report it with `ITaskReporter`. */
export class RunTaskRequest {
  constructor(
    readonly taskId: string,
    readonly taskName: string,
    readonly taskPayload: unknown,
    readonly workflowInstanceId: string,
    readonly activityInstanceId: string,
    readonly correlationId?: string,
  ) {}
}

export class DefinitionChanged {
  constructor(readonly definition: LoadedDefinition) {}
}

export class DefinitionsDeleted {
  constructor(readonly definitionIds: readonly string[]) {}
}
