import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TypeOrmPersistence, type TypeOrmPersistenceOptions } from '@waymark/typeorm';
import { MemoryPersistence, type WorkflowPersistence } from '@waymark/runtime';
import { PROBED_VARIABLE, type ProbedServers, probeServers, type SkippedBackend } from './probe.js';
import { dropTables, type ServerDatabase } from './server-connection.js';
import { type MigratedTables, ServerTables } from './server-tables.js';

export { describeBackends } from './probe.js';

export type DatabaseName = 'sqlite' | 'mysql' | 'postgres';
export type BackendName = 'memory' | DatabaseName;

/** A store for one test file, apart from all others by its file or its table prefix. */
export interface TestBackend {
  readonly name: BackendName;
  /** For `TypeOrmPersistence.fromUrl`; undefined for memory. */
  readonly url: string | undefined;
  readonly tablePrefix: string;
  /**
   * Not initialized yet. Several at once are several nodes on one store, except in memory. With options, `{}` as well, a server has tables
   * that no other file has used.
   */
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
  /** If true, the suite has named no store: any will do, and a run takes one server of those that are there. See `pairs.ts`. */
  readonly isForAnyStore: boolean;
}

/** For a suite about what stores do differently: locks, transactions, queries, what other processes see. Each server has it in each run. */
export const EVERY_STORE: readonly BackendName[] = ['memory', 'sqlite', 'mysql', 'postgres'];

/**
 * The stores that can be used here, of those that are named or of all: memory and SQLite always, MySQL or MariaDB and
 * PostgreSQL by WAYMARK_TEST_MYSQL_URL and WAYMARK_TEST_POSTGRES_URL, else by the accounts that scripts/services.sh creates.
 * Without names the suite is about what workflows do, on any store.
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
  for (const name of names.length > 0 ? names : EVERY_STORE) {
    if (name === 'memory') available.push(memoryBackend());
    else if (name === 'sqlite') available.push(sqliteBackend());
    else if ('url' in servers[name]) available.push(serverBackend(name, servers[name].url));
    else skipped.push({ name, reason: servers[name].reason });
  }
  return { available, skipped, isForAnyStore: names.length === 0 };
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

/** By address: what files of this worker use one after the other. */
const serverTables = new Map<string, ServerTables>();

/**
 * Who asks for the prefix may do anything with the tables, and has some that are made for it; so has a store that begins with options of
 * its own. All others use tables of this worker in turn, which are emptied when everything that was created has been closed.
 */
function serverBackend(name: ServerDatabase, url: string): TestDatabase {
  const shared = serverTables.get(url) ?? new ServerTables(name, url);
  serverTables.set(url, shared);
  let own: string | undefined;
  let taking: Promise<MigratedTables> | undefined;
  let taken: MigratedTables | undefined;
  const open = new Set<WorkflowPersistence>();
  const known = () => own ?? taken?.tablePrefix;
  return {
    name,
    url,
    get tablePrefix() {
      return (own = known() ?? newPrefix());
    },
    async create(options) {
      if (known() === undefined && options) own = newPrefix();
      if (known() === undefined) taken = await (taking ??= shared.take());
      const store = TypeOrmPersistence.fromUrl(url, { tablePrefix: known()!, ...options });
      const close = store.close.bind(store);
      open.add(store);
      store.close = async () => {
        await close();
        open.delete(store);
      };
      return store;
    },
    async drop() {
      const prefix = known();
      if (prefix === undefined) return;
      if (taken && own === undefined && open.size === 0) await shared.giveBack(taken);
      else await dropTables(name, url, prefix);
      taken = taking = undefined;
      open.clear();
    },
  };
}

const newPrefix = (): string => `t${randomBytes(4).toString('hex')}_`;
