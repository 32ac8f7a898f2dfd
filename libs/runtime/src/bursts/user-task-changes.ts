import type { WorkflowState } from '@waymark/core';
import type { OutgoingMessage } from '@waymark/core/adapter';
import type { StoredBookmark } from '../persistence/records.js';
import type {
  CompletedUserTask,
  UserTaskRecord,
  UserTaskChanges,
  UserTaskEvent,
  UserTaskEventKind,
} from '../persistence/user-task.js';
import type { BookmarkChanges } from './burst-commit-builder.js';

/** Name of the bookmarks of tasks for people, and type of the activity that waits there. */
export const USER_TASK = 'Waymark.UserTask';
/** Kind of the messages about changes of a task that the commit has written, or that are still to be written. */
export const USER_TASK_MESSAGE = 'user-task';

/** Payload of the bookmark: the task as the activity makes it. */
export type UserTaskStimulus = Pick<
  UserTaskRecord,
  'name' | 'title' | 'instructions' | 'priority' | 'candidateUsers' | 'candidateGroups' | 'assignee' | 'outcomes'
> &
  Pick<UserTaskRecord, 'form' | 'data' | 'dueAt'>;

/** Payload of kind `user-task`. */
export interface UserTaskMessage {
  readonly kind: UserTaskEventKind;
  readonly taskId: string;
  readonly workflowInstanceId: string;
  readonly at: Date;
  /** Of a completion. */
  readonly completed?: CompletedUserTask;
  /** Of an escalation: who may take it from now on. */
  readonly candidateUsers?: readonly string[];
  readonly candidateGroups?: readonly string[];
  readonly priority?: number;
}

/** The changes of tasks in a commit, and the messages about them. */
export interface TasksOfCommit {
  readonly changes: UserTaskChanges;
  readonly messages: readonly OutgoingMessage[];
}

export interface TaskParts {
  readonly state: WorkflowState;
  readonly changes: BookmarkChanges;
  readonly outgoing: readonly OutgoingMessage[];
  /** If true, there may be rows of the bookmarks that are added, as of an instance that is repaired. */
  readonly mayReopen: boolean;
  /** What the bookmark holds; its row has it redacted where the state has it encrypted. */
  readonly payloadOf: (bookmark: StoredBookmark) => unknown;
  readonly newId: () => string;
}

/** False for nearly all commits, each of which asks. */
export function concernsTasks({ added, removed }: BookmarkChanges): boolean {
  return added.some(isTask) || removed.some(isTask);
}

/**
 * Tasks are opened and ended together with their bookmarks, whatever ends those: so no way of ending a wait leaves a task open.
 */
export function userTaskChanges({ state, changes, outgoing, mayReopen, payloadOf, newId }: TaskParts): TasksOfCommit {
  const added = changes.added.filter(isTask);
  const removed = changes.removed.filter(isTask);
  const at = state.updatedAt;
  const completed = completions(outgoing);
  const opened = added.map((bookmark) => toTask(bookmark, payloadOf(bookmark) as UserTaskStimulus, state, at));
  const ended = removed.map(({ id }) => id);
  const cancelledIds = ended.filter((id) => !completed.has(id));
  const done = ended.flatMap((id) => completed.get(id) ?? []).filter(({ isStored }) => !isStored);
  const eventOf = (kind: UserTaskEventKind, taskId: string, more: Partial<UserTaskEvent> = {}): UserTaskEvent => ({
    id: newId(),
    taskId,
    workflowInstanceId: state.id,
    kind,
    at,
    ...more,
  });
  const events = [
    ...opened.map(({ id }) => eventOf('Created', id)),
    ...done.map(({ id, by, outcome }) => eventOf('Completed', id, { by, outcome })),
    ...cancelledIds.map((id) => eventOf('Cancelled', id)),
  ];
  const reopenedIds = mayReopen ? opened.map(({ id }) => id) : [];
  const messages = events.filter(({ kind }) => kind !== 'Completed').map(toMessage);
  return { changes: { at, opened, reopenedIds, completed: done, cancelledIds, events }, messages };
}

const isTask = ({ name }: StoredBookmark): boolean => name === USER_TASK;

/** The activity has sent them along with taking its bookmark away. */
function completions(outgoing: readonly OutgoingMessage[]): ReadonlyMap<string, CompletedUserTask> {
  const found = new Map<string, CompletedUserTask>();
  for (const { kind, payload } of outgoing) {
    const { completed } = kind === USER_TASK_MESSAGE ? (payload as UserTaskMessage) : {};
    if (completed) found.set(completed.id, completed);
  }
  return found;
}

/** Not as the instance's own message, which a cancellation would take back. */
function toMessage({ kind, taskId, workflowInstanceId, at }: UserTaskEvent): OutgoingMessage {
  const payload: UserTaskMessage = { kind, taskId, workflowInstanceId, at };
  return { kind: USER_TASK_MESSAGE, payload };
}

function toTask(
  bookmark: StoredBookmark,
  shown: UserTaskStimulus,
  { definitionId, bookmarks }: WorkflowState,
  at: Date,
): UserTaskRecord {
  const { id, workflowInstanceId, activityInstanceId, correlationId } = bookmark;
  return {
    id,
    workflowInstanceId,
    workflowDefinitionId: definitionId,
    activityId: bookmarks.find((each) => each.id === id)?.activityId ?? '',
    activityInstanceId,
    correlationId,
    name: shown.name,
    title: shown.title,
    instructions: shown.instructions,
    priority: shown.priority,
    candidateUsers: shown.candidateUsers,
    candidateGroups: shown.candidateGroups,
    assignee: shown.assignee,
    outcomes: shown.outcomes,
    form: shown.form,
    data: shown.data,
    status: 'Open',
    dueAt: shown.dueAt,
    createdAt: bookmark.createdAt,
    updatedAt: at,
    revision: 1,
  };
}
