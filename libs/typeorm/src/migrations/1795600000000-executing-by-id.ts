import type { QueryRunner } from 'typeorm';
import { createIndex, dropIndex, type IndexChange } from './indexes.js';
import { WaymarkMigration } from './waymark-migration.js';

/** Which bursts may be interrupted, part by part. By the flag alone, each part would read and sort all that are executing. */
const ADDED: IndexChange = {
  table: 'instances',
  columns: ['is_executing', 'id'],
  where: 'is_executing = 1',
};

/** The one above answers this too. */
const REMOVED: IndexChange = { table: 'instances', columns: ['is_executing'], where: 'is_executing = 1' };

/** Keeps the look for what a dead node left as fast among a hundred thousand as among a thousand. */
export class ExecutingById1795600000000 extends WaymarkMigration {
  readonly name = 'ExecutingById1795600000000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await createIndex(runner, target, ADDED);
    await dropIndex(runner, target, REMOVED);
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await createIndex(runner, target, REMOVED);
    await dropIndex(runner, target, ADDED);
  }
}
