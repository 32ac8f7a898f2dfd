import type { QueryRunner } from 'typeorm';
import { addColumn, dropColumn } from './columns.js';
import { WaymarkMigration } from './waymark-migration.js';

/** Which node resumes a due bookmark, and until when it is that node's. */
export class BookmarkClaims1795287600000 extends WaymarkMigration {
  readonly name = 'BookmarkClaims1795287600000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await addColumn(runner, target, 'bookmarks', 'claimed_by', 'text?');
    await addColumn(runner, target, 'bookmarks', 'claimed_until', 'bigint?');
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await dropColumn(runner, target, 'bookmarks', 'claimed_until');
    await dropColumn(runner, target, 'bookmarks', 'claimed_by');
  }
}
