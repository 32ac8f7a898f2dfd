import { describe, expect, it } from '@jest/globals';
import type { WorkflowRuntimeOptions } from '@waymark/runtime';
import { DataSource } from 'typeorm';
import { makeImpatient } from '../../../../test/support/impatient.js';
import { TypeOrmPersistence } from '../typeorm-persistence.js';
import { createWaymarkDataSource, optionsFromUrl, type WaymarkDataSourceOptions } from './data-source.js';

describe('connection', () => {
  it.each([
    ['sqlite:data/waymark.db', { type: 'better-sqlite3', database: 'data/waymark.db' }],
    ['sqlite::memory:', { type: 'better-sqlite3', database: ':memory:' }],
    ['sqlite:///var/lib/waymark.db', { type: 'better-sqlite3', database: '/var/lib/waymark.db' }],
    ['mysql://u:p@h/d', { type: 'mysql', url: 'mysql://u:p@h/d' }],
    ['mariadb://u:p@h/d', { type: 'mariadb', url: 'mariadb://u:p@h/d' }],
    ['postgres://u:p@h/d', { type: 'postgres', url: 'postgres://u:p@h/d' }],
    ['postgresql://u:p@h/d', { type: 'postgres', url: 'postgresql://u:p@h/d' }],
  ])('reads %s', (url, options) => {
    expect(optionsFromUrl(url)).toEqual(options);
  });

  it.each(['oracle://user:secret@host', 'secret'])('refuses %s without repeating it', (url) => {
    expect(() => TypeOrmPersistence.fromUrl(url)).toThrow(expect.objectContaining({ code: 'WM7012' }));
    expect(() => TypeOrmPersistence.fromUrl(url)).not.toThrow(/secret/);
  });

  it.each<[unknown, string]>([
    [
      undefined,
      'The option url of TypeOrmPersistence is undefined, but must be the URL of a database. A setting may be missing.',
    ],
    [null, 'The option url of TypeOrmPersistence is null'],
    [5, 'The option url of TypeOrmPersistence is a number'],
    ['', 'The option url of TypeOrmPersistence is empty'],
    [' ', 'The option url of TypeOrmPersistence is empty'],
    ['sqlite:', 'The option url of TypeOrmPersistence is sqlite: without a file'],
    ['sqlite://', 'The option url of TypeOrmPersistence is sqlite: without a file'],
  ])('says what is missing in %j', (url, message) => {
    expect(() => TypeOrmPersistence.fromUrl(url as string)).toThrow(
      expect.objectContaining({ code: 'WM7016', message: expect.stringContaining(message) }),
    );
  });

  it.each<[WaymarkDataSourceOptions, string]>([
    [{ type: 'better-sqlite3', database: '' }, 'the file of the database'],
    [{ type: 'mysql', database: ' ' }, 'the name of a database'],
    [{ type: 'postgres', database: '' }, 'the name of a database'],
  ])('refuses a blank name of the database in options: %j', (options, message) => {
    expect(() => TypeOrmPersistence.fromOptions(options)).toThrow(
      expect.objectContaining({
        code: 'WM7016',
        message: expect.stringContaining(`The option database of TypeOrmPersistence is empty, but must be ${message}`),
      }),
    );
  });

  it.each<[Partial<WaymarkDataSourceOptions>, string]>([
    [{ type: 'postgres', host: 'db', username: 'postgres' }, 'database'],
    [{ type: 'mysql', host: 'db', database: undefined }, 'database'],
    [{ type: 'better-sqlite3' }, 'database'],
    [{ type: 'postgres', url: undefined }, 'url'],
    [{ type: 'mysql', url: '' }, 'url'],
    [{ type: 'postgres', url: 'postgres://postgres:secret@db' }, 'url'],
  ])('refuses options that name no database, where a setting is missing: %j', (options, option) => {
    expect(() => TypeOrmPersistence.fromOptions(options as WaymarkDataSourceOptions)).toThrow(
      expect.objectContaining({ code: 'WM7016', option }),
    );
  });

  it.each<WaymarkDataSourceOptions>([
    { type: 'postgres', url: 'postgres://u:p@db/app' },
    { type: 'postgres', url: 'postgres://u:p@db', database: 'app' },
    { type: 'mysql', replication: { master: { url: 'mysql://u:p@db/app' }, slaves: [] } },
    { type: 'postgres', extra: { connectionString: 'postgres://u:p@db/app' } },
  ])('takes the name of the database wherever TypeORM does: %j', (options) => {
    expect(TypeOrmPersistence.fromOptions(options)).toBeInstanceOf(TypeOrmPersistence);
  });

  it('takes the default of the driver where the environment names it', () => {
    process.env.PGDATABASE = 'app';
    try {
      expect(TypeOrmPersistence.fromUrl('postgres://db')).toBeInstanceOf(TypeOrmPersistence);
      expect(TypeOrmPersistence.fromOptions({ type: 'postgres', host: 'db' })).toBeInstanceOf(TypeOrmPersistence);
    } finally {
      delete process.env.PGDATABASE;
    }
  });

  it.each([
    // The kernel refuses folders there. `mkdir` with `recursive` never ends.
    ['/proc/no-such-folder/a/app.db', 'ENOENT'],
    ['/dev/null/app.db', 'EEXIST'],
  ])('fails at once, with the path, where the folder of a file cannot be made: %s', async (file, code) => {
    const opened = TypeOrmPersistence.fromUrl(`sqlite:${file}`).initialize();
    await expect(opened).rejects.toMatchObject({
      code: 'WM7014',
      message: expect.stringMatching(new RegExp(`"${file}": ${code}.*its folder does not exist and cannot be made`)),
    });
  });

  it.each(['Waymark_', 'a b', 'x;drop', '1_', '', 'a'.repeat(40)])('refuses the table prefix "%s"', (tablePrefix) => {
    expect(() => TypeOrmPersistence.fromUrl('sqlite::memory:', { tablePrefix })).toThrow(
      expect.objectContaining({ code: 'WM7010' }),
    );
  });

  it.each([
    ['statementTimeoutMs', 0],
    ['statementTimeoutMs', Number.NaN],
    ['statementTimeoutMs', 1_000_000],
    ['migrationTimeoutMs', 500],
    ['connectTimeoutMs', 99],
    ['connectTimeoutMs', 1000.5],
  ])('refuses %s of %d', (option, value) => {
    expect(() => TypeOrmPersistence.fromUrl('sqlite::memory:', { [option]: value })).toThrow(
      expect.objectContaining({ code: 'WM7016', option }),
    );
  });

  it.each<[string, Record<string, unknown>]>([
    ['poolSize', { poolSize: 0 }],
    ['poolSize', { poolSize: Number.NaN }],
    ['poolSize', { poolSize: -1 }],
    ['poolSize', { poolSize: 2.5 }],
    ['poolSize', { poolSize: 'many' }],
    ['poolSize', { poolSize: Infinity }],
    ['extra.max', { poolSize: 5, extra: { max: 0 } }],
    ['extra.connectionLimit', { poolSize: 5, extra: { connectionLimit: '' } }],
  ])('refuses %s where it leaves no connection: %j', (option, pool) => {
    const refused = expect.objectContaining({ code: 'WM7016', option });
    const connection = { type: 'postgres', database: 'd', ...pool } as WaymarkDataSourceOptions;
    expect(() => TypeOrmPersistence.fromOptions(connection)).toThrow(refused);
    expect(() => TypeOrmPersistence.fromDataSource(createWaymarkDataSource(connection))).toThrow(refused);
  });

  it.each([{}, { poolSize: 1 }, { poolSize: '20' }, { extra: { max: 3 } }])('takes a pool of %j', (pool) => {
    const connection = { type: 'postgres', database: 'd', ...pool } as WaymarkDataSourceOptions;
    expect(TypeOrmPersistence.fromOptions(connection)).toBeInstanceOf(TypeOrmPersistence);
  });

  it('refuses the SQLite connection of an application, and takes one that was made for it', async () => {
    const theirs = new DataSource({ type: 'better-sqlite3', database: ':memory:' });
    expect(() => TypeOrmPersistence.fromDataSource(theirs)).toThrow(expect.objectContaining({ code: 'WM7011' }));
    const ours = createWaymarkDataSource('sqlite::memory:');
    const persistence = TypeOrmPersistence.fromDataSource(ours);
    await persistence.initialize();
    expect(await persistence.definitions.changeCounter()).toBe(0);
    await persistence.close();
    expect(ours.isInitialized).toBe(true);
    await ours.destroy();
  });

  it('refuses databases that it does not know', () => {
    const theirs = { options: { type: 'mssql' } } as DataSource;
    expect(() => TypeOrmPersistence.fromDataSource(theirs)).toThrow(expect.objectContaining({ code: 'WM7012' }));
  });

  it('leaves the choice of the data source to Nest', async () => {
    const option = TypeOrmPersistence.fromDataSource() satisfies WorkflowRuntimeOptions['persistence'];
    const { inject, useFactory } = option;
    expect(inject).toEqual([DataSource]);
    expect(useFactory(createWaymarkDataSource('sqlite::memory:'))).toBeInstanceOf(TypeOrmPersistence);
  });

  it('takes the options of tables alone, and checks them where they are written', () => {
    const option = TypeOrmPersistence.fromDataSource({
      migrate: false,
    }) satisfies WorkflowRuntimeOptions['persistence'];
    expect(option.useFactory(createWaymarkDataSource('sqlite::memory:'))).toBeInstanceOf(TypeOrmPersistence);
    expect(TypeOrmPersistence.fromDataSource(undefined, { migrate: false }).inject).toEqual([DataSource]);
    expect(() => TypeOrmPersistence.fromDataSource({ tablePrefix: 'A b' })).toThrow(
      expect.objectContaining({ code: 'WM7010' }),
    );
    expect(() => TypeOrmPersistence.fromDataSource({ prefix: 'a_' } as object)).toThrow(
      expect.objectContaining({ code: 'WM1091' }),
    );
  });

  it.each<[string, unknown]>([
    ['a URL', 'postgres://user:secret@host/database'],
    ['options of a connection', { type: 'postgres', password: 'secret' }],
    ['a promise of a data source', Promise.resolve()],
  ])('says where %s belongs instead', (_, given) => {
    const make = () => TypeOrmPersistence.fromDataSource(given as DataSource);
    expect(make).toThrow(
      expect.objectContaining({
        code: 'WM7016',
        message: expect.stringMatching(
          /^The option dataSource .* must be a DataSource of TypeORM\. Options .*fromOptions\(\), and a URL to .*fromUrl\(\)\.$/,
        ),
      }),
    );
    expect(make).not.toThrow(/secret/);
  });

  it.each([
    ['FULL', 2],
    ['NORMAL', 1],
  ] as const)('has the durability that is configured: %s', async (synchronous, level) => {
    const dataSource = await createWaymarkDataSource('sqlite::memory:', { synchronous }).initialize();
    expect(await dataSource.query('PRAGMA synchronous')).toEqual([{ synchronous: level }]);
    expect(await dataSource.query('PRAGMA busy_timeout')).toEqual([{ timeout: 0 }]);
    await dataSource.destroy();
  });

  it('says what to do when the server does not answer, without the password', async () => {
    const persistence = TypeOrmPersistence.fromUrl('postgres://user:secret@127.0.0.1:1/none');
    const patience = makeImpatient();
    const failure = persistence.initialize();
    await expect(failure).rejects.toMatchObject({ code: 'WM7014' });
    await expect(failure).rejects.not.toThrow(/secret/);
    patience.mockRestore();
  });

  it.each([
    [
      'postgres://user:secret%zz@host/app',
      /^The option url of TypeOrmPersistence is not a URL, but must be .*%25 for %/,
    ],
    [
      'postgres://user:secret#1@host/app',
      /^The option url of TypeOrmPersistence is not a URL, but must be .*%23 for #/,
    ],
    [
      'mariadb://user:secret%zz@host/app',
      /^The option url of TypeOrmPersistence is not a URL, but must be .*%25 for %/,
    ],
    ['postgres://user:12/secret@host/app', /is not a URL, but must be .*%2F for \//],
    ['mariadb://user:12/secret@host/app', /is not a URL, but must be .*%2F for \//],
    [
      'postgres://user:secret@host:5432/?sslmode=require',
      /without the name of a database, but must be such as postgres:/,
    ],
    ['mariadb://user:secret@host', /without the name of a database, but must be such as mariadb:/],
    ['mysql://user:secret@host:3306/?ssl=true', /without the name of a database, but must be such as mysql:/],
  ])('refuses a URL that no driver can use: %s', (url, message) => {
    const open = () => TypeOrmPersistence.fromUrl(url);
    expect(open).toThrow(expect.objectContaining({ code: 'WM7016', message: expect.stringMatching(message) }));
    expect(open).not.toThrow(/secret/);
  });

  it.each(['postgres://user:p%23@host/app', 'postgres:///app?host=/run/postgresql', 'mariadb://user:p#x@host/app'])(
    'takes a URL that its driver can use: %s',
    (url) => {
      expect(TypeOrmPersistence.fromUrl(url)).toBeInstanceOf(TypeOrmPersistence);
    },
  );

  it('reports use before it is initialized', async () => {
    const persistence = TypeOrmPersistence.fromUrl('sqlite::memory:');
    await expect(persistence.instances.load('x')).rejects.toMatchObject({ code: 'WM7009' });
  });
});
