import type { QueryRunner } from 'typeorm';
import { createTableSql, type TableDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const TABLES: readonly TableDescription[] = [
  {
    name: 'bulk_plans',
    columns: {
      id: 'id',
      action: 'id',
      status: 'id',
      data: 'long',
      cut_after: 'long?',
      is_selected: 'flag',
      open_batches: 'integer',
      selected: 'bigint',
      visited: 'bigint',
      changed: 'bigint',
      failed: 'bigint',
      failures: 'long',
      created_at: 'bigint',
      started_at: 'bigint?',
      completed_at: 'bigint?',
    },
    primaryKey: 'id',
    indexes: [{ columns: ['completed_at'] }],
  },
  {
    name: 'bulk_batches',
    columns: {
      id: 'id',
      plan_id: 'id',
      action: 'id',
      data: 'long',
      attempts: 'integer',
      claimed_by: 'text',
      claimed_until: 'bigint',
    },
    primaryKey: 'id',
    indexes: [{ columns: ['plan_id'] }, { columns: ['claimed_until'] }],
  },
];

/** Work on many instances or dead letters. Nodes of the version before do not know the tables, and leave it to others. */
export class BulkPlans1795309200000 extends WaymarkMigration {
  readonly name = 'BulkPlans1795309200000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const table of TABLES) for (const sql of createTableSql(target, table)) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { qualifier } = await this.target(runner);
    for (const { name } of TABLES.toReversed()) await runner.query(`DROP TABLE IF EXISTS ${qualifier}${name}`);
  }
}
