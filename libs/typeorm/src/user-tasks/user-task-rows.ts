import { deserialize } from '@waymark/core/adapter';
import { type UserTaskRecord, type UserTaskEvent } from '@waymark/runtime';
import { dueOf, listsOf, NEVER_DUE } from '@waymark/runtime/adapter';
import type { Row, SqlValue } from '../database/statement.js';
import { columnMap } from '../rows/column-map.js';
import { toNumber, toText } from '../rows/column-values.js';
import { date, number, optionalDate, optionalText, text } from '../rows/member-columns.js';
import { parseStored } from '../rows/parse-stored.js';
import { serialize } from '../rows/stored-text.js';

/** What the workflow said when it opened the task; no list is filtered by it. */
type Data = Pick<
  UserTaskRecord,
  'activityId' | 'activityInstanceId' | 'title' | 'instructions' | 'outcomes' | 'form' | 'data'
>;
type Candidates = Pick<UserTaskRecord, 'candidateUsers' | 'candidateGroups'>;

export const TASK = columnMap<Omit<UserTaskRecord, 'unreadable'>>()({
  id: text('id'),
  workflow_instance_id: text('workflowInstanceId'),
  workflow_definition_id: text('workflowDefinitionId'),
  correlation_id: optionalText('correlationId'),
  name: text('name'),
  status: {
    members: ['status'],
    write: ({ status }) => status,
    read: (value, task) => {
      task.status = toText(value) as UserTaskRecord['status'];
    },
  },
  assignee: optionalText('assignee'),
  priority_rank: {
    members: ['priority'],
    write: ({ priority }) => -priority,
    read: (value, task) => {
      // Not minus zero.
      task.priority = 0 - toNumber(value);
    },
  },
  due_at: {
    members: ['dueAt'],
    write: dueOf,
    read: (value, task) => {
      const due = toNumber(value);
      if (due !== NEVER_DUE) task.dueAt = new Date(due);
    },
  },
  data: {
    members: ['activityId', 'activityInstanceId', 'title', 'instructions', 'outcomes', 'form', 'data'],
    write: ({ id, activityId, activityInstanceId, title, instructions, outcomes, form, data }) => {
      const stored: Data = { activityId, activityInstanceId, title, instructions, outcomes, form, data };
      return serialize(stored, `task "${id}"`);
    },
    read: (value, task) => {
      Object.assign(task, deserialize<Data>(toText(value)));
    },
  },
  candidates: {
    members: ['candidateUsers', 'candidateGroups'],
    write: candidatesText,
    read: (value, task) => {
      Object.assign(task, parseStored(toText(value)) as Candidates);
    },
  },
  escalated_at: optionalDate('escalatedAt'),
  created_at: date('createdAt'),
  updated_at: date('updatedAt'),
  ended_at: optionalDate('endedAt'),
  completed_by: optionalText('completedBy'),
  outcome: optionalText('outcome'),
  filled_in: {
    members: ['values'],
    write: ({ values }) => valuesText(values),
    read: (value, task) => {
      if (value !== null) task.values = deserialize(toText(value));
    },
  },
  revision: number('revision'),
});

const NOTHING = {
  activityId: '',
  activityInstanceId: '',
  title: '',
  outcomes: [],
  candidateUsers: [],
  candidateGroups: [],
} as const;

/** A damaged task must not keep the others away. What cannot be read of it is empty: it has no candidates. */
export function toTask(row: Row): UserTaskRecord {
  const task: UserTaskRecord = TASK.listed(row);
  if (!task.unreadable) return task;
  const read = Object.fromEntries(Object.entries(task).filter(([, value]) => value !== undefined));
  return { ...NOTHING, ...(read as unknown as UserTaskRecord) };
}

export function candidatesText({ candidateUsers, candidateGroups }: Candidates): string {
  return JSON.stringify({ candidateUsers, candidateGroups } satisfies Candidates);
}

export function valuesText(values: unknown): string | null {
  return values === undefined ? null : serialize(values, 'values of a form');
}

export const EVENT_COLUMNS = ['id', 'task_id', 'workflow_instance_id', 'data'] as const;

export function eventValues(event: UserTaskEvent): SqlValue[] {
  const { id, taskId, workflowInstanceId, ...data } = event;
  return [id, taskId, workflowInstanceId, serialize(data, `history of task "${taskId}"`)];
}

export const ENTRY_COLUMNS = ['list_key', 'task_id', 'workflow_instance_id', 'priority_rank', 'due_at'] as const;

/** The lists that a task is on. */
export function entryValues(task: UserTaskRecord): SqlValue[][] {
  return listsOf(task).map((list) => [list, task.id, task.workflowInstanceId, -task.priority, dueOf(task)]);
}
