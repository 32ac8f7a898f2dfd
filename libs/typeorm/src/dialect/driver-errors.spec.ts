import { describe, expect, it } from '@jest/globals';
import { translate } from '../database/failure.js';
import { DIALECTS } from './dialect.js';

const pg = (code: string) => Object.assign(new Error('it failed'), { code });
const mysql = (errno: number) => Object.assign(new Error('it failed'), { errno });
const codeOf = (error: unknown, family: keyof typeof DIALECTS) =>
  (translate(error, DIALECTS[family]) as { code?: string }).code;

describe('errors of drivers', () => {
  it.each([
    '08006',
    '25006',
    '25P03',
    '25P04',
    '28P01',
    '3D000',
    '3F000',
    '40003',
    '40P01',
    '42501',
    '42P01',
    '42P10',
    '53100',
    '53200',
    '53300',
    '55P03',
    '57014',
    '57P01',
    '57P04',
    '58030',
    'ENOTFOUND',
  ])('PostgreSQL %s is an outage', (code) => expect(codeOf(pg(code), 'postgres')).toBe('WM7014'));

  it.each(['22001', '42703', '54000', 'XX000', ''])('PostgreSQL "%s" is a wrong answer', (code) =>
    expect(codeOf(pg(code), 'postgres')).toBe('WM7009'),
  );

  it('PostgreSQL 54000 is an outage where its transaction numbers are used up', () => {
    const text = 'database is not accepting commands that assign new transaction IDs to avoid wraparound data loss';
    expect(codeOf(Object.assign(new Error(text), { code: '54000' }), 'postgres')).toBe('WM7014');
  });

  it.each([
    1021, 1040, 1041, 1045, 1049, 1053, 1114, 1142, 1146, 1152, 1158, 1180, 1203, 1205, 1213, 1226, 1227, 1290, 1836,
    1874, 1969, 2013, 3024, 3100, 3101, 9001,
  ])('MySQL %i is an outage', (errno) => expect(codeOf(mysql(errno), 'mysql')).toBe('WM7014'));

  it('MySQL 1153 is a value that is too large', () => expect(codeOf(mysql(1153), 'mysql')).toBe('WM7017'));

  it.each([1054, 1064, 1406])('MySQL %i is a wrong answer', (errno) =>
    expect(codeOf(mysql(errno), 'mysql')).toBe('WM7009'),
  );

  it.each([
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    'SQLITE_READONLY',
    'SQLITE_CANTOPEN',
    'SQLITE_BUSY',
    'SQLITE_CORRUPT_VTAB',
    'SQLITE_NOTADB',
  ])('SQLite %s is an outage', (code) => expect(codeOf(pg(code), 'sqlite')).toBe('WM7014'));

  it('SQLite without a table is an outage', () =>
    expect(
      codeOf(Object.assign(pg('SQLITE_ERROR'), { message: 'no such table: main.waymark_instances' }), 'sqlite'),
    ).toBe('WM7014'));

  it('SQLite SQLITE_ERROR is a wrong answer otherwise', () =>
    expect(codeOf(pg('SQLITE_ERROR'), 'sqlite')).toBe('WM7009'));

  it('distinguishes a statement that took too long from a server that answers nothing', () => {
    const isOfCall = (error: unknown, family: keyof typeof DIALECTS) =>
      (translate(error, DIALECTS[family]) as { isOfCall?: boolean }).isOfCall;
    expect([isOfCall(pg('57014'), 'postgres'), isOfCall(mysql(1969), 'mysql')]).toEqual([true, true]);
    expect([isOfCall(pg('57P01'), 'postgres'), isOfCall(mysql(1205), 'mysql')]).toEqual([false, false]);
  });

  it('distinguishes a full server from a lost connection: callers wait, and the pool shrinks', () => {
    expect(DIALECTS.postgres.isFull(pg('53300'))).toBe(true);
    expect([1040, 1203, 1226].map((errno) => DIALECTS.mysql.isFull(mysql(errno)))).toEqual([true, true, true]);
  });
});
