import type { QueryRunner } from 'typeorm';
import type { DatabaseFamily } from '../dialect/dialect.js';
import { createIndex, dropIndex, type IndexChange } from './indexes.js';
import { WaymarkMigration } from './waymark-migration.js';

interface Change extends IndexChange {
  /** @default all of them */
  readonly only?: readonly DatabaseFamily[];
}

const NOT_MYSQL: readonly DatabaseFamily[] = ['sqlite', 'postgres'];
const MYSQL: readonly DatabaseFamily[] = ['mysql'];

const ADDED: readonly Change[] = [
  // Instances of one name. It changes with the name alone, and most have none.
  { table: 'instances', columns: ['name'], where: 'name IS NOT NULL' },
  // Dead letters, among a million messages that wait. On MySQL the one by `ready_at` has them already, in this order.
  { table: 'outbox', columns: ['seq'], where: 'ready_at IS NULL', only: NOT_MYSQL },
  // Triggers that have no next time, among all that are no schedules.
  { table: 'triggers', columns: ['ended', 'id'], where: 'ended = 1' },
  { table: 'bulk_plans', columns: ['created_at', 'id'] },
  // Of definitions with many versions, those that lists show.
  ...(['is_latest', 'is_published'] as const).flatMap((flag): Change[] => [
    {
      table: 'definitions',
      columns: [flag, 'name', 'id'],
      sql: { postgres: `${flag}, name ASC NULLS FIRST, id` },
      where: `${flag} = 1`,
      only: NOT_MYSQL,
    },
    { table: 'definitions', columns: [flag, 'name'], only: MYSQL },
  ]),
];

/**
 * Indexes with which the lists of the management API read as much among a million rows as among a thousand. Instances have one for
 * the order in which they were created alone: any other would be written by each burst, or by each start and each end.
 */
export class ListOrders1798000000000 extends WaymarkMigration {
  readonly name = 'ListOrders1798000000000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const index of meant(ADDED, target.family)) await createIndex(runner, target, index);
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const index of meant(ADDED, target.family)) await dropIndex(runner, target, index);
  }
}

const meant = (changes: readonly Change[], family: DatabaseFamily): readonly Change[] =>
  changes.filter(({ only }) => !only || only.includes(family));
