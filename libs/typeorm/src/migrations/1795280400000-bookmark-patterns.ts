import type { QueryRunner } from 'typeorm';
import { createTableSql, type TableDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const PATTERNS: TableDescription = {
  name: 'patterns',
  columns: { hash: 'id', name: 'text', data: 'long', announced_at: 'bigint' },
  primaryKey: 'hash',
  indexes: [],
};

/** Patterns at which instances wait, and the counter of their purges. */
export class BookmarkPatterns1795280400000 extends WaymarkMigration {
  readonly name = 'BookmarkPatterns1795280400000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const sql of createTableSql(target, PATTERNS)) await runner.query(sql);
    const counters = `${target.qualifier}counters`;
    const known = (await runner.query(`SELECT name FROM ${counters} WHERE name = 'pattern purges'`)) as unknown[];
    if (known.length === 0) await runner.query(`INSERT INTO ${counters} (name, counted) VALUES ('pattern purges', 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { qualifier } = await this.target(runner);
    await runner.query(`DROP TABLE IF EXISTS ${qualifier}patterns`);
    await runner.query(`DELETE FROM ${qualifier}counters WHERE name = 'pattern purges'`);
  }
}
