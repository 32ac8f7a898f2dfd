import type { QueryRunner } from 'typeorm';
import { addColumn, dropColumn } from './columns.js';
import { createIndex, dropIndex, type IndexChange } from './indexes.js';
import { WaymarkMigration } from './waymark-migration.js';

/** Who is next in each lane: turn 0 by time, the others by turn. With `seq`, or many rows of one time would be sorted. */
const NEXT: IndexChange = {
  table: 'outbox',
  columns: ['turn', 'ready_at', 'seq'],
  where: 'ready_at IS NOT NULL',
};

/**
 * Long work waits in a line of its own, by turns. Rows of nodes of the version before have turn 0: they are claimed with
 * the others, by time, and go to the long lane by their kind.
 */
export class OutboxTurns1795302000000 extends WaymarkMigration {
  readonly name = 'OutboxTurns1795302000000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await addColumn(runner, target, 'outbox', 'turn', 'integer', 0);
    await createIndex(runner, target, NEXT);
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await dropIndex(runner, target, NEXT);
    await dropColumn(runner, target, 'outbox', 'turn');
  }
}
