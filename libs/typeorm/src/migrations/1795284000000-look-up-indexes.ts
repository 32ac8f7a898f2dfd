import type { QueryRunner } from 'typeorm';
import { createIndex, dropIndex, type IndexChange } from './indexes.js';
import { WaymarkMigration } from './waymark-migration.js';

const ADDED: readonly IndexChange[] = [
  {
    // Who waits for this event, of this correlation. By one column alone, a resume would read all who wait for an event
    // that a million wait for, or all of a correlation that a million share.
    table: 'bookmarks',
    columns: ['hash', 'correlation_id'],
    // Keys of MySQL end at 3,072 bytes.
    sql: { mysql: 'hash, correlation_id(191)' },
  },
  {
    // Retention: who finished before that time, the oldest first. Reading all instances for it took longer each day.
    table: 'instances',
    columns: ['finished_at'],
    // The order that PostgreSQL is asked for.
    sql: { postgres: 'finished_at ASC NULLS FIRST' },
    where: 'finished_at IS NOT NULL',
  },
];

/** The one by hash and correlation answers this too. */
const REMOVED: readonly IndexChange[] = [{ table: 'bookmarks', columns: ['hash'] }];

/** Indexes that keep look-ups as fast among a million instances as among none. */
export class LookUpIndexes1795284000000 extends WaymarkMigration {
  readonly name = 'LookUpIndexes1795284000000';

  up(runner: QueryRunner): Promise<void> {
    return this.change(runner, ADDED, REMOVED);
  }

  down(runner: QueryRunner): Promise<void> {
    return this.change(runner, REMOVED, ADDED);
  }

  private async change(
    runner: QueryRunner,
    added: readonly IndexChange[],
    removed: readonly IndexChange[],
  ): Promise<void> {
    const target = await this.target(runner);
    for (const index of added) await createIndex(runner, target, index);
    for (const index of removed) await dropIndex(runner, target, index);
  }
}
