import type { WorkflowState, JournalChunk } from '@waymark/core';

import type { LoadedDefinition } from '../persistence/definition-store.js';
import type { BookmarkPattern, StoredBookmark } from '../persistence/records.js';
import type { UserTaskRecord, UserTaskEventKind } from '../persistence/user-task.js';
import type { IndexedTriggers } from '../services/trigger-services.js';

/**
 * Names of the events that are emitted through @nestjs/event-emitter, always after the commit that they report (W1): on the node
 * that committed, unless the name says otherwise.
 */
export const WorkflowEvent = {
  /** Triggers of a definition changed on this node. Payload: `WorkflowTriggersIndexed`. */
  TriggersIndexed: 'waymark.triggers.indexed',
  /** Bookmarks of an instance changed on this node. Payload: `WorkflowBookmarksIndexed`. */
  BookmarksIndexed: 'waymark.bookmarks.indexed',
  /** Due times changed on this node. Payload: `WorkflowSchedulesIndexed`. */
  SchedulesIndexed: 'waymark.schedules.indexed',
  /** Paths with parameters at which instances wait changed, on any node. Payload: `BookmarkPatternsChanged`. */
  BookmarkPatternsChanged: 'waymark.bookmarks.patterns-changed',
  /** The first commit of an instance. Payload: `WorkflowExecuted`. */
  WorkflowStarted: 'waymark.workflow.started',
  /** The end of a burst. Payload: `WorkflowExecuted`. */
  WorkflowExecuted: 'waymark.workflow.executed',
  /** The end of an instance, also of one that faulted or was cancelled. Payload: `WorkflowExecuted`. */
  WorkflowFinished: 'waymark.workflow.finished',
  /** Each commit of an instance, also in the middle of a burst. Payload: `WorkflowExecuted`. */
  WorkflowStateCommitted: 'waymark.workflow.committed',
  /** Instances were deleted on this node. Payload: `WorkflowInstancesDeleted`. */
  WorkflowInstancesDeleted: 'waymark.workflow.deleted',
  /** A `RunTask` activity waits for the application; at least once. Payload: `RunTaskRequest`. */
  RunTaskRequested: 'waymark.task.requested',
  /** A task for people was created; at least once. Payload: `UserTaskChanged`. */
  UserTaskCreated: 'waymark.user-task.created',
  /** A person claimed a task. Payload: `UserTaskChanged`. */
  UserTaskClaimed: 'waymark.user-task.claimed',
  /** A claim of a task ended. Payload: `UserTaskChanged`. */
  UserTaskReleased: 'waymark.user-task.released',
  /** A task was assigned to another person. Payload: `UserTaskChanged`. */
  UserTaskDelegated: 'waymark.user-task.delegated',
  /** A task got a comment. Payload: `UserTaskChanged`. */
  UserTaskCommented: 'waymark.user-task.commented',
  /** It is time to remind of a task; at least once. Payload: `UserTaskChanged`. */
  UserTaskReminded: 'waymark.user-task.reminded',
  /** A task is due; at least once. Payload: `UserTaskChanged`. */
  UserTaskDue: 'waymark.user-task.due',
  /** A task was escalated; at least once. Payload: `UserTaskChanged`. */
  UserTaskEscalated: 'waymark.user-task.escalated',
  /** A task was completed; at least once. Payload: `UserTaskChanged`. */
  UserTaskCompleted: 'waymark.user-task.completed',
  /** A task was cancelled with its wait; at least once. Payload: `UserTaskChanged`. */
  UserTaskCancelled: 'waymark.user-task.cancelled',
  /** A version was published on this node. Payload: `DefinitionChanged`. */
  DefinitionPublished: 'waymark.definition.published',
  /** A version was retracted on this node. Payload: `DefinitionChanged`. */
  DefinitionRetracted: 'waymark.definition.retracted',
  /** A draft was saved on this node. Payload: `DefinitionChanged`. */
  DefinitionDraftSaved: 'waymark.definition.draft-saved',
  /** Definitions were deleted on this node. Payload: `DefinitionsDeleted`. */
  DefinitionsDeleted: 'waymark.definition.deleted',
  /** Definitions or triggers changed, on any node: emitted on every node, within `pollIntervalMs`. Payload: `DefinitionsChanged`. */
  DefinitionsChanged: 'waymark.definition.changed',
  /** Work waits for a node with its code. Payload: `WorkflowCodeMissing`. */
  CodeMissing: 'waymark.code.missing',
} as const;
export type WorkflowEvent = (typeof WorkflowEvent)[keyof typeof WorkflowEvent];

/** Emitted when this node has changed triggers of a definition. Not at start: `WorkflowPersistence.triggers` has what is there. */
export class WorkflowTriggersIndexed {
  constructor(
    /** What was added, removed and left. */
    readonly indexed: IndexedTriggers,
  ) {}
}

/** Emitted when bookmarks of an instance changed. */
export class WorkflowBookmarksIndexed {
  /** Bookmarks that stayed. They are read when they are asked for: an instance may have thousands. */
  declare readonly unchanged: readonly StoredBookmark[];
  /** An own member, so that JSON and copies of the event have it. One function for all, so that events share a hidden class. */
  static readonly #member: PropertyDescriptor & ThisType<WorkflowBookmarksIndexed> = {
    enumerable: true,
    get() {
      return typeof this.#unchanged === 'function' ? this.#unchanged() : this.#unchanged;
    },
  };
  readonly #unchanged: readonly StoredBookmark[] | (() => readonly StoredBookmark[]);

  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
    /** Bookmarks that are new. */
    readonly added: readonly StoredBookmark[],
    /** Bookmarks that are gone. */
    readonly removed: readonly StoredBookmark[],
    unchanged: readonly StoredBookmark[] | (() => readonly StoredBookmark[]),
  ) {
    this.#unchanged = unchanged;
    // Of most bursts none stayed: to define a getter costs more than all else here.
    if (typeof unchanged === 'function') Object.defineProperty(this, 'unchanged', WorkflowBookmarksIndexed.#member);
    else this.unchanged = unchanged;
  }
}

/** A trigger, bookmark or schedule that fires at a time. */
export interface IndexedSchedule {
  /** `trigger`: starts a published workflow · `bookmark`: resumes an instance · `application`: see `IWorkflowScheduler`. */
  readonly kind: 'application' | 'bookmark' | 'trigger';
  /** Of the trigger, the bookmark, or the id that the application gave. */
  readonly id: string;
  /** Stimulus name, e.g. `Elsa.Timer`. */
  readonly stimulus: string;
  /** Time at which it fires next; absent while it is paused, and if it was removed by its id. */
  readonly dueAt?: Date;
  /** Logical id of the workflow definition, which all its versions share. */
  readonly workflowDefinitionId?: string;
  /** Id of the workflow instance. */
  readonly workflowInstanceId?: string;
}

/**
 * Emitted when triggers, bookmarks or schedules of the application with due times changed, so that this node wakes up for them.
 */
export class WorkflowSchedulesIndexed {
  constructor(
    /** New, or with another time. */
    readonly added: readonly IndexedSchedule[],
    /** Schedules that are gone. */
    readonly removed: readonly IndexedSchedule[],
  ) {}
}

/** Emitted when instances on other nodes wait at patterns that this node did not know, or patterns are no longer used. */
export class BookmarkPatternsChanged {
  constructor(
    /** Patterns that are waited for: all there are, or those that have come. */
    readonly patterns: readonly BookmarkPattern[],
    /** If false, these are new, in addition to those that were announced before. @default true */
    readonly areAll: boolean = true,
  ) {}
}

/**
 * Emitted when a burst was committed. `WorkflowStarted`, `WorkflowFinished` and `WorkflowStateCommitted` have the same payload;
 * the last one is also emitted for commits in the middle of a burst.
 */
export class WorkflowExecuted {
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
    /** The state as it was stored. */
    readonly state: WorkflowState,
    /** What the burst added to the journal; undefined: there is none. */
    readonly journal: JournalChunk,
  ) {}
}

/** Payload of the event about deleted instances. */
export class WorkflowInstancesDeleted {
  constructor(
    /** Their ids. */
    readonly workflowInstanceIds: readonly string[],
  ) {}
}

/** Payload of `RunTaskRequested`: a task for the application, which does it and reports its completion with `ITaskReporter`. */
export class RunTaskRequest {
  constructor(
    /** Id of the task. */
    readonly taskId: string,
    /** Name of the task. */
    readonly taskName: string,
    /** What the task is about. */
    readonly taskPayload: unknown,
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
    /** Id of the execution of the activity. */
    readonly activityInstanceId: string,
    /** Correlation id of the instance: its business key. */
    readonly correlationId?: string,
  ) {}
}

/** Payload of the events about a task for people. */
export class UserTaskChanged {
  constructor(
    /** What happened. */
    readonly kind: UserTaskEventKind,
    /** Id of the task. */
    readonly taskId: string,
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
    /** When it happened. */
    readonly at: Date,
    /** The person; absent when it was the workflow. */
    readonly by: string | undefined,
    /** As it is by now; absent when it was deleted with its instance. */
    readonly task: UserTaskRecord | undefined,
  ) {}
}

/** Payload of the events about one definition: published, retracted, draft saved. */
export class DefinitionChanged {
  constructor(
    /** The version as it is stored now. */
    readonly definition: LoadedDefinition,
  ) {}
}

/**
 * Emitted when work of a version has waited for longer than `missingCodeAlarmMs` for a node with its code. Emitted once until
 * the work is served.
 */
export class WorkflowCodeMissing {
  constructor(
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
    /** Id of one version of the workflow definition. */
    readonly definitionVersionId: string,
    /** Number of the version. */
    readonly version: number,
    /** What this node lacks: places of functions, and activity types. */
    readonly missing: readonly string[],
    /** When the oldest of it was to be done. */
    readonly since: Date,
  ) {}
}

/**
 * Payload of `WorkflowEvent.DefinitionsChanged`. Definitions changed, on this node or another one: caches and routes must
 * follow (W6).
 */
export class DefinitionsChanged {
  /** @param definitionIds those that were saved or deleted, or whose triggers changed; undefined: any may have been */
  constructor(
    /** Change counter of the store after the change. */
    readonly changeCounter: number,
    /** The definitions that changed; undefined: possibly all of them. */
    readonly definitionIds?: readonly string[],
  ) {}
}

/** Payload of the event about deleted definitions. */
export class DefinitionsDeleted {
  constructor(
    /** Their ids. */
    readonly definitionIds: readonly string[],
  ) {}
}
