import type { QueryRunner } from 'typeorm';
import { createIndex, dropIndex, type IndexChange } from './indexes.js';
import { WaymarkMigration } from './waymark-migration.js';

/** Who waits for this in that instance. By the hash alone, an event for one instance would read all that wait for it. */
const ADDED: IndexChange = { table: 'bookmarks', columns: ['workflow_instance_id', 'hash'] };

/** The one above answers this too. */
const REMOVED: IndexChange = { table: 'bookmarks', columns: ['workflow_instance_id'] };

/** Keeps the delivery of what was sent to one instance as fast among thousands that wait for the same. */
export class WaitingOfOneInstance1795316400000 extends WaymarkMigration {
  readonly name = 'WaitingOfOneInstance1795316400000';

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
