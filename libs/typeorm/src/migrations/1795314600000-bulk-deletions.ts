import type { QueryRunner } from 'typeorm';
import { addColumn, dropColumn } from './columns.js';
import { WaymarkMigration } from './waymark-migration.js';

/** Definitions that go when a bulk plan has deleted their instances. Nodes of the version before delete the instances only. */
export class BulkDeletions1795314600000 extends WaymarkMigration {
  readonly name = 'BulkDeletions1795314600000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await addColumn(runner, target, 'bulk_plans', 'deletes', 'long?');
    await addColumn(runner, target, 'bulk_plans', 'has_deleted', 'flag', 1);
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await dropColumn(runner, target, 'bulk_plans', 'has_deleted');
    await dropColumn(runner, target, 'bulk_plans', 'deletes');
  }
}
