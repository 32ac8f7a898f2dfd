import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { inOneGo } from './sql-database.js';
import { SqliteDatabase } from './sqlite-database.js';
import type { Statement } from './statement.js';

const insert = (id: string): Statement => ({ sql: 'INSERT INTO t (id) VALUES (?)', params: [id] });
const refused = (id: string): Statement => ({
  sql: 'DELETE FROM t WHERE id = ?',
  params: [id],
  expect: { affected: 1 },
});

describe('SQLite database', () => {
  let folder: string;
  let file: string;
  let handle: Database.Database;
  let database: SqliteDatabase;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-sqlite-'));
    file = path.join(folder, 'a.db');
    handle = new Database(file, { timeout: 0 });
    handle.pragma('journal_mode = WAL');
    handle.exec('CREATE TABLE t (id TEXT PRIMARY KEY)');
    database = new SqliteDatabase(() => handle as never);
    await database.start();
  });

  afterEach(async () => {
    await database.close();
    handle.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('yields to other work between thousands of sequential reads', async () => {
    let turns = 0;
    const count = () => void (turns++, (next = setImmediate(count)));
    let next = setImmediate(count);
    const slow =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT count(*) FROM n';
    const before = process.cpuUsage();
    // A quarter of a second of work, whatever the machine.
    do await database.read({ sql: slow, params: [] });
    while (process.cpuUsage(before).user < 250_000);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(3);
  });

  const commit = (...statements: Statement[]) => database.transact(() => inOneGo(statements));
  /** A database on the same connection, which tells what it does there. */
  const watched = ({ onBegin, onLook }: { onBegin?: () => void; onLook?: () => void }) => {
    const connection = {
      get inTransaction() {
        onLook?.();
        return handle.inTransaction;
      },
      prepare: (sql: string) => {
        const statement = handle.prepare(sql);
        if (sql !== 'BEGIN IMMEDIATE') return statement;
        const run = () => {
          onBegin?.();
          return statement.run();
        };
        return { reader: false, run };
      },
      pragma: handle.pragma.bind(handle),
      function: () => undefined,
    };
    return new SqliteDatabase(() => connection as never);
  };
  const ids = async () =>
    (await database.read({ sql: 'SELECT id FROM t ORDER BY id', params: [] })).map((row) => row.id);

  it('commits concurrent writes together, and lets each fail alone', async () => {
    const commits: string[] = [];
    const traced = new Database(file, { timeout: 0, verbose: (sql) => commits.push(String(sql)) });
    database = new SqliteDatabase(
      () => traced as never,
      () => 0,
    );
    await database.start();
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        n % 4 === 3 ? commit(insert(`${n}`), refused('none')) : commit(insert(`${n}`)),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(
      Array.from({ length: 40 }, (_, n) => (n % 4 === 3 ? 'rejected' : 'fulfilled')),
    );
    expect(await ids()).toHaveLength(30);
    expect(commits.filter((sql) => sql === 'COMMIT')).toHaveLength(1);
    await database.close();
    traced.close();
  });

  it('takes a savepoint for each write only after one has failed, until none has for a while', async () => {
    const seen: string[] = [];
    const traced = new Database(file, { timeout: 0, verbose: (sql) => seen.push(String(sql)) });
    database = new SqliteDatabase(
      () => traced as never,
      () => 0,
    );
    await database.start();
    const savepoints = async (...writes: Statement[][]): Promise<number> => {
      seen.length = 0;
      await Promise.allSettled(writes.map((statements) => commit(...statements)));
      return seen.filter((sql) => sql === 'SAVEPOINT waymark').length;
    };
    expect(await savepoints([insert('a')], [insert('b')])).toBe(0);
    // Two that want the same one, beside one that is not concerned.
    const racing = [insert('c'), refused('a')];
    expect(await savepoints(racing, [insert('d')], [insert('e'), refused('a')])).toBe(3);
    expect(await ids()).toEqual(['b', 'c', 'd']);
    expect(await savepoints([insert('f')])).toBe(1);
    let groups = 1;
    while ((await savepoints([insert(`g${groups}`)])) > 0) groups++;
    expect(groups).toBeLessThan(20);
    await database.close();
    traced.close();
  });

  it('undoes a lone write that fails, in one transaction', async () => {
    const seen: string[] = [];
    const traced = new Database(file, { timeout: 0, verbose: (sql) => seen.push(String(sql)) });
    database = new SqliteDatabase(() => traced as never);
    await database.start();
    seen.length = 0;
    await expect(commit(insert('a'), refused('none'))).rejects.toThrow();
    expect(seen.filter((sql) => /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT)/.test(sql))).toEqual([
      'BEGIN IMMEDIATE',
      'ROLLBACK',
    ]);
    expect(await ids()).toEqual([]);
    await database.close();
    traced.close();
  });

  it('writes what is large in several groups, between which others have their turn', async () => {
    const begun: string[] = [];
    const traced = new Database(file, { timeout: 0, verbose: (sql) => begun.push(String(sql).slice(0, 6)) });
    // A clock that stands still: on a busy machine the writes of one group could take longer than it may.
    database = new SqliteDatabase(
      () => traced as never,
      () => 0,
    );
    await database.start();
    const rows = Array.from({ length: 10 }, (_, n) => insert(`${n}`.repeat(200_000)));
    const results = await Promise.all(rows.map((row) => commit(row)));
    expect(results).toHaveLength(10);
    expect(begun.filter((sql) => sql === 'COMMIT')).toHaveLength(4);
    expect(await ids()).toHaveLength(10);
    await database.close();
    traced.close();
  });

  it('writes what takes long in several groups, between which others have their turn', async () => {
    const begun: string[] = [];
    const traced = new Database(file, { timeout: 0, verbose: (sql) => begun.push(String(sql).slice(0, 6)) });
    let time = 0;
    // Each write takes four milliseconds.
    database = new SqliteDatabase(
      () => traced as never,
      () => (time += 4),
    );
    await database.start();
    const writing = Array.from({ length: 9 }, (_, n) => commit(insert(`${n}`)));
    let turnsUntilEnd = 0;
    let isOver = false;
    const all = Promise.all(writing).then(() => (isOver = true));
    for (; !isOver; turnsUntilEnd++) await turn();
    await all;
    expect(begun.filter((sql) => sql === 'COMMIT')).toHaveLength(3);
    expect(turnsUntilEnd).toBeGreaterThanOrEqual(3);
    expect(await ids()).toHaveLength(9);
    await database.close();
    traced.close();
  });

  it('refuses a write because of one in the same group only when that one is committed', async () => {
    await commit(insert('bookmark'));
    const outcomes: string[] = [];
    const consume = (name: string) =>
      commit(refused('bookmark')).then(
        () => outcomes.push(`${name} won`),
        () => outcomes.push(`${name} lost`),
      );
    const handleCommit = handle.prepare('COMMIT');
    expect(handleCommit).toBeDefined();
    await Promise.all([consume('first'), consume('second')]);
    expect(outcomes).toEqual(['first won', 'second lost']);
  });

  it('reports a failed group commit to all members of the group, also to those that were refused', async () => {
    const failing = {
      get inTransaction() {
        return handle.inTransaction;
      },
      prepare: (sql: string) => {
        if (sql !== 'COMMIT') return handle.prepare(sql);
        const run = () => {
          throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
        };
        return { reader: false, run };
      },
      function: () => undefined,
    };
    await commit(insert('bookmark'));
    const broken = new SqliteDatabase(() => failing as never);
    await broken.start();
    const results = await Promise.allSettled([
      broken.transact(() => inOneGo([refused('bookmark')])),
      broken.transact(() => inOneGo([refused('bookmark')])),
    ]);
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { code: 'WM7014' } });
    expect(handle.inTransaction).toBe(false);
    expect(await ids()).toEqual(['bookmark']);
  });

  it('survives a full disk: nothing is half written, and it continues when there is room', async () => {
    const pages = handle.pragma('page_count', { simple: true }) as number;
    handle.pragma(`max_page_count = ${pages}`);
    const large: Statement = { sql: 'INSERT INTO t (id) VALUES (?)', params: ['x'.repeat(100_000)] };
    const results = await Promise.allSettled([commit(insert('a'), large), commit(large)]);
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { code: 'WM7014' } });
    handle.pragma('max_page_count = 100000');
    await commit(insert('b'));
    expect(await ids()).toEqual(['b']);
  });

  it('answers every caller when neither COMMIT nor ROLLBACK succeeds, shows nothing of it, and continues', async () => {
    const failing = new Map([
      ['COMMIT', 1],
      ['ROLLBACK', 2],
    ]);
    const connection = {
      get inTransaction() {
        return handle.inTransaction;
      },
      prepare: (sql: string) => {
        const statement = handle.prepare(sql);
        if (!failing.has(sql)) return statement;
        const run = () => {
          const left = failing.get(sql)!;
          failing.set(sql, left - 1);
          if (left > 0) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
          return statement.run();
        };
        return { reader: false, run };
      },
      pragma: handle.pragma.bind(handle),
      function: () => undefined,
    };
    const ailing = new SqliteDatabase(() => connection as never);
    await ailing.start();
    const write = (id: string) => ailing.transact(() => inOneGo([insert(id)]));
    const read = () => ailing.read({ sql: 'SELECT id FROM t', params: [] });
    const outcomes = await Promise.allSettled([write('a'), write('b')]);
    expect(outcomes.map((outcome) => (outcome as { reason?: { code?: string } }).reason?.code)).toEqual([
      'WM7014',
      'WM7014',
    ]);
    await expect(read()).rejects.toMatchObject({ code: 'WM7014' });
    expect(await read()).toEqual([]);
    await write('c');
    expect(await ids()).toEqual(['c']);
    await ailing.close();
  });

  it('answers no refusal when ROLLBACK fails, as it may rest on a write that is not there then', async () => {
    let left = 1;
    const connection = {
      get inTransaction() {
        return handle.inTransaction;
      },
      prepare: (sql: string) => {
        const statement = handle.prepare(sql);
        if (sql !== 'ROLLBACK') return statement;
        const run = () => {
          if (left-- > 0) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
          return statement.run();
        };
        return { reader: false, run };
      },
      pragma: handle.pragma.bind(handle),
      function: () => undefined,
    };
    const ailing = new SqliteDatabase(() => connection as never);
    await ailing.start();
    const write = (id: string) => ailing.transact(() => inOneGo([insert(id)]));
    const outcomes = await Promise.allSettled([write('a'), write('a'), write('b')]);
    const reasons = outcomes.map((outcome) => (outcome as { reason?: { code?: string } }).reason?.code);
    // The third one was not written yet, and comes after them.
    expect([reasons, await ids()]).toEqual([['WM7014', 'WM7014', undefined], ['b']]);
    await write('a');
    expect(await ids()).toEqual(['a', 'b']);
    await ailing.close();
  });

  it('waits for another process without stopping this one', async () => {
    const other = new Database(file, { timeout: 0 });
    other.exec('BEGIN IMMEDIATE');
    let attempts = 0;
    const counting = watched({ onBegin: () => attempts++ });
    await counting.start();
    const writing = counting.transact(() => inOneGo([insert('a')]));
    // It is at it again and again, and in between it is the turn of others.
    while (attempts < 3) await turn();
    expect(await ids()).toEqual([]);
    other.exec('COMMIT');
    await writing;
    other.close();
    expect(await ids()).toEqual(['a']);
  });

  it('stays out of a transaction that other code has open on the same connection', async () => {
    handle.exec('BEGIN');
    handle.exec("INSERT INTO t (id) VALUES ('theirs')");
    let looks = 0;
    const looking = watched({ onLook: () => looks++ });
    await looking.start();
    const writing = looking.transact(() => inOneGo([insert('ours')]));
    while (looks < 3) await turn();
    handle.exec('ROLLBACK');
    await writing;
    expect(await ids()).toEqual(['ours']);
  });

  it('passes on the error of a statement, with the cause', async () => {
    const wrong = commit({ sql: 'INSERT INTO t (nowhere) VALUES (1)', params: [] });
    await expect(wrong).rejects.toMatchObject({ code: 'WM7009', message: expect.stringContaining('nowhere') });
    await expect(database.read({ sql: 'SELECT', params: [] })).rejects.toMatchObject({ code: 'WM7009' });
  });

  it('is unavailable while a table is missing', async () => {
    const missing = { code: 'WM7014', message: expect.stringContaining('no such table: gone') };
    await expect(commit({ sql: 'INSERT INTO gone VALUES (1)', params: [] })).rejects.toMatchObject(missing);
    await expect(database.read({ sql: 'SELECT * FROM gone', params: [] })).rejects.toMatchObject(missing);
  });
});
