import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createWaymarkDataSource, TypeOrmPersistence, type TypeOrmPersistenceOptions } from '@waymark/typeorm';
import { MemoryPersistence, type WorkflowPersistence } from '@waymark/runtime';
import { PROBED_VARIABLE, type ProbedServers, probeServers, type SkippedBackend } from './probe.js';

export { describeBackends } from './probe.js';

export type DatabaseName = 'sqlite' | 'mysql' | 'postgres';
export type BackendName = 'memory' | DatabaseName;

/** A store for one test file, apart from all others by its file or its table prefix. */
export interface TestBackend {
  readonly name: BackendName;
  /** For `TypeOrmPersistence.fromUrl`; undefined for memory. */
  readonly url: string | undefined;
  readonly tablePrefix: string;
  /** Not initialized yet. Several at once are several nodes on one store, except in memory. */
  create(options?: TypeOrmPersistenceOptions): Promise<WorkflowPersistence>;
  /** Removes the tables or the file. Not called when a test failed, so that one can look. */
  drop(): Promise<void>;
}

export interface TestDatabase extends TestBackend {
  readonly name: DatabaseName;
  readonly url: string;
}

export interface TestBackends<B extends TestBackend = TestBackend> {
  readonly available: B[];
  readonly skipped: SkippedBackend[];
}

const ALL: readonly BackendName[] = ['memory', 'sqlite', 'mysql', 'postgres'];

/**
 * The stores that can be used here, of those that are named or of all: memory and SQLite always, MySQL or MariaDB and
 * PostgreSQL by WAYMARK_TEST_MYSQL_URL and WAYMARK_TEST_POSTGRES_URL, else by the accounts that scripts/services.sh creates.
 * @throws Error when one that WAYMARK_REQUIRE_BACKENDS names cannot be used
 */
export function testBackends(): Promise<TestBackends>;
export function testBackends(...names: DatabaseName[]): Promise<TestBackends<TestDatabase>>;
export function testBackends(...names: BackendName[]): Promise<TestBackends>;
export async function testBackends(...names: BackendName[]): Promise<TestBackends> {
  // Jest's global set-up has looked already, once for all files.
  const known = process.env[PROBED_VARIABLE];
  const servers = known ? (JSON.parse(known) as ProbedServers) : await probeServers();
  const available: TestBackend[] = [];
  const skipped: SkippedBackend[] = [];
  for (const name of names.length > 0 ? names : ALL) {
    if (name === 'memory') available.push(memoryBackend());
    else if (name === 'sqlite') available.push(sqliteBackend());
    else if ('url' in servers[name]) available.push(serverBackend(name, servers[name].url));
    else skipped.push({ name, reason: servers[name].reason });
  }
  return { available, skipped };
}

function memoryBackend(): TestBackend {
  let shared: MemoryPersistence | undefined;
  return {
    name: 'memory',
    url: undefined,
    tablePrefix: '',
    create: async () => (shared ??= new MemoryPersistence()),
    drop: async () => {
      shared = undefined;
    },
  };
}

function sqliteBackend(): TestDatabase {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  const url = `sqlite:${path.join(folder, 'test.db')}`;
  return {
    name: 'sqlite',
    url,
    tablePrefix: 'waymark_',
    // Its commits outlive the process; that they outlive the machine is what FULL waits for the disk for, and what no test can see.
    create: async (options) => TypeOrmPersistence.fromUrl(url, { synchronous: 'NORMAL', ...options }),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function serverBackend(name: 'mysql' | 'postgres', url: string): TestDatabase {
  const tablePrefix = `t${randomBytes(4).toString('hex')}_`;
  return {
    name,
    url,
    tablePrefix,
    create: async (options) => TypeOrmPersistence.fromUrl(url, { tablePrefix, ...options }),
    drop: () => dropTables(url, tablePrefix),
  };
}

async function dropTables(url: string, tablePrefix: string): Promise<void> {
  const dataSource = await createWaymarkDataSource(url, { tablePrefix }).initialize();
  try {
    const rows = (await dataSource.query(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE '${tablePrefix}%'`,
    )) as { name: string }[];
    for (const { name } of rows) await dataSource.query(`DROP TABLE ${name}`);
  } finally {
    await dataSource.destroy();
  }
}
