import type { QueryRunner } from 'typeorm';
import { createTableSql, type TableDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const TABLES: readonly TableDescription[] = [
  {
    name: 'alteration_plans',
    columns: {
      id: 'id',
      status: 'id',
      open_jobs: 'integer',
      data: 'long',
      created_at: 'bigint',
      started_at: 'bigint?',
      completed_at: 'bigint?',
    },
    primaryKey: 'id',
    indexes: [{ columns: ['completed_at'], where: 'completed_at IS NOT NULL' }],
  },
  {
    name: 'alteration_jobs',
    columns: {
      seq: 'serial',
      id: 'id',
      plan_id: 'id',
      workflow_instance_id: 'id',
      status: 'id',
      log: 'long?',
      created_at: 'bigint',
      started_at: 'bigint?',
      completed_at: 'bigint?',
    },
    primaryKey: 'seq',
    indexes: [{ columns: ['id'], unique: true }, { columns: ['plan_id'] }],
  },
];

/** Alterations of many instances, and what came of each. */
export class AlterationPlans1795294800000 extends WaymarkMigration {
  readonly name = 'AlterationPlans1795294800000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const table of TABLES) for (const sql of createTableSql(target, table)) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { qualifier } = await this.target(runner);
    for (const { name } of TABLES.toReversed()) await runner.query(`DROP TABLE IF EXISTS ${qualifier}${name}`);
  }
}
