import type { QueryRunner } from 'typeorm';
import { addColumn, dropColumn } from './columns.js';
import { WaymarkMigration } from './waymark-migration.js';

/**
 * How far the instances of an alteration plan have been found. Plans of nodes of the version before need none of it: each has a
 * message that leads to its jobs.
 */
export class AlterationSelections1795312800000 extends WaymarkMigration {
  readonly name = 'AlterationSelections1795312800000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await addColumn(runner, target, 'alteration_plans', 'is_selected', 'flag', 1);
    await addColumn(runner, target, 'alteration_plans', 'cut_after', 'long?');
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await dropColumn(runner, target, 'alteration_plans', 'cut_after');
    await dropColumn(runner, target, 'alteration_plans', 'is_selected');
  }
}
