import type { QueryRunner } from 'typeorm';
import { createTableSql, type TableDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const TABLE: TableDescription = {
  name: 'schedules',
  columns: {
    id: 'id',
    token: 'id',
    name: 'id',
    hash: 'id',
    workflow_definition_id: 'id?',
    workflow_instance_id: 'id?',
    due_at: 'bigint?',
    paused_at: 'bigint?',
    paused_due_at: 'bigint?',
    fired_due_at: 'bigint?',
    fired_at: 'bigint?',
    fired_result: 'id?',
    created_at: 'bigint',
    times: 'long',
    request: 'long',
  },
  primaryKey: 'id',
  indexes: [{ columns: ['due_at', 'id'] }, { columns: ['workflow_definition_id'] }],
};

/** Schedules of the application. Nodes of the version before do not know of them, and fire none. */
export class Schedules1795420000000 extends WaymarkMigration {
  readonly name = 'Schedules1795420000000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const sql of createTableSql(target, TABLE)) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { qualifier } = await this.target(runner);
    await runner.query(`DROP TABLE IF EXISTS ${qualifier}${TABLE.name}`);
  }
}
