import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import mysql from 'mysql2/promise';
import pg from 'pg';
import type { BenchOptions, DatabaseName } from '../options.js';
import type { Report } from '../report/report.js';

const URLS = {
  mariadb: process.env.WAYMARK_TEST_MYSQL_URL ?? 'mysql://waymark:waymark@127.0.0.1:3306/waymark_test',
  postgres: process.env.WAYMARK_TEST_POSTGRES_URL ?? 'postgres://waymark:waymark@127.0.0.1:5432/waymark_test',
};

/** Where to measure. Tables get a prefix of their own, so that what else is in the database stays as it is. */
export interface BenchDatabase {
  readonly name: DatabaseName;
  readonly url: string;
  readonly prefix: string;
}

/** The databases of one run of the benchmark: all that answer, and how to leave them as they were. */
export class BenchDatabases {
  private readonly prefix = `wmbench${process.pid}_`;
  /** On the disk of the project: a temporary folder is often memory, where durable writes cost nothing. */
  readonly folder = path.resolve('data', `bench-${process.pid}`);
  private readonly found: BenchDatabase[] = [];

  /** Unused tables each time: what one measurement leaves behind must not slow the next one. */
  private uses = 0;

  async open({ databases }: BenchOptions, report: Report): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    for (const name of databases) {
      const reason = name === 'sqlite' ? undefined : await this.whyNot(name, report);
      if (reason === undefined) this.found.push({ name, url: '', prefix: '' });
      else report.notMeasured('environment', name, reason);
    }
  }

  /** Those that answer, each with fresh tables. */
  fresh(): BenchDatabase[] {
    const use = ++this.uses;
    return this.found.map(({ name }) => ({
      name,
      url: name === 'sqlite' ? `sqlite:${this.file(`${use}.db`)}` : URLS[name],
      prefix: `${this.prefix}${use}_`,
    }));
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    for (const { name } of this.found) {
      if (name === 'mariadb') await this.dropMysql();
      if (name === 'postgres') await this.dropPostgres();
    }
  }

  /** Tells what commits of that server promise, too: a server that need not reach the disk measures something else. */
  private async whyNot(name: 'mariadb' | 'postgres', report: Report): Promise<string | undefined> {
    try {
      const durability = await (name === 'mariadb' ? mysqlDurability() : postgresDurability());
      for (const [metric, value] of Object.entries(durability)) report.value('environment', name, metric, value);
      return undefined;
    } catch (error) {
      return String((error as Error).message || (error as { code?: string }).code);
    }
  }

  private async dropMysql(): Promise<void> {
    const connection = await mysql.createConnection(URLS.mariadb);
    const [rows] = await connection.query(
      'select table_name as name from information_schema.tables where table_schema = database() and table_name like ?',
      [likePrefix(this.prefix)],
    );
    await connection.query('set foreign_key_checks = 0');
    for (const { name } of rows as { name: string }[]) await connection.query('drop table ??', [name]);
    await connection.end();
  }

  private async dropPostgres(): Promise<void> {
    const client = new pg.Client({ connectionString: URLS.postgres });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = current_schema() and tablename like $1',
      [likePrefix(this.prefix)],
    );
    for (const { name } of rows) await client.query(`drop table ${client.escapeIdentifier(name)} cascade`);
    await client.end();
  }
}

function likePrefix(prefix: string): string {
  return `${prefix.replaceAll('_', String.raw`\_`)}%`;
}

async function mysqlDurability(): Promise<Record<string, string>> {
  const connection = await mysql.createConnection({ uri: URLS.mariadb, connectTimeout: 3000 });
  const [rows] = await connection.query(
    'select version() as version, @@innodb_flush_log_at_trx_commit as flush_log_at_commit',
  );
  await connection.end();
  return texts((rows as object[])[0]!);
}

async function postgresDurability(): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: URLS.postgres, connectionTimeoutMillis: 3000 });
  await client.connect();
  const { rows } = await client.query<object>(
    `select split_part(version(), ' ', 2) as version, current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync') as fsync`,
  );
  await client.end();
  return texts(rows[0]!);
}

function texts(row: object): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)]));
}
