import type { QueryRunner } from 'typeorm';
import { addColumn, dropColumn } from './columns.js';
import { createTableSql, type TableDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const NODES: TableDescription = {
  name: 'nodes',
  columns: {
    name: 'id',
    version: 'id',
    platform: 'id',
    started_at: 'bigint',
    seen_at: 'bigint',
    state: 'id',
    active_bursts: 'integer',
  },
  primaryKey: 'name',
  indexes: [],
};

/**
 * A table of the nodes of the cluster, and a column with the definition node at which a bookmark waits. Processes of the version
 * before write neither: they are not listed, and the column is NULL in their bookmarks.
 */
export class Operations1795490000000 extends WaymarkMigration {
  readonly name = 'Operations1795490000000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const sql of createTableSql(target, NODES)) await runner.query(sql);
    await addColumn(runner, target, 'bookmarks', 'node_id', 'text?');
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await dropColumn(runner, target, 'bookmarks', 'node_id');
    await runner.query(`DROP TABLE IF EXISTS ${target.qualifier}${NODES.name}`);
  }
}
