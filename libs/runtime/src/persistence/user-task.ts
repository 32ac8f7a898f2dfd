/** Open → Completed | Cancelled; a cancelled one is open again when its instance is repaired. */
export const UserTaskStatus = { Open: 'Open', Completed: 'Completed', Cancelled: 'Cancelled' } as const;
export type UserTaskStatus = (typeof UserTaskStatus)[keyof typeof UserTaskStatus];

/** A task for people, which an activity waits for. */
export interface UserTaskRecord {
  /** Id of the bookmark at which the instance waits. */
  id: string;
  /** Id of the workflow instance. */
  workflowInstanceId: string;
  /** Logical id of the workflow definition, which all its versions share. */
  workflowDefinitionId: string;
  /** Id of the activity in its definition. */
  activityId: string;
  /** Id of the execution of the activity. */
  activityInstanceId: string;
  /** Correlation id of the instance: its business key. */
  correlationId?: string;
  /** The kind of task, by which applications choose a page. */
  name: string;
  /** Title for people. */
  title: string;
  /** Instructions for the person who works on it. */
  instructions?: string;
  /** From 0 to 100; higher ones come first in lists of the order `Priority`. */
  priority: number;
  /** Users who may claim it. */
  candidateUsers: readonly string[];
  /** Groups whose members may claim it. */
  candidateGroups: readonly string[];
  /** The user who has claimed it or was assigned to it. */
  assignee?: string;
  /** Outcomes with which it may be completed. */
  outcomes: readonly string[];
  /** JSON Schema of its form. */
  form?: Readonly<Record<string, unknown>>;
  /** Data that the workflow shows with it. */
  data?: unknown;
  /** Whether it is open, also while it is claimed, or how it has ended. */
  status: UserTaskStatus;
  /** When it should be done. */
  dueAt?: Date;
  /** When it was escalated, because it was not done in time. */
  escalatedAt?: Date;
  /** When the instance began to wait for it. */
  createdAt: Date;
  /** When it was last changed. */
  updatedAt: Date;
  /** When it was completed or cancelled. */
  endedAt?: Date;
  /** Who completed it. */
  completedBy?: string;
  /** Outcome that it was completed with. */
  outcome?: string;
  /** The submitted values; sensitive fields are redacted. */
  values?: unknown;
  /** Counts changes; a writer must know it. */
  revision: number;
  /** Set by the store where a part of the row cannot be read: that part is empty. The task cannot be changed. */
  unreadable?: Error;
}

/** What happens to tasks for people. */
export const UserTaskEventKind = {
  Created: 'Created',
  Claimed: 'Claimed',
  Released: 'Released',
  Delegated: 'Delegated',
  Commented: 'Commented',
  Reminded: 'Reminded',
  Due: 'Due',
  Escalated: 'Escalated',
  Completed: 'Completed',
  Cancelled: 'Cancelled',
} as const;
export type UserTaskEventKind = (typeof UserTaskEventKind)[keyof typeof UserTaskEventKind];

/** An entry of the history of a task. */
export interface UserTaskEvent {
  /** Id of the event. */
  id: string;
  /** Id of the task. */
  taskId: string;
  /** Id of the workflow instance. */
  workflowInstanceId: string;
  /** What happened. */
  kind: UserTaskEventKind;
  /** When it happened. */
  at: Date;
  /** Who did it; absent: the workflow. */
  by?: string;
  /** To whom it was delegated. */
  to?: string;
  /** Text of a comment, or the reason for a delegation. */
  text?: string;
  /** Outcome that the task was completed with. */
  outcome?: string;
}

/** A task that is ended as completed. */
export interface CompletedUserTask {
  /** Id of the task. */
  readonly id: string;
  /** Revision of the task at which the completion was checked. */
  readonly revision: number;
  /** Who completed it. */
  readonly by: string;
  /** With what outcome. */
  readonly outcome: string;
  /** The submitted values; sensitive fields are redacted. */
  readonly values?: unknown;
  /** If true, the task was ended before, by a node that could not run its workflow. @default the commit ends it */
  readonly isStored?: boolean;
}

/** What a commit does to tasks. */
export interface UserTaskChanges {
  /** When the burst was committed. */
  readonly at: Date;
  /** Tasks that begin. */
  readonly opened: readonly UserTaskRecord[];
  /** Of those opened, which were there before: cancelled by a fault that was repaired. */
  readonly reopenedIds: readonly string[];
  /** Tasks that end as completed. */
  readonly completed: readonly CompletedUserTask[];
  /** Those that have ended already are left alone. */
  readonly cancelledIds: readonly string[];
  /** Entries of their histories. */
  readonly events: readonly UserTaskEvent[];
}

/** Order in which tasks are listed. */
export const UserTaskOrder = {
  /** The oldest first. */
  Oldest: 'Oldest',
  Newest: 'Newest',
  /** The earliest due date first; those without one last, the oldest first. */
  Due: 'Due',
  /** The highest priority first; among equals the oldest. */
  Priority: 'Priority',
} as const;
export type UserTaskOrder = (typeof UserTaskOrder)[keyof typeof UserTaskOrder];

/** All given members must hold; an empty list matches nothing. */
export interface UserTaskFilter {
  /** On one of these lists: see `listsOf`. @default any task, on a list or not */
  readonly lists?: readonly string[];
  /** Only those with one of these statuses. */
  readonly statuses?: readonly UserTaskStatus[];
  /** Only those that one of these users has. */
  readonly assignees?: readonly string[];
  /** Only those of these kinds. */
  readonly names?: readonly string[];
  /** Only those of these instances. */
  readonly workflowInstanceIds?: readonly string[];
  /** Only those of these definitions. */
  readonly workflowDefinitionIds?: readonly string[];
  /** Only those of instances with one of these correlation ids. */
  readonly correlationIds?: readonly string[];
  /** Only those that are due before that time. */
  readonly dueBefore?: Date;
  /** Only those of that priority or a higher one. */
  readonly minPriority?: number;
}

/** One part of a list of tasks. */
export interface UserTaskPage {
  /** In the order that was asked for. */
  readonly items: UserTaskRecord[];
  /** Where the next page begins; undefined if this was the last one. */
  readonly next: string | undefined;
}

/** Names of lists: of an assignee, of the candidates of an unclaimed task, and of the person who completed one. */
export const taskList = {
  assigned: (user: string): string => `a:${user}`,
  candidateUser: (user: string): string => `u:${user}`,
  candidateGroup: (group: string): string => `g:${group}`,
  completed: (user: string): string => `d:${user}`,
} as const;

/** The lists that a task is on. */
export function listsOf(
  task: Pick<UserTaskRecord, 'status' | 'assignee' | 'candidateUsers' | 'candidateGroups' | 'completedBy'>,
): string[] {
  const { status, assignee, candidateUsers, candidateGroups, completedBy } = task;
  if (status === 'Completed') return completedBy === undefined ? [] : [taskList.completed(completedBy)];
  if (status === 'Cancelled') return [];
  if (assignee !== undefined) return [taskList.assigned(assignee)];
  const lists = [...candidateUsers.map(taskList.candidateUser), ...candidateGroups.map(taskList.candidateGroup)];
  return [...new Set(lists)];
}

/** Stands for no due date: later than any. */
export const NEVER_DUE = 8_640_000_000_000_000;

/** The due time in milliseconds, by which lists are sorted; `NEVER_DUE` without one. */
export const dueOf = ({ dueAt }: Pick<UserTaskRecord, 'dueAt'>): number => dueAt?.getTime() ?? NEVER_DUE;

/** By what lists are sorted before the id, the smallest first. Undefined: by the id alone. */
export function sortKey(order: UserTaskOrder, task: Pick<UserTaskRecord, 'dueAt' | 'priority'>): number | undefined {
  if (order === 'Due') return dueOf(task);
  return order === 'Priority' ? -task.priority : undefined;
}

const MAX_PRIORITY = 100;

/** Where a page begins: behind that task. */
export interface UserTaskCursor {
  /** What it is sorted by; undefined: by its id alone. */
  readonly key: number | undefined;
  /** Id of the task. */
  readonly id: string;
}

/** Where the page after that task begins, as `next` of a page. */
export function cursorText(order: UserTaskOrder, task: Pick<UserTaskRecord, 'id' | 'dueAt' | 'priority'>): string {
  return `${sortKey(order, task) ?? ''}~${task.id}`;
}

/** Reads a cursor; undefined if the text is not a cursor of that order. */
export function readCursor(order: UserTaskOrder, text: string): UserTaskCursor | undefined {
  const [, number, id] = /^(-?\d{0,16})~(.+)$/s.exec(text) ?? [];
  if (number === undefined || id === undefined) return undefined;
  const isNumbered = order === 'Due' || order === 'Priority';
  if (isNumbered === (number === '') || number === '-') return undefined;
  // A column holds no more, and no task has less.
  if (order === 'Priority' && Math.abs(Number(number)) > MAX_PRIORITY) return undefined;
  return { key: isNumbered ? Number(number) : undefined, id };
}
