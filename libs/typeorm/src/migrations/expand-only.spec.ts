import type { QueryRunner } from 'typeorm';
import { migrationsFor } from './index.js';

/**
 * Migrations that take something away, by name, each with the release since which no node needs it: nodes of that release and
 * later ones may still run while the migration does. Empty, as long as nothing was ever taken away.
 */
const CONTRACTIONS: Readonly<Record<string, string>> = {};

/** Migrations that concern one database only. */
const ONLY_ON: Readonly<Record<string, string>> = {
  RoomForClaims1797000000000: 'postgres',
  QuickCompression1800000000000: 'postgres',
};

const FAMILIES = ['better-sqlite3', 'mysql', 'postgres'] as const;

type Migration = InstanceType<ReturnType<typeof migrationsFor>[number]>;

/** What a migration tells a database that has none of what it makes. @param hasLz4 whether the server was built with it */
async function statementsOf(migration: Migration, type: string, hasLz4 = true) {
  const statements: string[] = [];
  const query = async (sql: string): Promise<unknown[]> => {
    statements.push(sql.replaceAll(/\s+/g, ' ').trim());
    return hasLz4 && sql.includes("'lz4' = ANY(enumvals)") ? [{}] : [];
  };
  await migration.up({ dataSource: { options: { type } }, query } as unknown as QueryRunner);
  return statements;
}

/** Why nodes of the version before, which run beside it, would fail; undefined when they would not. */
function harmOf(sql: string): string | undefined {
  if (/^(SELECT|INSERT|UPDATE|SHOW|SET) /i.test(sql)) return undefined;
  if (/^CREATE (TABLE|INDEX|SEQUENCE) /i.test(sql) || /^DROP INDEX /i.test(sql)) return undefined;
  if (/^CREATE UNIQUE INDEX /i.test(sql)) return undefined;
  if (/^ALTER TABLE \S+ SET \(fillfactor = \d+\)$/i.test(sql)) return undefined;
  if (/^ALTER TABLE \S+ ALTER COLUMN \S+ SET COMPRESSION lz4$/i.test(sql)) return undefined;
  const added = /^ALTER TABLE \S+ ADD COLUMN (?<column>.+)$/i.exec(sql)?.groups?.column;
  if (added === undefined) return 'it takes away or changes what nodes of the version before use';
  if (/ (RENAME|DROP|MODIFY|CHANGE) /i.test(` ${added} `)) return 'it does more than add a column';
  return /NOT NULL/i.test(added) && !/DEFAULT/i.test(added)
    ? 'a row of a node that does not know the column would be refused'
    : undefined;
}

/** A table that is there may have rows that an older node repeats. */
function uniqueOnOldTables(statements: readonly string[]): string[] {
  const created = statements.flatMap((sql) => /^CREATE TABLE (?:IF NOT EXISTS )?(\S+)/i.exec(sql)?.[1] ?? []);
  return statements.filter((sql) => {
    const table = /^CREATE UNIQUE INDEX .*? ON (\S+?)\s*\(/i.exec(sql)?.[1];
    return table !== undefined && !created.includes(table);
  });
}

describe.each(FAMILIES)('migrations on %s', (type) => {
  const migrations = migrationsFor('wm_').map(
    (migration) => new migration() as InstanceType<typeof migration> & { name: string },
  );

  it.each(migrations.map((migration) => [migration.name, migration] as const))(
    '%s only adds, so that nodes of the version before continue beside it',
    async (name, migration) => {
      if (CONTRACTIONS[name]) return;
      const statements = await statementsOf(migration, type);
      const changes = statements.filter((sql) => !sql.startsWith('SELECT '));
      expect(changes.length > 0).toBe(ONLY_ON[name] === undefined || ONLY_ON[name] === type);
      expect(statements.flatMap((sql) => (harmOf(sql) ? [`${sql}: ${harmOf(sql)}`] : []))).toEqual([]);
      expect(uniqueOnOldTables(statements)).toEqual([]);
    },
  );

  it('migrations come in the order of their times', () => {
    const times = migrations.map(({ name }) => Number(/\d{13}$/.exec(name)![0]));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

describe('a PostgreSQL server without LZ4', () => {
  it('is asked for nothing that it does not have', async () => {
    const migration = migrationsFor('wm_')
      .map((each) => new each() as Migration & { name: string })
      .find(({ name }) => name.startsWith('QuickCompression'))!;
    const changes = async (hasLz4: boolean) =>
      (await statementsOf(migration, 'postgres', hasLz4)).filter((sql) => !sql.startsWith('SELECT '));
    expect(await changes(false)).toEqual([]);
    expect(await changes(true)).toContain('ALTER TABLE wm_instances ALTER COLUMN state SET COMPRESSION lz4');
  });
});

describe('the rule that migrations only add', () => {
  it.each([
    'ALTER TABLE wm_outbox DROP COLUMN turn',
    'ALTER TABLE wm_outbox RENAME COLUMN turn TO place',
    'ALTER TABLE wm_outbox ADD COLUMN place BIGINT NOT NULL',
    'ALTER TABLE wm_outbox ALTER COLUMN turn SET NOT NULL',
    'ALTER TABLE wm_outbox MODIFY COLUMN turn BIGINT',
    'DROP TABLE wm_outbox',
    'DELETE FROM wm_outbox',
  ])('refuses %s', (sql) => expect(harmOf(sql)).toBeDefined());

  it.each([
    'ALTER TABLE wm_outbox ADD COLUMN place BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE wm_outbox ADD COLUMN place BIGINT',
    'CREATE TABLE wm_more (id TEXT NOT NULL)',
    'ALTER TABLE wm_outbox SET (fillfactor = 50)',
    'ALTER TABLE wm_outbox ALTER COLUMN data SET COMPRESSION lz4',
  ])('allows %s', (sql) => expect(harmOf(sql)).toBeUndefined());

  it('refuses new constraints on rows of older nodes', () => {
    expect(uniqueOnOldTables(['CREATE UNIQUE INDEX x ON wm_outbox (id)'])).toHaveLength(1);
    expect(uniqueOnOldTables(['CREATE TABLE wm_new (id TEXT)', 'CREATE UNIQUE INDEX x ON wm_new (id)'])).toEqual([]);
  });
});
