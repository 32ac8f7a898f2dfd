import { deserialize } from '@waymark/core/adapter';
import {
  InvalidUserTaskRequestError,
  type UserTaskRecord,
  type UserTaskEvent,
  type UserTaskOrder,
} from '@waymark/runtime';
import {
  type CompletedUserTask,
  cursorText,
  requireStorableCompletion,
  requireStorableTask,
  type UserTaskEventPage,
  type UserTaskFilter,
  type UserTaskPage,
  type UserTaskStore,
  type UserTaskWindow,
} from '@waymark/runtime/adapter';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { chunksOf, RefusedStatement, type Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import { toNumber, toText } from '../rows/column-values.js';
import { cursorOf, listPage, LISTS_AT_ONCE, type PageRequest, tablePage } from './task-pages.js';
import { cancellation, eventStatements, taskStatements, updateStatements } from './task-statements.js';
import { TASK, toTask } from './user-task-rows.js';

export class TypeOrmUserTaskStore implements UserTaskStore {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  async find(id: string): Promise<UserTaskRecord | undefined> {
    const [task] = await this.findAll([id]);
    return task;
  }

  async findMany(
    filter: UserTaskFilter,
    order: UserTaskOrder,
    { limit, after }: UserTaskWindow,
  ): Promise<UserTaskPage> {
    const page: PageRequest = { filter, order, cursor: cursorOf(order, after), limit };
    const items = filter.lists ? await this.listed([...new Set(filter.lists)], page) : await this.all(page);
    const last = items.at(-1);
    return { items, next: last && items.length >= limit ? cursorText(order, last) : undefined };
  }

  async update(task: UserTaskRecord, event: UserTaskEvent): Promise<'updated' | 'changed' | 'known'> {
    requireStorableTask(task);
    return this.write(updateStatements(this.database.dialect, this.tables, task, event), event);
  }

  async complete(completed: CompletedUserTask, event: UserTaskEvent): Promise<'updated' | 'changed' | 'known'> {
    requireStorableCompletion(completed);
    const none = { opened: [], reopenedIds: [], cancelledIds: [] };
    const changes = { ...none, at: event.at, completed: [completed], events: [event] };
    return this.write(taskStatements(this.database.dialect, this.tables, changes), event);
  }

  private async write(
    statements: readonly Statement[],
    event: UserTaskEvent,
  ): Promise<'updated' | 'changed' | 'known'> {
    try {
      await this.database.transact(() => inOneGo(statements));
      return 'updated';
    } catch (error) {
      if (!(error instanceof RefusedStatement)) throw error;
      const sql = `SELECT 1 AS found FROM ${this.tables.user_task_events} WHERE id = ?`;
      const known = await this.database.read({ sql, params: [event.id] });
      return known.length > 0 ? 'known' : 'changed';
    }
  }

  async findEvents(taskId: string, { limit, after = '0' }: UserTaskWindow): Promise<UserTaskEventPage> {
    if (!/^\d{1,15}$/.test(after)) throw new InvalidUserTaskRequestError('The cursor does not belong to a history.');
    const rows = await this.database.read({
      sql:
        `SELECT seq, id, task_id, workflow_instance_id, data FROM ${this.tables.user_task_events} ` +
        'WHERE task_id = ? AND seq > ? ORDER BY seq LIMIT ?',
      params: [taskId, Number(after), limit],
    });
    const events = rows.map(({ id, task_id, workflow_instance_id, data }) => ({
      id: toText(id),
      taskId: toText(task_id),
      workflowInstanceId: toText(workflow_instance_id),
      ...deserialize<Omit<UserTaskEvent, 'id' | 'taskId' | 'workflowInstanceId'>>(toText(data)),
    }));
    return { events, next: rows.length === limit ? String(toNumber(rows.at(-1)?.seq)) : undefined };
  }

  async discard(id: string, event: UserTaskEvent): Promise<void> {
    const { dialect } = this.database;
    const { tables } = this;
    await this.database.transact(function* () {
      const [ended] = yield cancellation(dialect, tables, [id], event.at);
      if (ended!.affected === 0) return;
      yield [
        ...deleteRows(dialect, tables.user_task_entries, 'task_id', [id]),
        ...eventStatements(dialect, tables, [event]),
      ];
    });
  }

  private async all(page: PageRequest): Promise<UserTaskRecord[]> {
    const rows = await this.database.read(tablePage(this.database.dialect, this.tables, TASK.list, page));
    return rows.map(toTask);
  }

  private async listed(lists: readonly string[], page: PageRequest): Promise<UserTaskRecord[]> {
    const found = new Map<string, number>();
    for (const some of chunksOf(lists, LISTS_AT_ONCE)) {
      const rows = await this.database.read(listPage(this.database.dialect, this.tables, some, page));
      for (const row of rows) found.set(toText(row.id), toNumber(row.sorted_by));
    }
    const direction = page.order === 'Newest' ? -1 : 1;
    const sorted = [...found].sort(([left, a], [right, b]) => a - b || (left < right ? -direction : direction));
    const ids = sorted.slice(0, page.limit).map(([id]) => id);
    const tasks = new Map((await this.findAll(ids)).map((task) => [task.id, task]));
    return ids.flatMap((id) => tasks.get(id) ?? []);
  }

  private async findAll(ids: readonly string[]): Promise<UserTaskRecord[]> {
    if (ids.length === 0) return [];
    const { where, params } = new Conditions(this.database.dialect).oneOf('id', ids);
    const rows = await this.database.read({
      sql: `SELECT ${TASK.list} FROM ${this.tables.user_tasks}${where}`,
      params,
    });
    return rows.map(toTask);
  }
}
