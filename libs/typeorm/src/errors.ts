import { WaymarkError } from '@waymark/core';

/** Thrown for an invalid `tablePrefix`; it becomes part of SQL statements. */
export class InvalidTablePrefixError extends WaymarkError {
  readonly code = 'WM7010';
  constructor(
    /** The prefix or schema. */
    readonly prefix: string,
  ) {
    super(
      `"${prefix}" cannot be a table prefix or schema. Use up to 32 lower-case letters, digits and underscores, ` +
        'and begin with a letter.',
    );
  }
}

/**
 * Thrown for the data source of an application on SQLite: TypeORM uses one connection without isolation between callers, so it
 * cannot be shared.
 */
export class SharedSqliteConnectionError extends WaymarkError {
  readonly code = 'WM7011';
  constructor() {
    super(
      'Waymark cannot use the SQLite DataSource of the application: TypeORM runs all of it over one connection, where a ' +
        'transaction of the application could undo workflow commits that have succeeded. ' +
        'Use TypeOrmPersistence.fromOptions({ type: "better-sqlite3", database }); it may name the same file.',
    );
  }
}

/** Thrown for a database that is not supported, or in a version that is too old. */
export class UnsupportedDatabaseError extends WaymarkError {
  readonly code = 'WM7012';
  constructor(
    /** Type of the database, or product and version. */
    readonly database: string,
    /** Of a product that is supported: the versions that are. */
    needed?: string,
  ) {
    super(
      needed !== undefined
        ? `${database} is too old: Waymark needs ${needed}. Update the server, or use another one.`
        : `Waymark cannot store workflows in "${database}". Use SQLite (better-sqlite3), MySQL, MariaDB or PostgreSQL, ` +
            'for example sqlite:data/waymark.db, mysql://user:password@host/database or postgres://user:password@host/database.',
    );
  }
}

/** Thrown when the tables are older than this version of the library and automatic migration is disabled. */
export class PendingMigrationsError extends WaymarkError {
  readonly code = 'WM7013';
  constructor(
    /** Names of the migrations that have not run. */
    readonly migrations: readonly string[],
  ) {
    super(
      `The tables are older than this version of Waymark, and 'migrate' is false. Run the migrations before the application starts, by a program ` +
        `that calls TypeOrmPersistence.fromUrl(…).initialize(), or by the command line of TypeORM (docs/persistence.md). Or leave 'migrate' on. ` +
        `Not run: ${inShort(migrations)}.`,
    );
  }
}

/** Thrown for an invalid option of the persistence. */
export class InvalidStoreOptionError extends WaymarkError {
  readonly code = 'WM7016';
  constructor(
    /** Name of the option. */
    readonly option: string,
    /** The value that cannot work. */
    readonly value: unknown,
    expected: string,
  ) {
    super(`The option ${option} of TypeOrmPersistence is ${String(value)}, but must be ${expected}.`);
  }
}

/** Thrown when the package with which TypeORM talks to the database is not installed, or cannot be loaded. */
export class DriverMissingError extends WaymarkError {
  readonly code = 'WM1058';
  constructor(
    /** Name of the package, such as `pg`. */
    readonly packageName: string,
    why: string,
    options?: ErrorOptions,
  ) {
    super(why, options);
  }
}

/** Of a new database it is all of them. */
function inShort(names: readonly string[]): string {
  return names.length < 4 ? names.join(', ') : `${names.length}, from ${names[0]} to ${names.at(-1)}`;
}
