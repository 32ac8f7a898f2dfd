import type { QueryRunner } from 'typeorm';
import { addColumn, dropColumn } from './columns.js';
import type { ColumnDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const COLUMNS: Readonly<Record<string, ColumnDescription>> = {
  paused_at: 'bigint?',
  paused_due_at: 'bigint?',
  fired_due_at: 'bigint?',
  fired_at: 'bigint?',
  fired_result: 'id?',
};

/**
 * Since when a trigger is paused, and what became of its latest occurrence. A paused trigger has no due time: nodes of the
 * version before do not fire it either. What they fire, they do not note here.
 */
export class PausedTriggers1795400000000 extends WaymarkMigration {
  readonly name = 'PausedTriggers1795400000000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const [column, type] of Object.entries(COLUMNS)) await addColumn(runner, target, 'triggers', column, type);
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const column of Object.keys(COLUMNS).toReversed()) await dropColumn(runner, target, 'triggers', column);
  }
}
