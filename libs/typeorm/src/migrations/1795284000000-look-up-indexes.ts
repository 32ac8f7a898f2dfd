import type { QueryRunner } from 'typeorm';
import type { TableTarget } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

interface Index {
  readonly table: string;
  readonly columns: readonly string[];
  /** As the database is told, where that differs from the names. */
  readonly sql?: Partial<Record<TableTarget['family'], string>>;
  readonly where?: string;
}

const ADDED: readonly Index[] = [
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
const REMOVED: readonly Index[] = [{ table: 'bookmarks', columns: ['hash'] }];

/** Indexes that keep look-ups as fast among a million instances as among none. */
export class LookUpIndexes1795284000000 extends WaymarkMigration {
  readonly name = 'LookUpIndexes1795284000000';

  up(runner: QueryRunner): Promise<void> {
    return this.change(runner, ADDED, REMOVED);
  }

  down(runner: QueryRunner): Promise<void> {
    return this.change(runner, REMOVED, ADDED);
  }

  private async change(runner: QueryRunner, added: readonly Index[], removed: readonly Index[]): Promise<void> {
    const target = await this.target(runner);
    for (const index of added) await create(runner, target, index);
    for (const index of removed) await drop(runner, target, index);
  }
}

async function create(runner: QueryRunner, target: TableTarget, index: Index): Promise<void> {
  const { table, columns, sql, where } = index;
  const name = nameOf(target, index);
  const listed = `${target.qualifier}${table} (${sql?.[target.family] ?? columns.join(', ')})`;
  if (target.family !== 'mysql') {
    await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ${listed}${where ? ` WHERE ${where}` : ''}`);
  } else if (!(await isThere(runner, target, index))) {
    await runner.query(`CREATE INDEX ${name} ON ${listed}`);
  }
}

async function drop(runner: QueryRunner, target: TableTarget, index: Index): Promise<void> {
  const { table, columns } = index;
  if (target.family !== 'mysql') {
    // With the schema before it: an index is found like a table.
    await runner.query(`DROP INDEX IF EXISTS ${target.qualifier}${table}_${columns.join('_')}`);
  } else if (await isThere(runner, target, index)) {
    await runner.query(`DROP INDEX ${nameOf(target, index)} ON ${target.qualifier}${table}`);
  }
}

function nameOf({ prefix }: TableTarget, { table, columns }: Index): string {
  return `${prefix}${table}_${columns.join('_')}`;
}

/** MySQL has neither CREATE INDEX IF NOT EXISTS nor DROP INDEX IF EXISTS. */
async function isThere(runner: QueryRunner, target: TableTarget, index: Index): Promise<boolean> {
  const rows = (await runner.query(
    `SELECT 1 FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() ` +
      `AND TABLE_NAME = '${target.qualifier}${index.table}' AND INDEX_NAME = '${nameOf(target, index)}' LIMIT 1`,
  )) as unknown[];
  return rows.length > 0;
}
