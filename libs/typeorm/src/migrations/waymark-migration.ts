import type { MigrationInterface, QueryRunner } from 'typeorm';
import { familyOf } from '../connection/database-family.js';
import type { TableTarget } from './table-sql.js';

/**
 * A hand-written migration for all databases. Rules: it never changes once released; every statement may be run again,
 * because MySQL commits each by itself and a crash may come between two.
 */
export abstract class WaymarkMigration implements MigrationInterface {
  abstract readonly name: string;

  constructor(
    private readonly prefix: string,
    private readonly schema: string | undefined,
  ) {}

  abstract up(runner: QueryRunner): Promise<void>;
  abstract down(runner: QueryRunner): Promise<void>;

  protected async target(runner: QueryRunner): Promise<TableTarget> {
    const family = familyOf(runner.dataSource);
    const { prefix } = this;
    const qualifier = this.schema === undefined ? prefix : `${this.schema}.${prefix}`;
    return { family, prefix, qualifier, collation: family === 'mysql' ? await exactCollation(runner) : undefined };
  }
}

/** The default collations take "a", "A" and "a " for the same key. MariaDB and MySQL name the exact one differently. */
async function exactCollation(runner: QueryRunner): Promise<string> {
  const names = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin'];
  const rows = (await runner.query(
    `SELECT COLLATION_NAME AS name FROM information_schema.COLLATIONS WHERE COLLATION_NAME IN ('${names.join("', '")}')`,
  )) as { name: string }[];
  return rows[0]?.name ?? 'utf8mb4_bin';
}
