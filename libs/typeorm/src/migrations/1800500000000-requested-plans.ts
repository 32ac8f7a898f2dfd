import type { QueryRunner } from 'typeorm';
import { addColumn, dropColumn } from './columns.js';
import { WaymarkMigration } from './waymark-migration.js';

/** Who asked for a bulk plan. Nodes of the version before do not write it: for their plans no caller is known. */
export class RequestedPlans1800500000000 extends WaymarkMigration {
  readonly name = 'RequestedPlans1800500000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumn(runner, await this.target(runner), 'bulk_plans', 'requested_by', 'long?');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumn(runner, await this.target(runner), 'bulk_plans', 'requested_by');
  }
}
