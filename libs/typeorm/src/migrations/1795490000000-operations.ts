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
 * Which nodes there are, and at which node of its definition a bookmark waits. Nodes of the version before say neither: they are
 * not listed, and their bookmarks wait at a place that is not known.
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
