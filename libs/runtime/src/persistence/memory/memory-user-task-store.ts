import {
  type CompletedUserTask,
  cursorText,
  dueOf,
  listsOf,
  readCursor,
  sortKey,
  type UserTaskRecord,
  type UserTaskCursor,
  type UserTaskChanges,
  type UserTaskEvent,
  type UserTaskFilter,
  type UserTaskOrder,
  type UserTaskPage,
} from '../user-task.js';
import { InvalidUserTaskRequestError } from '../user-task-errors.js';
import type { UserTaskEventPage, UserTaskStore, UserTaskWindow } from '../user-task-store.js';
import { requireStorableCompletion } from '../storable-rows.js';
import { isolate } from './isolate.js';
import type { MemoryData } from './memory-data.js';

const NO_CHANGES = { opened: [], reopenedIds: [], completed: [], cancelledIds: [], events: [] } as const;

export class MemoryUserTaskStore implements UserTaskStore {
  constructor(private readonly data: MemoryData) {}

  async find(id: string): Promise<UserTaskRecord | undefined> {
    const row = this.data.userTasks.get(id);
    return row && isolate(row);
  }

  async findMany(
    filter: UserTaskFilter,
    order: UserTaskOrder,
    { limit, after }: UserTaskWindow,
  ): Promise<UserTaskPage> {
    const compare = comparison(order);
    const rows = this.candidates(filter).filter((task) => matches(filter, task));
    const behind = after === undefined ? rows : rows.filter((task) => isBehind(order, cursorOf(order, after), task));
    const items = behind.sort(compare).slice(0, limit);
    return {
      items: isolate(items),
      next: items.length === limit && limit > 0 ? cursorText(order, items.at(-1)!) : undefined,
    };
  }

  async update(given: UserTaskRecord, event: UserTaskEvent): Promise<'updated' | 'changed' | 'known'> {
    const { userTasks, userTaskEvents } = this.data;
    if (userTaskEvents.has(event.id)) return 'known';
    if (userTasks.get(given.id)?.revision !== given.revision) return 'changed';
    const task = isolate({ ...given, revision: given.revision + 1 }, `task "${given.id}"`);
    userTaskEvents.put(isolate(event));
    userTasks.put(task);
    return 'updated';
  }

  async complete(completed: CompletedUserTask, event: UserTaskEvent): Promise<'updated' | 'changed' | 'known'> {
    requireStorableCompletion(completed);
    if (this.data.userTaskEvents.has(event.id)) return 'known';
    const changes = { ...NO_CHANGES, at: event.at, completed: [completed], events: [event] };
    if (changedTask(this.data, changes) !== undefined) return 'changed';
    changeTasks(this.data, changes);
    return 'updated';
  }

  async findEvents(taskId: string, { limit, after = '0' }: UserTaskWindow): Promise<UserTaskEventPage> {
    const skip = /^\d+$/.test(after) ? Number(after) : notACursor(after);
    const all = [...this.data.userTaskEvents.find('task', taskId)];
    const events = all.slice(skip, skip + limit);
    return { events: isolate(events), next: events.length === limit ? String(skip + limit) : undefined };
  }

  async discard(id: string, event: UserTaskEvent): Promise<void> {
    changeTasks(this.data, {
      ...NO_CHANGES,
      at: event.at,
      cancelledIds: [id],
      events: this.data.userTasks.get(id)?.status === 'Open' ? [event] : [],
    });
  }

  private candidates({ workflowInstanceIds }: UserTaskFilter): UserTaskRecord[] {
    const { userTasks } = this.data;
    if (!workflowInstanceIds) return [...userTasks.values()];
    return [...new Set(workflowInstanceIds)].flatMap((id) => [...userTasks.find('instance', id)]);
  }
}

/** Within a commit, whose checks have passed. */
export function changeTasks(data: MemoryData, changes: UserTaskChanges): void {
  const { at, opened, completed, cancelledIds, events } = changes;
  for (const task of opened) data.userTasks.put(isolate(task, `task "${task.id}"`));
  for (const { id, by, outcome, values } of completed) {
    const task = data.userTasks.get(id)!;
    const ended = { status: 'Completed', completedBy: by, outcome, values, endedAt: at, updatedAt: at } as const;
    data.userTasks.put(isolate({ ...task, ...ended, revision: task.revision + 1 }));
  }
  for (const id of cancelledIds) {
    const task = data.userTasks.get(id);
    if (task?.status !== 'Open') continue;
    const ended = { status: 'Cancelled', endedAt: at, updatedAt: at } as const;
    data.userTasks.put({ ...task, ...ended, revision: task.revision + 1 });
  }
  for (const event of events) data.userTaskEvents.put(isolate(event));
}

/** The first completed task that is not as it was read. */
export function changedTask(data: MemoryData, changes: UserTaskChanges | undefined): string | undefined {
  return changes?.completed.find(({ id, revision }) => {
    const task = data.userTasks.get(id);
    return task?.status !== 'Open' || task.revision !== revision;
  })?.id;
}

export function deleteTasks({ userTasks, userTaskEvents }: MemoryData, instanceId: string): void {
  for (const table of [userTasks, userTaskEvents])
    for (const { id } of [...table.find('instance', instanceId)]) table.delete(id);
}

function matches(filter: UserTaskFilter, task: UserTaskRecord): boolean {
  const { lists, statuses, assignees, names, workflowDefinitionIds, correlationIds, dueBefore, minPriority } = filter;
  const among = (values: readonly string[] | undefined, value: string | undefined): boolean =>
    !values || (value !== undefined && values.includes(value));
  return (
    (!lists || listsOf(task).some((list) => lists.includes(list))) &&
    among(statuses, task.status) &&
    among(assignees, task.assignee) &&
    among(names, task.name) &&
    among(workflowDefinitionIds, task.workflowDefinitionId) &&
    among(correlationIds, task.correlationId) &&
    (!dueBefore || dueOf(task) < dueBefore.getTime()) &&
    (minPriority === undefined || task.priority >= minPriority)
  );
}

function cursorOf(order: UserTaskOrder, text: string): UserTaskCursor {
  return readCursor(order, text) ?? notACursor(text);
}

function notACursor(text: string): never {
  throw new InvalidUserTaskRequestError(
    `"${text.slice(0, 100)}" is not a cursor of this list. Take \`next\` of its last page.`,
  );
}

function isBehind(order: UserTaskOrder, { key, id }: UserTaskCursor, task: UserTaskRecord): boolean {
  const own = sortKey(order, task);
  if (own !== undefined && key !== undefined && own !== key) return own > key;
  return order === 'Newest' ? task.id < id : task.id > id;
}

function comparison(order: UserTaskOrder): (left: UserTaskRecord, right: UserTaskRecord) => number {
  const byId = (left: UserTaskRecord, right: UserTaskRecord) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
  if (order === 'Newest') return (left, right) => byId(right, left);
  return (left, right) => (sortKey(order, left) ?? 0) - (sortKey(order, right) ?? 0) || byId(left, right);
}
