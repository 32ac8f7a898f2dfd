import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import BetterSqlite from 'better-sqlite3';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeSqliteDriver } from '../connection/node-sqlite.js';
import { inOneGo } from './sql-database.js';
import { SqliteDatabase } from './sqlite-database.js';
import { SqliteFile } from './sqlite-file.js';
import type { SqliteHandle } from './sqlite-handle.js';

type Handle = SqliteHandle & { close(): void };
type Driver = new (file: string) => Handle;

const builtin = nodeSqliteDriver() as Driver | undefined;
const DRIVERS: [string, Driver][] = [['better-sqlite3', BetterSqlite as unknown as Driver]];
if (builtin) DRIVERS.push(['node:sqlite', builtin]);

describe.each(DRIVERS)('the file of SQLite, by %s', (_name, Driver) => {
  let folder: string;
  let file: string;
  let handle: Handle;
  let database: SqliteDatabase;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-file-'));
    mkdirSync(path.join(folder, 'data'));
    file = path.join(folder, 'data', 'a.db');
    handle = new Driver(file);
    handle.pragma('journal_mode = WAL');
    handle.exec('CREATE TABLE t (id TEXT PRIMARY KEY)');
    database = new SqliteDatabase(() => handle);
    await database.start();
    await commit('first');
  });

  afterEach(async () => {
    await database.close();
    handle.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const commit = (id: string) =>
    database.transact(() => inOneGo([{ sql: 'INSERT INTO t (id) VALUES (?)', params: [id] }]));
  const rows = (from: Handle) => from.prepare('SELECT id FROM t ORDER BY id').all() as { id: string }[];
  const ids = (from: Handle) => rows(from).map(({ id }) => id);
  const lost = (reason: string, lostFile = file) => ({ code: 'WM7018', reason, file: lostFile });

  it.each<[string, () => void, reason: string, suffix?: string]>([
    ['is deleted', () => rmSync(file), 'gone'],
    ['is moved', () => renameSync(file, `${file}.moved`), 'gone'],
    ['is deleted with its folder', () => rmSync(path.dirname(file), { recursive: true }), 'gone'],
    ['is emptied', () => truncateSync(file), 'emptied'],
    [
      'is replaced by another database',
      () => {
        copyFileSync(file, `${file}.new`);
        renameSync(`${file}.new`, file);
      },
      'replaced',
    ],
    ['loses its log', () => rmSync(`${file}-wal`), 'gone', '-wal'],
    [
      'gets another log',
      () => {
        writeFileSync(`${file}.new`, '');
        renameSync(`${file}.new`, `${file}-wal`);
      },
      'replaced',
      '-wal',
    ],
  ])('refuses writes when it %s', async (_what, harm, reason, suffix = '') => {
    harm();
    const both = await Promise.allSettled([commit('second'), commit('third')]);
    for (const result of both)
      expect(result).toMatchObject({ status: 'rejected', reason: lost(reason, `${file}${suffix}`) });
    // What was written before is still there to be saved, and nothing was added.
    expect(ids(handle)).toEqual(['first']);
  });

  it('recovers when the same file is back', async () => {
    renameSync(path.dirname(file), path.join(folder, 'elsewhere'));
    await expect(commit('second')).rejects.toMatchObject(lost('gone'));
    renameSync(path.join(folder, 'elsewhere'), path.dirname(file));
    await commit('second');
    const other = new Driver(file);
    expect(ids(other)).toEqual(['first', 'second']);
    other.close();
  });

  it('tells readers as well, who look less often', async () => {
    const fresh = new SqliteDatabase(() => handle);
    await fresh.start();
    rmSync(file);
    const reading = fresh.read({ sql: 'SELECT id FROM t', params: [] });
    await expect(reading).rejects.toMatchObject(lost('gone'));
  });

  it('is not checked in memory', async () => {
    for (const name of [':memory:', '']) {
      const memory = new Driver(name);
      expect(() => new SqliteFile(memory).check()).not.toThrow();
      memory.close();
    }
  });

  it('may be read-only for a while: writes fail as unavailable, and succeed again afterwards', async () => {
    handle.pragma('query_only = 1');
    await expect(commit('second')).rejects.toMatchObject({ code: 'WM7014' });
    handle.pragma('query_only = 0');
    await commit('second');
    expect(ids(handle)).toEqual(['first', 'second']);
  });
});
