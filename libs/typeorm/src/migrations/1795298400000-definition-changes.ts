import type { QueryRunner } from 'typeorm';
import { addColumn, dropColumn } from './columns.js';
import { createIndex, dropIndex, type IndexChange } from './indexes.js';
import { createTableSql, type TableDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const TABLES: readonly TableDescription[] = [
  {
    name: 'definition_changes',
    columns: { definition_id: 'id', change_number: 'bigint' },
    primaryKey: 'definition_id',
    indexes: [{ columns: ['change_number'] }],
  },
  {
    name: 'definition_references',
    columns: { version_id: 'id', used_definition_id: 'id' },
    primaryKey: 'version_id, used_definition_id',
    indexes: [{ columns: ['used_definition_id'] }],
  },
];

/** Start-up reads which definitions are usable as activities, and few are. */
const USABLE: IndexChange = {
  table: 'definitions',
  columns: ['usable_as_activity'],
  where: 'usable_as_activity = 1',
};

/** The second one: there was no look yet for definitions without references. */
const COUNTERS = { 'named definition changes': 0, 'definition references': -1 };

/**
 * Which definitions changed last, and which ones use which. Nodes of the version before write neither: the counter that they
 * do not know tells how many of their changes there were, and `references_revision` which rows they have written since.
 */
export class DefinitionChanges1795298400000 extends WaymarkMigration {
  readonly name = 'DefinitionChanges1795298400000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const table of TABLES) for (const sql of createTableSql(target, table)) await runner.query(sql);
    await addColumn(runner, target, 'definitions', 'references_revision', 'bigint?');
    await createIndex(runner, target, USABLE);
    const counters = `${target.qualifier}counters`;
    for (const [name, counted] of Object.entries(COUNTERS)) {
      const known = (await runner.query(`SELECT name FROM ${counters} WHERE name = '${name}'`)) as unknown[];
      if (known.length === 0)
        await runner.query(`INSERT INTO ${counters} (name, counted) VALUES ('${name}', ${counted})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    const { qualifier } = target;
    for (const name of Object.keys(COUNTERS))
      await runner.query(`DELETE FROM ${qualifier}counters WHERE name = '${name}'`);
    await dropIndex(runner, target, USABLE);
    await dropColumn(runner, target, 'definitions', 'references_revision');
    for (const { name } of TABLES.toReversed()) await runner.query(`DROP TABLE IF EXISTS ${qualifier}${name}`);
  }
}
