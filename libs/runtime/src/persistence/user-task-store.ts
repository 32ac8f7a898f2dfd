import type {
  CompletedUserTask,
  UserTaskRecord,
  UserTaskEvent,
  UserTaskFilter,
  UserTaskOrder,
  UserTaskPage,
} from './user-task.js';

/** Selects a part of a list of tasks. */
export interface UserTaskWindow {
  /** Rows at most. */
  readonly limit: number;
  /** `next` of the page before, for the same filter and order. @default from the first one */
  readonly after?: string | undefined;
}

/** One part of the history of a task. */
export interface UserTaskEventPage {
  /** In the order in which they were written. */
  readonly events: UserTaskEvent[];
  /** Where the next page begins; undefined if this was the last one. */
  readonly next: string | undefined;
}

/**
 * Tasks for people. `commit` opens and ends them along with the bookmarks that they stand for; here they are read, claimed and
 * commented on. They go with their instance (`InstanceStore.delete` and `purge`). Left out on purpose: a count of a list, which
 * would read all of it.
 */
export interface UserTaskStore {
  /** The task; undefined: it is not there. */
  find(id: string): Promise<UserTaskRecord | undefined>;
  /** A part of the tasks that the filter selects. @throws InvalidCursorError when `after` is not a cursor of that order */
  findMany(filter: UserTaskFilter, order: UserTaskOrder, window: UserTaskWindow): Promise<UserTaskPage>;
  /**
   * Writes who has it, its candidates, priority and times with an entry of the history; `task.revision` is what it was read with.
   * `changed`: another writer was faster, or it is gone. `known`: the history has an event of that id. Both write nothing.
   */
  update(task: UserTaskRecord, event: UserTaskEvent): Promise<'updated' | 'changed' | 'known'>;
  /**
   * Ends an open task as completed, with its entry of the history, while the workflow that waits for it continues later: by `event.at`. The
   * answers are those of `update`.
   */
  complete(completed: CompletedUserTask, event: UserTaskEvent): Promise<'updated' | 'changed' | 'known'>;
  /** The history of a task, a part of it. */
  findEvents(taskId: string, window: UserTaskWindow): Promise<UserTaskEventPage>;
  /** Ends a task as cancelled that nothing waits for any more. Nothing happens when it has ended. */
  discard(id: string, event: UserTaskEvent): Promise<void>;
}
