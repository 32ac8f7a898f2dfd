import { InvalidUserTaskRequestError, type UserTaskOrder } from '@waymark/runtime';
import { readCursor, type UserTaskCursor, type UserTaskFilter } from '@waymark/runtime/adapter';
import type { SqlValue, Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';

/** Column by which each order sorts before the id. */
const KEYS: Readonly<Record<UserTaskOrder, string | undefined>> = {
  Oldest: undefined,
  Newest: undefined,
  Due: 'due_at',
  Priority: 'priority_rank',
};

export interface PageRequest {
  readonly filter: UserTaskFilter;
  readonly order: UserTaskOrder;
  readonly cursor: UserTaskCursor | undefined;
  readonly limit: number;
}

/** @throws InvalidUserTaskRequestError */
export function cursorOf(order: UserTaskOrder, text: string | undefined): UserTaskCursor | undefined {
  if (text === undefined) return undefined;
  const cursor = readCursor(order, text);
  if (cursor) return cursor;
  throw new InvalidUserTaskRequestError(
    `"${text.slice(0, 100)}" is not a cursor of this list. Take \`next\` of its last page.`,
  );
}

/** Lists that one statement reads: a range of an index for each of them. */
export const LISTS_AT_ONCE = 50;

/**
 * The first tasks of each of these lists, in order, once each: ids with what they are sorted by. Each list is a range of an index,
 * however long it is.
 */
export function listPage(dialect: Dialect, tables: Tables, lists: readonly string[], page: PageRequest): Statement {
  const { filter, order, cursor, limit } = page;
  const key = KEYS[order];
  const params: SqlValue[][] = [];
  const parts = lists.map((list, at) => {
    const where = new Conditions(dialect).equals('e.list_key', list);
    behind(where, order, 'e.task_id', key && `e.${key}`, cursor);
    const joined = restrict(where, 't.', filter) ? ` JOIN ${tables.user_tasks} t ON t.id = e.task_id` : '';
    params.push([...where.params, limit]);
    const columns = `e.task_id AS id, ${key ? `e.${key}` : '0'} AS sorted_by`;
    const sorted = sorting(order, 'e.task_id', key && `e.${key}`);
    const ranged = `SELECT ${columns} FROM ${tables.user_task_entries} e${joined}${where.where} ${sorted} LIMIT ?`;
    return `SELECT id, sorted_by FROM (${ranged}) l${at}`;
  });
  const all = parts.join(' UNION ');
  return {
    sql: `SELECT id, sorted_by FROM (${all}) lists ${sorting(order, 'id', key && 'sorted_by')} LIMIT ?`,
    params: [...params.flat(), limit],
  };
}

/** Of all tasks. */
export function tablePage(dialect: Dialect, tables: Tables, columns: string, page: PageRequest): Statement {
  const { filter, order, cursor, limit } = page;
  const conditions = new Conditions(dialect);
  restrict(conditions, '', filter);
  behind(conditions, order, 'id', KEYS[order], cursor);
  const sql = `SELECT ${columns} FROM ${tables.user_tasks}${conditions.where} ${sorting(order, 'id', KEYS[order])} LIMIT ?`;
  return { sql, params: [...conditions.params, limit] };
}

function sorting(order: UserTaskOrder, id: string, key: string | undefined): string {
  if (key) return `ORDER BY ${key}, ${id}`;
  return `ORDER BY ${id}${order === 'Newest' ? ' DESC' : ''}`;
}

function behind(
  conditions: Conditions,
  order: UserTaskOrder,
  id: string,
  key: string | undefined,
  cursor: UserTaskCursor | undefined,
): void {
  if (!cursor) return;
  if (key === undefined || cursor.key === undefined) {
    conditions.add(`${id} ${order === 'Newest' ? '<' : '>'} ?`, cursor.id);
    return;
  }
  // The first condition alone is a range of the index, for every database.
  conditions.add(`${key} >= ? AND (${key} > ? OR ${id} > ?)`, cursor.key, cursor.key, cursor.id);
}

/** Returns false if the filter has no condition but its lists. */
function restrict(conditions: Conditions, table: string, filter: UserTaskFilter): boolean {
  const before = conditions.params.length;
  const { where } = conditions;
  conditions
    .oneOf(`${table}status`, filter.statuses)
    .oneOf(`${table}assignee`, filter.assignees)
    .oneOf(`${table}name`, filter.names)
    .oneOf(`${table}workflow_instance_id`, filter.workflowInstanceIds)
    .oneOf(`${table}workflow_definition_id`, filter.workflowDefinitionIds)
    .oneOf(`${table}correlation_id`, filter.correlationIds);
  if (filter.dueBefore) conditions.add(`${table}due_at < ?`, filter.dueBefore.getTime());
  if (filter.minPriority !== undefined) conditions.add(`${table}priority_rank <= ?`, -filter.minPriority);
  return conditions.params.length > before || conditions.where !== where;
}
