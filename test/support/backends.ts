import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createWaymarkDataSource, TypeOrmPersistence, type TypeOrmPersistenceOptions } from '@waymark/typeorm';
import { MemoryPersistence, type WorkflowPersistence } from '@waymark/runtime';

export type BackendName = 'memory' | 'sqlite' | 'mysql' | 'postgres';

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

export interface TestBackends {
  readonly available: TestBackend[];
  /** With the reason. */
  readonly skipped: { readonly name: BackendName; readonly reason: string }[];
}

const SERVERS = {
  mysql: {
    variable: 'WAYMARK_TEST_MYSQL_URL',
    local: ['mysql://waymark:waymark@127.0.0.1:3306/waymark_test', 'mysql://root@127.0.0.1:3306/waymark_test'],
  },
  postgres: {
    variable: 'WAYMARK_TEST_POSTGRES_URL',
    local: [
      'postgres://waymark:waymark@127.0.0.1:5432/waymark_test',
      'postgres://postgres@127.0.0.1:5432/waymark_test',
    ],
  },
} as const;

/**
 * The stores that can be reached from here: memory and SQLite always, MySQL or MariaDB and PostgreSQL by
 * WAYMARK_TEST_MYSQL_URL and WAYMARK_TEST_POSTGRES_URL, else by the accounts that scripts/services.sh creates.
 * @throws Error when a store that WAYMARK_REQUIRE_BACKENDS names (comma list) cannot be reached
 */
export async function testBackends(): Promise<TestBackends> {
  const available: TestBackend[] = [memoryBackend(), sqliteBackend()];
  const skipped: TestBackends['skipped'] = [];
  for (const name of ['mysql', 'postgres'] as const) {
    const found = await reach(name);
    if ('url' in found) available.push(serverBackend(name, found.url));
    else skipped.push({ name, reason: found.reason });
  }
  const required = (process.env.WAYMARK_REQUIRE_BACKENDS ?? '').split(',').map((name) => name.trim());
  const missing = skipped.filter(({ name }) => required.includes(name));
  if (missing.length > 0) {
    const reasons = missing.map(({ name, reason }) => `${name} (${reason})`).join(', ');
    throw new Error(`WAYMARK_REQUIRE_BACKENDS asks for backends that cannot be reached: ${reasons}`);
  }
  return { available, skipped };
}

/** One line that says what a suite really ran on. */
export function describeBackends({ available, skipped }: TestBackends): string {
  const left = skipped.map(({ name, reason }) => `; skipped ${name}: ${reason}`).join('');
  return `backends: ${available.map(({ name }) => name).join(', ')}${left}\n`;
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

function sqliteBackend(): TestBackend {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  const url = `sqlite:${path.join(folder, 'test.db')}`;
  return {
    name: 'sqlite',
    url,
    tablePrefix: 'waymark_',
    create: async (options) => TypeOrmPersistence.fromUrl(url, options),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function serverBackend(name: 'mysql' | 'postgres', url: string): TestBackend {
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

async function reach(name: keyof typeof SERVERS): Promise<{ url: string } | { reason: string }> {
  const { variable, local } = SERVERS[name];
  const given = process.env[variable];
  let reason = '';
  for (const url of given ? [given] : local) {
    try {
      const dataSource = await createWaymarkDataSource(url).initialize();
      await dataSource.destroy();
      return { url };
    } catch (error) {
      reason = String((error as Error).message || (error as { code?: string }).code);
    }
  }
  return { reason: given ? `${variable} does not answer: ${reason}` : reason };
}
