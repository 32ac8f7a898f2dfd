import type { QueryRunner } from 'typeorm';
import { createTableSql, type TableDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const TABLES: readonly TableDescription[] = [
  {
    name: 'user_tasks',
    columns: {
      id: 'id',
      workflow_instance_id: 'id',
      workflow_definition_id: 'id',
      correlation_id: 'text?',
      name: 'id',
      status: 'id',
      assignee: 'id?',
      priority_rank: 'integer',
      due_at: 'bigint',
      data: 'long',
      candidates: 'long',
      escalated_at: 'bigint?',
      created_at: 'bigint',
      updated_at: 'bigint',
      ended_at: 'bigint?',
      completed_by: 'id?',
      outcome: 'long?',
      filled_in: 'long?',
      revision: 'bigint',
    },
    primaryKey: 'id',
    indexes: [
      { columns: ['workflow_instance_id'] },
      { columns: ['correlation_id'] },
      { columns: ['status', 'id'] },
      { columns: ['status', 'due_at', 'id'] },
      { columns: ['status', 'priority_rank', 'id'] },
    ],
  },
  {
    name: 'user_task_entries',
    columns: {
      list_key: 'id',
      task_id: 'id',
      workflow_instance_id: 'id',
      priority_rank: 'integer',
      due_at: 'bigint',
    },
    primaryKey: 'list_key, task_id',
    indexes: [
      { columns: ['list_key', 'due_at', 'task_id'] },
      { columns: ['list_key', 'priority_rank', 'task_id'] },
      { columns: ['task_id'] },
      { columns: ['workflow_instance_id'] },
    ],
  },
  {
    name: 'user_task_events',
    columns: {
      seq: 'serial',
      id: 'id',
      task_id: 'id',
      workflow_instance_id: 'id',
      data: 'long',
    },
    primaryKey: 'seq',
    indexes: [
      { columns: ['id'], unique: true },
      { columns: ['task_id', 'seq'] },
      { columns: ['workflow_instance_id'] },
    ],
  },
];

/** Tasks for people, the lists that they are on, and their history. Nodes of the version before leave them alone. */
export class UserTasks1795340400000 extends WaymarkMigration {
  readonly name = 'UserTasks1795340400000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const table of TABLES) for (const sql of createTableSql(target, table)) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { qualifier } = await this.target(runner);
    for (const { name } of TABLES.toReversed()) await runner.query(`DROP TABLE IF EXISTS ${qualifier}${name}`);
  }
}
