import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CommitOutcomeUnknownError, StoreUnavailableError } from '@waymark/runtime';
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inOneGo } from './sql-database.js';
import { SqliteDatabase } from './sqlite-database.js';

const insert = (id: string) => () => inOneGo([{ sql: 'INSERT INTO t (id) VALUES (?)', params: [id] }]);
const SELECT = { sql: 'SELECT id FROM t ORDER BY id', params: [] };

/** A disk whose syncs end when the test says so. */
class Disk {
  private readonly asked: { resolve: () => void; reject: (error: Error) => void }[] = [];
  private onAsked: (() => void) | undefined;
  syncs = 0;

  readonly sync = (): Promise<void> => {
    this.syncs++;
    return new Promise<void>((resolve, reject) => {
      this.asked.push({ resolve, reject });
      this.onAsked?.();
    });
  };

  async next(): Promise<{ resolve: () => void; reject: (error: Error) => void }> {
    if (this.asked.length === 0) await new Promise<void>((resolve) => (this.onAsked = resolve));
    return this.asked.shift()!;
  }
}

describe('Log of SQLite', () => {
  let folder: string;
  let handle: Database.Database;
  let other: Database.Database;
  let disk: Disk;
  let database: SqliteDatabase;

  const open = (file: string) => {
    const opened = new Database(path.join(folder, file), { timeout: 0 });
    opened.pragma('journal_mode = WAL');
    opened.pragma('synchronous = FULL');
    return opened;
  };

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-log-'));
    handle = open('a.db');
    handle.exec('CREATE TABLE t (id TEXT PRIMARY KEY)');
    other = open('a.db');
    disk = new Disk();
    database = new SqliteDatabase(() => handle as never, undefined, disk.sync);
    await database.start();
  });

  afterEach(async () => {
    await database.close();
    handle.close();
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers a write when it has reached the disk, and lets other processes write until then', async () => {
    let isAnswered = false;
    const written = database.transact(insert('a')).then(() => (isAnswered = true));
    const sync = await disk.next();
    other.exec("INSERT INTO t (id) VALUES ('of another process')");
    expect(isAnswered).toBe(false);
    sync.resolve();
    await written;
    expect(await database.read(SELECT)).toHaveLength(2);
  });

  it('gives writes that come meanwhile a group and a sync of their own', async () => {
    const first = database.transact(insert('a'));
    const sync = await disk.next();
    const others = [database.transact(insert('b')), database.transact(insert('c'))];
    sync.resolve();
    await first;
    const second = await disk.next();
    expect(disk.syncs).toBe(2);
    second.resolve();
    await Promise.all(others);
    expect(disk.syncs).toBe(2);
  });

  it('reports an unknown outcome when a sync fails, and continues after a checkpoint', async () => {
    const written = database.transact(insert('a'));
    (await disk.next()).reject(new Error('EIO'));
    await expect(written).rejects.toThrow(CommitOutcomeUnknownError);
    // A reader of an earlier state keeps the log from being brought into the database.
    other.exec('BEGIN');
    other.prepare('SELECT * FROM t').all();
    handle.exec("INSERT INTO t (id) VALUES ('b')");
    await expect(database.read(SELECT)).rejects.toThrow(StoreUnavailableError);
    other.exec('COMMIT');
    expect(await database.read(SELECT)).toHaveLength(2);
    const next = database.transact(insert('c'));
    (await disk.next()).resolve();
    await next;
    expect(await database.read(SELECT)).toHaveLength(3);
  });

  it('leaves the commits of the application on this connection to SQLite, which brings them to the disk', async () => {
    const setting = () => handle.pragma('synchronous', { simple: true });
    const settings = [setting()];
    const written = database.transact(() => {
      settings.push(setting());
      return inOneGo([{ sql: 'INSERT INTO t (id) VALUES (?)', params: ['a'] }]);
    });
    const sync = await disk.next();
    settings.push(setting());
    sync.resolve();
    await written;
    expect(settings).toEqual([2, 1, 2]);
  });

  it('answers what is committed when the setting cannot be given back, and does so with what follows', async () => {
    const execute = handle.exec.bind(handle);
    const exec = jest.spyOn(handle, 'exec');
    for (const code of ['SQLITE_IOERR', 'SQLITE_BUSY']) {
      // Taken over, then given back.
      exec
        .mockImplementationOnce((sql) => execute(sql))
        .mockImplementationOnce(() => {
          throw Object.assign(new Error('disk I/O error'), { code });
        });
      const written = database.transact(insert(code));
      (await disk.next()).resolve();
      await written;
      expect(handle.prepare('PRAGMA synchronous').pluck().get()).toBe(1);
      await database.read(SELECT);
      expect(handle.prepare('PRAGMA synchronous').pluck().get()).toBe(2);
    }
    expect(await database.read(SELECT)).toHaveLength(2);
  });

  it('can be closed twice, and opened anew', async () => {
    await Promise.all([database.close(), database.close()]);
    await database.start();
    const written = database.transact(insert('a'));
    (await disk.next()).resolve();
    await written;
  });

  it.each(['synchronous = NORMAL', 'journal_mode = DELETE'])('syncs nothing by itself with %s', async (setting) => {
    const chosen = open('b.db');
    chosen.exec('CREATE TABLE t (id TEXT PRIMARY KEY)');
    chosen.pragma(setting);
    const before = chosen.pragma('synchronous', { simple: true });
    const plain = new SqliteDatabase(() => chosen as never, undefined, disk.sync);
    await plain.start();
    await plain.transact(insert('a'));
    expect(disk.syncs).toBe(0);
    expect(chosen.pragma('synchronous', { simple: true })).toBe(before);
    await plain.close();
    chosen.close();
  });
});
