import { type UserTaskRecord, type UserTaskEvent } from '@waymark/runtime';
import { taskList, type UserTaskChanges } from '@waymark/runtime/adapter';
import type { Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { time, timeOrNull } from '../rows/column-values.js';
import {
  candidatesText,
  ENTRY_COLUMNS,
  entryValues,
  EVENT_COLUMNS,
  eventValues,
  TASK,
  valuesText,
} from './user-task-rows.js';

/** What a commit does to tasks: behind the row of the instance, the transaction that has that is alone with their opening and ending. */
export function taskStatements(dialect: Dialect, tables: Tables, changes: UserTaskChanges): Statement[] {
  const { at, opened, reopenedIds, completed, cancelledIds, events } = changes;
  const unlisted = [...completed.map(({ id }) => id), ...reopenedIds];
  return [
    ...completed.map((done) => completion(tables, done, at)),
    ...cancellation(dialect, tables, cancelledIds, at),
    ...deleteRows(dialect, tables.user_tasks, 'id', reopenedIds),
    ...deleteRows(dialect, tables.user_task_entries, 'task_id', unlisted),
    ...unlisting(dialect, tables, cancelledIds),
    ...insertRows(dialect, tables.user_tasks, TASK.names, opened.map(TASK.values)),
    ...insertRows(dialect, tables.user_task_entries, ENTRY_COLUMNS, opened.flatMap(entryValues)),
    ...completed.map((done) => completedEntry(dialect, tables, done)),
    ...eventStatements(dialect, tables, events),
  ];
}

export function eventStatements(dialect: Dialect, tables: Tables, events: readonly UserTaskEvent[]): Statement[] {
  return insertRows(dialect, tables.user_task_events, EVENT_COLUMNS, events.map(eventValues));
}

function completion(
  { user_tasks }: Tables,
  { id, revision, by, outcome, values }: UserTaskChanges['completed'][number],
  at: Date,
): Statement {
  return {
    sql:
      `UPDATE ${user_tasks} SET status = 'Completed', completed_by = ?, outcome = ?, filled_in = ?, ended_at = ?, ` +
      "updated_at = ?, revision = revision + 1 WHERE id = ? AND revision = ? AND status = 'Open'",
    params: [by, outcome, valuesText(values), time(at), time(at), id, revision],
    expect: { affected: 1 },
  };
}

/** The sort keys stand in the row. */
function completedEntry(
  { textParam }: Dialect,
  { user_tasks, user_task_entries }: Tables,
  { id, by }: UserTaskChanges['completed'][number],
): Statement {
  return {
    sql:
      `INSERT INTO ${user_task_entries} (${ENTRY_COLUMNS.join(', ')}) ` +
      `SELECT ${textParam}, id, workflow_instance_id, priority_rank, due_at FROM ${user_tasks} WHERE id = ?`,
    params: [taskList.completed(by), id],
  };
}

/** Those that were completed stay on the list of the person who did it. */
function unlisting(dialect: Dialect, { user_task_entries }: Tables, ids: readonly string[]): Statement[] {
  if (ids.length === 0) return [];
  const { where, params } = new Conditions(dialect).oneOf('task_id', ids).add("list_key NOT LIKE 'd:%'");
  return [{ sql: `DELETE FROM ${user_task_entries}${where}`, params }];
}

export function cancellation(dialect: Dialect, { user_tasks }: Tables, ids: readonly string[], at: Date): Statement[] {
  if (ids.length === 0) return [];
  const { where, params } = new Conditions(dialect).oneOf('id', ids).add("status = 'Open'");
  const set = "SET status = 'Cancelled', ended_at = ?, updated_at = ?, revision = revision + 1";
  return [{ sql: `UPDATE ${user_tasks} ${set}${where}`, params: [time(at), time(at), ...params] }];
}

/** What changes while a task is open. The first statement finds out whether it still is as it was read. */
export function updateStatements(
  dialect: Dialect,
  tables: Tables,
  task: UserTaskRecord,
  event: UserTaskEvent,
): Statement[] {
  const { id, revision } = task;
  const { user_tasks, user_task_entries } = tables;
  return [
    {
      sql:
        `UPDATE ${user_tasks} SET assignee = ?, priority_rank = ?, candidates = ?, escalated_at = ?, updated_at = ?, ` +
        'revision = revision + 1 WHERE id = ? AND revision = ?',
      params: [
        task.assignee ?? null,
        -task.priority,
        candidatesText(task),
        timeOrNull(task.escalatedAt),
        time(task.updatedAt),
        id,
        revision,
      ],
      expect: { affected: 1 },
    },
    ...deleteRows(dialect, user_task_entries, 'task_id', [id]),
    ...insertRows(dialect, user_task_entries, ENTRY_COLUMNS, entryValues(task)),
    ...eventStatements(dialect, tables, [event]),
  ];
}
