import type { QueryRunner } from 'typeorm';
import { createTableSql, type TableDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const VALUES: TableDescription = {
  name: 'journal_values',
  columns: { instance_id: 'id', hash: 'id', bytes: 'bigint', data: 'long' },
  primaryKey: 'instance_id, hash',
  indexes: [],
};

/** Large values of journals, each once for its instance. Nodes of the version before show placeholders for them. */
export class JournalValues1795303800000 extends WaymarkMigration {
  readonly name = 'JournalValues1795303800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of createTableSql(await this.target(runner), VALUES)) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { qualifier } = await this.target(runner);
    await runner.query(`DROP TABLE IF EXISTS ${qualifier}${VALUES.name}`);
  }
}
