import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { TypeOrmPersistence, type TypeOrmPersistenceOptions } from '@waymark/typeorm';
import { AbstractLogger, type DataSourceOptions } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { olderGuardNumber } from '../support/older-node.js';
import { type Query, type ServerDatabase, withConnection } from '../support/server-connection.js';
import { FaultProxy } from './fault-proxy.js';

// Which migrations wait for each other: those of the same tables, and none of another application on the same server.

/** Longer than the tests: at their end, the silent node loses its connection. */
const HOLD_MS = 30_000;
const WAIT_MS = 1000;
const own = `waymark_guards_${randomBytes(4).toString('hex')}`;

class OnQuery extends AbstractLogger {
  constructor(private readonly heard: (sql: string) => void) {
    super('all');
  }
  override logQuery(sql: string): void {
    this.heard(sql);
  }
  protected writeLog(): void {}
}

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** A node that goes silent in the middle of its first migration, whose session the server keeps with its guard. */
async function holdGuard(url: string, options: object, limits: TypeOrmPersistenceOptions = {}): Promise<void> {
  const proxy = await FaultProxy.open(url);
  let holds = (): void => {};
  const isHeld = new Promise<void>((resolve) => (holds = resolve));
  const logger = new OnQuery((sql) => {
    if (!/CREATE TABLE.*_instances/s.test(sql)) return;
    proxy.blackHole('established');
    holds();
  });
  const settings = { ...options, url: proxy.url, logging: true, logger } as unknown as DataSourceOptions;
  const node = TypeOrmPersistence.fromOptions(settings as never, { migrationTimeoutMs: HOLD_MS, ...limits });
  const failing = expect(node.initialize()).rejects.toMatchObject({ code: 'WM7014' });
  ending.push(async () => {
    proxy.cutAll();
    await failing;
    await node.close();
    await proxy.close();
  });
  await isHeld;
}

async function migrates(options: object): Promise<void> {
  const node = TypeOrmPersistence.fromOptions(options as never, { migrationTimeoutMs: WAIT_MS });
  try {
    await node.initialize();
    expect(await node.definitions.changeCounter()).toBe(0);
  } finally {
    await node.close();
  }
}

const execute = (name: string, url: string, ...statements: string[]) =>
  withConnection(name as ServerDatabase, url, async (query) => {
    for (const sql of statements) await query(sql);
  });

describeOn(await testBackends('mysql'), 'migrations of two databases on one server: $name', ({ name, url }) => {
  const databases = [`${own}_a`, `${own}_b`];
  const urlOf = (database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
  afterAll(() => execute(name, url, ...databases.map((each) => `DROP DATABASE IF EXISTS ${each}`)));

  it('migrations of two databases on one server do not wait for each other, though their tables have the same names', async () => {
    await execute(name, url, ...databases.map((each) => `CREATE DATABASE ${each}`));
    const [one, other] = databases.map(urlOf) as [string, string];
    await holdGuard(one, { type: 'mysql' });
    await migrates({ type: 'mysql', url: other });
    await expect(migrates({ type: 'mysql', url: one })).rejects.toMatchObject({
      code: 'WM7014',
      message: expect.stringContaining('Another node has been migrating'),
    });
  }, 60_000);
});

describeOn(await testBackends('postgres'), 'migrations of two schemas in one database: $name', ({ name, url }) => {
  const schemas = [`${own}_a`, `${own}_b`];
  const [one, other] = schemas as [string, string];
  /** The application names its schema by the search path of its account or of its connections. */
  const within = (schema: string) => ({ type: 'postgres', url, extra: { options: `-c search_path=${schema}` } });
  afterAll(() => execute(name, url, ...schemas.map((each) => `DROP SCHEMA IF EXISTS ${each} CASCADE`)));

  it('migrations of two schemas in one database wait for each other where the tables are the same, however their schema is named', async () => {
    await execute(name, url, ...schemas.map((each) => `CREATE SCHEMA ${each}`));
    await holdGuard(url, within(one));
    await migrates(within(other));
    for (const same of [within(one), { type: 'postgres', url, schema: one }])
      await expect(migrates(same)).rejects.toMatchObject({
        code: 'WM7014',
        message: expect.stringContaining('Another node has been migrating'),
      });
  }, 60_000);
});

/** What an older build does before it migrates: the names of its locks do not contain where the tables are. */
const tryOlderGuard = async (name: string, query: Query): Promise<boolean> => {
  const number = olderGuardNumber();
  const sql = name === 'mysql' ? `GET_LOCK('waymark_${number}', 0) = 1` : `pg_try_advisory_lock(${number})`;
  const [row] = await query(`SELECT ${sql} AS held`);
  return Boolean(row?.held);
};

describeOn(await testBackends('mysql', 'postgres'), 'migrations of nodes of an older build: $name', (backend) => {
  const name = backend.name as ServerDatabase;
  const { url } = backend;
  const places = [`${own}_c`, `${own}_d`, `${own}_e`] as const;
  const [first, one, other] = places;
  const isMysql = name === 'mysql';
  const kind = isMysql ? 'DATABASE' : 'SCHEMA';
  const within = (place: string) => {
    if (isMysql) return { type: 'mysql', url: Object.assign(new URL(url), { pathname: `/${place}` }).href };
    return { type: 'postgres', url, extra: { options: `-c search_path=${place}` } };
  };
  const cascade = isMysql ? '' : ' CASCADE';
  beforeAll(() => execute(name, url, ...places.map((each) => `CREATE ${kind} ${each}`)));
  afterAll(() => execute(name, url, ...places.map((each) => `DROP ${kind} IF EXISTS ${each}${cascade}`)));

  it('migrations of nodes of an older build are waited for', async () => {
    await withConnection(name, within(first).url, async (query) => {
      expect(await tryOlderGuard(name, query)).toBe(true);
      await expect(migrates(within(first))).rejects.toMatchObject({
        code: 'WM7014',
        message: expect.stringContaining('Another node has been migrating'),
      });
    });
    await migrates(within(first));
  }, 60_000);

  it('migrations of nodes of an older build wait for a node of this one', async () => {
    const options = within(one);
    await holdGuard(options.url, options);
    await withConnection(name, options.url, async (query) => expect(await tryOlderGuard(name, query)).toBe(false));
    // Tables with the same names in another place are migrated meanwhile.
    await migrates(within(other));
  }, 60_000);
});
