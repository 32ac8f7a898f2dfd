import type { QueryRunner } from 'typeorm';
import { WaymarkMigration } from './waymark-migration.js';

/** Of a page, in hundredths, that new rows fill: as much again is left for what claims make of them. */
const FILL_FACTOR = 50;

/**
 * PostgreSQL writes a changed row anew. Where the page of the row is full, it goes to another one, and so do its five entries in
 * indexes: a claim of a due wait cost as much as its end. Waits that are due together were often stored together, so all rows of a
 * page are claimed at once. Pages that are there stay as they are.
 */
export class RoomForClaims1797000000000 extends WaymarkMigration {
  readonly name = 'RoomForClaims1797000000000';

  async up(runner: QueryRunner): Promise<void> {
    const { family, qualifier } = await this.target(runner);
    if (family === 'postgres')
      await runner.query(`ALTER TABLE ${qualifier}bookmarks SET (fillfactor = ${FILL_FACTOR})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { family, qualifier } = await this.target(runner);
    if (family === 'postgres') await runner.query(`ALTER TABLE ${qualifier}bookmarks RESET (fillfactor)`);
  }
}
