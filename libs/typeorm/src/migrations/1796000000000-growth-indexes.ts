import type { QueryRunner } from 'typeorm';
import { createIndex, dropIndex, type IndexChange } from './indexes.js';
import { WaymarkMigration } from './waymark-migration.js';

const ADDED: readonly IndexChange[] = [
  // The newest of one definition. By any other index, SQLite would read and sort all of them, or all of the others.
  { table: 'instances', columns: ['definition_id', 'created_at'] },
  // Retention of one definition: who finished before that time, the oldest first. It changes with the status, so costs no write more.
  { table: 'instances', columns: ['definition_id', 'status', 'finished_at'] },
  // What was announced since the last look, twice a second on each node; and what may be over.
  { table: 'patterns', columns: ['announced_at'] },
  // Plans whose definitions are still to be deleted, again and again on each node.
  { table: 'bulk_plans', columns: ['has_deleted'] },
];

/** The second one above answers this too. */
const REMOVED: IndexChange = { table: 'instances', columns: ['definition_id', 'status'] };

/**
 * Indexes with which lists and retention of one definition are as fast among a million of its instances as among a thousand, and
 * with which a node at rest reads as much among a million patterns as among none.
 */
export class GrowthIndexes1796000000000 extends WaymarkMigration {
  readonly name = 'GrowthIndexes1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const index of ADDED) await createIndex(runner, target, index);
    await dropIndex(runner, target, REMOVED);
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await createIndex(runner, target, REMOVED);
    for (const index of ADDED) await dropIndex(runner, target, index);
  }
}
