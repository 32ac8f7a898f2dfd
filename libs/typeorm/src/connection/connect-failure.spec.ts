import { describe, expect, it } from '@jest/globals';
import type { DataSourceOptions } from 'typeorm';
import { connectFailure } from './connect-failure.js';

const failure = (message: string, code?: string): Error => Object.assign(new Error(message), { code });

const POSTGRES = { type: 'postgres', url: 'postgres://shop:hunter2@db.example.org:5433/orders' } as const;
const MARIADB = {
  type: 'mariadb',
  host: 'db',
  port: 3306,
  database: 'orders',
  username: 'shop',
  password: 'hunter2',
} as const;
const SQLITE = { type: 'better-sqlite3', database: '/data/app.db' } as const;

describe('why a database could not be opened', () => {
  it.each<[string, DataSourceOptions, Error, string]>([
    [
      'nothing listens at the address',
      POSTGRES,
      failure('connect ECONNREFUSED 10.0.0.1:5433', 'ECONNREFUSED'),
      'Cannot connect to the postgres database "orders" at db.example.org:5433: connect ECONNREFUSED 10.0.0.1:5433. Nothing listens there: start the database, or correct the address.',
    ],
    [
      'nothing listens at any address of the host',
      POSTGRES,
      Object.assign(
        new AggregateError([
          failure('connect ECONNREFUSED ::1:5433', 'ECONNREFUSED'),
          failure('connect ECONNREFUSED 127.0.0.1:5433', 'ECONNREFUSED'),
        ]),
        { code: 'ECONNREFUSED' },
      ),
      'Cannot connect to the postgres database "orders" at db.example.org:5433: connect ECONNREFUSED ::1:5433; connect ECONNREFUSED 127.0.0.1:5433. Nothing listens there: start the database, or correct the address.',
    ],
    [
      'a wrong password',
      MARIADB,
      failure("Access denied for user 'shop'@'localhost' (using password: YES)", 'ER_ACCESS_DENIED_ERROR'),
      "Cannot connect to the mariadb database \"orders\" at db:3306: Access denied for user 'shop'@'localhost' (using password: YES). Correct the user and the password, or grant this user access.",
    ],
    [
      'a full disk',
      SQLITE,
      failure('database or disk is full', 'SQLITE_FULL'),
      'Cannot connect to the sqlite database "/data/app.db": database or disk is full. Make room on its disk, then start again.',
    ],
    [
      'a disk without room for the files beside the database',
      SQLITE,
      failure('disk I/O error', 'SQLITE_IOERR_SHMSIZE'),
      'Cannot connect to the sqlite database "/data/app.db": disk I/O error. Look whether its disk is full, and whether it has failed.',
    ],
    [
      'a database that does not exist',
      POSTGRES,
      failure('database "orders" does not exist', '3D000'),
      'Cannot connect to the postgres database "orders" at db.example.org:5433: database "orders" does not exist. Create that database, or correct its name: Waymark creates tables, not databases.',
    ],
    [
      'a file that cannot be opened',
      SQLITE,
      failure('unable to open database file', 'SQLITE_CANTOPEN'),
      'Cannot connect to the sqlite database "/data/app.db": unable to open database file. The user of this process must be able to write the file and its folder.',
    ],
    [
      'a folder that cannot be made',
      SQLITE,
      failure("ENOENT: no such file or directory, mkdir '/data'", 'ENOENT'),
      'Cannot connect to the sqlite database "/data/app.db": ENOENT: no such file or directory, mkdir \'/data\'. Correct the path: its folder does not exist and cannot be made.',
    ],
    [
      'something that no code tells',
      MARIADB,
      failure('The moon is full.'),
      'Cannot connect to the mariadb database "orders" at db:3306: The moon is full.',
    ],
    [
      'a name of a database that is not percent-encoded',
      { type: 'postgres', url: 'postgres://shop:hunter2@db/100%' },
      failure('no such thing'),
      'Cannot connect to the postgres database "100%" at db: no such thing.',
    ],
    [
      'no name of a database',
      { type: 'postgres', url: 'postgres://shop:hunter2@db' },
      failure('no such thing'),
      'Cannot connect to the postgres database at db: no such thing.',
    ],
  ])('is reported with advice: %s', (_, options, error, text) => {
    expect(connectFailure(options, error)).toBe(text);
    expect(text).not.toContain('hunter2');
  });
});
