import type { QueryRunner } from 'typeorm';
import { createTableSql, type TableDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

/** Each way to ask for entries has the time beside it, so that the newest are the end of a range. */
const TABLES: readonly TableDescription[] = [
  {
    name: 'audit_entries',
    columns: {
      id: 'id',
      occurred_at: 'bigint',
      actor_kind: 'id',
      actor: 'id?',
      action: 'id',
      target_kind: 'id?',
      outcome: 'id',
      data: 'long',
    },
    primaryKey: 'id',
    indexes: [
      { columns: ['occurred_at', 'id'] },
      { columns: ['actor', 'occurred_at', 'id'] },
      { columns: ['action', 'occurred_at', 'id'] },
      { columns: ['target_kind', 'occurred_at', 'id'] },
      { columns: ['outcome', 'occurred_at', 'id'] },
    ],
  },
  {
    name: 'audit_targets',
    columns: { target_id: 'id', entry_at: 'bigint', entry_id: 'id' },
    primaryKey: 'target_id, entry_at, entry_id',
    indexes: [{ columns: ['entry_id'] }],
  },
];

/** Who changed what. Nodes of the version before record nothing. */
export class AuditTrail1795410000000 extends WaymarkMigration {
  readonly name = 'AuditTrail1795410000000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const table of TABLES) for (const sql of createTableSql(target, table)) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { qualifier } = await this.target(runner);
    for (const { name } of TABLES.toReversed()) await runner.query(`DROP TABLE IF EXISTS ${qualifier}${name}`);
  }
}
